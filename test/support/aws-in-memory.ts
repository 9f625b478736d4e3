/** The embedded DynamoDB and queues in memory, for unit tests that set the order of requests or lose one. */
import { BatchGetItemCommand, BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeEach, inject } from 'vitest';
import type { QueueName } from '../../shared/contract.ts';
import type { Key } from '../../shared/table/table-key.ts';
import { region } from './parts-schema.ts';
import { ownTable } from './parts-table.ts';

type Item = Readonly<Record<string, unknown>>;
type CommandName =
  | 'GetCommand'
  | 'PutCommand'
  | 'UpdateCommand'
  | 'DeleteCommand'
  | 'QueryCommand'
  | 'BatchGetCommand'
  | 'BatchWriteCommand'
  | 'TransactWriteCommand';

interface SentMessage {
  readonly queue: QueueName;
  readonly body: Record<string, unknown>;
  readonly delaySeconds: number | undefined;
  readonly group: string | undefined;
}

export interface AwsInMemory {
  /** The variables that the clients read; set them before the modules are imported. */
  readonly environment: Readonly<Record<string, string>>;
  readonly tableName: string;
  readonly clear: () => void;
  readonly put: (key: Key, item?: object) => void;
  /** Changes attributes of an item, as another environment would; undefined removes one. */
  readonly change: (key: Key, attributes: Item) => void;
  readonly erase: (key: Key) => void;
  /** Returns an item without its keys and its format; undefined if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of an item
  readonly read: (key: Key) => any;
  /** Sets how many messages a queue says that wait in it. */
  readonly waiting: (queue: QueueName, messages: number) => void;
  readonly sent: () => readonly SentMessage[];
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the members of a request
  readonly requests: (name: CommandName) => readonly any[];
  /** Acts before each request of a command, as another environment would, `times` times. Requests wait for promises. */
  readonly before: (name: CommandName | 'SendMessageBatchCommand', act: () => unknown, times?: number) => void;
  /** The answer to the next request of a command is lost, so that the SDK sends it again. */
  readonly loseAnswerOf: (name: CommandName) => void;
  /** The next request of a command, or of SQS, gets no answer or this error, after its effect (`after`) or without. */
  readonly fail: (
    name: CommandName | 'SendMessageBatchCommand' | 'GetQueueAttributesCommand',
    options?: { error?: Error; after?: boolean },
  ) => void;
}

const queues = ['events', 'deliveries', 'slow-deliveries', 'replays', 'mail'] as const satisfies QueueName[];
const urlOf = (queue: QueueName): string => `http://localhost/000000000000/${queue}`;

type Batch = Readonly<Record<string, readonly { PutRequest?: { Item: Key }; DeleteRequest?: { Key: Key } }[]>>;
interface Write {
  readonly Item?: Key;
  readonly Key?: Key;
  readonly RequestItems?: Batch;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly Item?: Key; readonly Key?: Key }>>[];
}

/** Returns the keys of the items that a request may have written. */
const keysWrittenBy = (name: CommandName, input: Write): readonly Key[] => {
  if (/^(?:Get|Query|BatchGet)/.test(name)) return [];
  const parts = [
    input,
    ...Object.values(input.RequestItems ?? {}).flatMap((requests) => requests.flatMap((one) => Object.values(one))),
    ...(input.TransactItems ?? []).flatMap((one) => Object.values(one)),
  ] as readonly { readonly Item?: Key; readonly Key?: Key }[];
  return parts.flatMap(({ Item, Key: key }) => Item ?? key ?? []).map(({ pk, sk }) => ({ pk, sk }));
};

/** Replaces the method by which all clients of a class send commands, until the file ends. */
const replaceSend = (
  { prototype }: { readonly prototype: object },
  send: (this: never, command: SentCommand) => Promise<unknown>,
): void => {
  Object.defineProperty(prototype, 'send', { value: send, configurable: true });
  afterAll(() => Reflect.deleteProperty(prototype, 'send'));
};

interface SentCommand {
  readonly input: object;
}

const idOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);

/**
 * Replaces a test file's queues, and watches its table; each test begins with an empty one. What a test puts is written
 * before the next request; what requests write is read back, so that a test reads items without waiting.
 */
export const awsInMemory = (): AwsInMemory => {
  const table = ownTable();
  const { TABLE_NAME = '' } = table;
  // Below the document client, whose method is replaced.
  const direct = new DynamoDBClient({
    endpoint: inject('parts').dynamodb,
    region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const { send } = Object.getPrototypeOf(DynamoDBDocumentClient.prototype);
  const known = new Map<string, Item>();
  /** What the test has put or erased since the last request, by item; undefined was erased. */
  let unwritten = new Map<string, { readonly key: Key; readonly item: Item | undefined }>();
  let turn: Promise<unknown> = Promise.resolve();
  let messages: SentMessage[] = [];
  const waiting = new Map<QueueName, number>();
  let requests: { readonly name: CommandName; readonly input: object }[] = [];
  let rivals: { readonly name: string; readonly act: () => unknown; left: number }[] = [];
  let lost: CommandName[] = [];
  let failures: { readonly name: string; readonly error: Error; readonly after: boolean }[] = [];

  const writeWhatTestsPut = async (): Promise<void> => {
    const writes = [...unwritten.values()];
    unwritten = new Map();
    for (let at = 0; at < writes.length; at += 25) {
      const part = writes
        .slice(at, at + 25)
        .map(({ key, item }) =>
          item === undefined
            ? { DeleteRequest: { Key: marshall(key) } }
            : { PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) } },
        );
      await direct.send(new BatchWriteItemCommand({ RequestItems: { [TABLE_NAME]: part } }));
    }
  };
  const readBack = async (keys: readonly Key[]): Promise<void> => {
    for (let at = 0; at < keys.length; at += 100) {
      const part = new Map(keys.slice(at, at + 100).map((key) => [idOf(key), key]));
      const { Responses } = await direct.send(
        new BatchGetItemCommand({
          RequestItems: {
            [TABLE_NAME]: { ConsistentRead: true, Keys: [...part.values()].map((key) => marshall(key)) },
          },
        }),
      );
      const items = (Responses?.[TABLE_NAME] ?? []).map((item) => unmarshall(item) as Item & Key);
      for (const id of part.keys()) if (!unwritten.has(id)) known.delete(id);
      for (const item of items) if (!unwritten.has(idOf(item))) known.set(idOf(item), item);
    }
  };
  /** Carries out one request after the other, as the table would in some order. */
  const carryOut = <Answer>(name: CommandName, input: object, request: () => Promise<Answer>): Promise<Answer> => {
    const carriedOut = turn.then(async () => {
      await writeWhatTestsPut();
      try {
        return await request();
      } finally {
        await readBack(keysWrittenBy(name, input));
      }
    });
    turn = carriedOut.catch(() => {});
    return carriedOut;
  };
  const failing = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    const position = failures.findIndex((failure) => failure.name === name);
    const [failure] = position < 0 ? [] : failures.splice(position, 1);
    if (failure === undefined) return;
    if (failure.after) await act();
    throw failure.error;
  };
  /** Runs what the test does before a request; undefined if nothing of it is asynchronous. */
  const rivalsAct = (name: string): Promise<unknown> | undefined => {
    const acting = rivals.flatMap((rival) => {
      if (rival.name !== name || rival.left === 0) return [];
      rival.left--;
      return [rival.act()];
    });
    return acting.some((one) => one instanceof Promise) ? Promise.all(acting) : undefined;
  };
  replaceSend(DynamoDBDocumentClient, async function (this: DynamoDBDocumentClient, command) {
    const [name, input] = [command.constructor.name as CommandName, command.input];
    requests.push({ name, input });
    const acting = rivalsAct(name);
    if (acting !== undefined) await acting;
    const act = () => carryOut(name, input, () => send.call(this, command));
    await failing(name, act);
    if (lost.includes(name)) {
      lost = lost.filter((one) => one !== name);
      await act();
    }
    return act();
  });
  replaceSend(SQSClient, async (command) => {
    const { name } = command.constructor;
    await rivalsAct(name);
    const { QueueUrl, Entries = [] } = command.input as SendMessageBatchCommandInput;
    const queue = queues.find((one) => urlOf(one) === QueueUrl);
    if (queue === undefined) throw new Error(`Unknown queue ${QueueUrl}`);
    const act = async (): Promise<void> => {
      for (const { MessageBody = '', DelaySeconds, MessageGroupId } of Entries)
        messages.push({ queue, body: JSON.parse(MessageBody), delaySeconds: DelaySeconds, group: MessageGroupId });
    };
    await failing(name, act);
    if (name === 'GetQueueAttributesCommand')
      return { Attributes: { ApproximateNumberOfMessages: String(waiting.get(queue) ?? 0) } };
    await act();
    return { Successful: Entries.map(({ Id }) => ({ Id })) };
  });
  const set = (key: Key, item: Item | undefined): void => {
    unwritten.set(idOf(key), { key, item });
    if (item === undefined) known.delete(idOf(key));
    else known.set(idOf(key), structuredClone(item));
  };
  const put = (key: Key, item: object = {}): void => {
    const { pk, sk } = key;
    const given = Object.entries({ ...item, pk, sk }).filter(([, value]) => value !== undefined);
    set({ pk, sk }, Object.fromEntries(given));
  };
  const erase = ({ pk, sk }: Key): void => set({ pk, sk }, undefined);
  const clear = () => {
    for (const item of [...known.values()]) erase(item as Item & Key);
    [messages, requests, rivals, lost, failures] = [[], [], [], [], []];
    waiting.clear();
  };
  beforeEach(async () => {
    // A test whose batch was rejected may end before the last write of the batch.
    await turn;
    clear();
  });
  return {
    tableName: TABLE_NAME,
    environment: {
      ...table,
      LOG_LEVEL: 'SILENT',
      ...Object.fromEntries(
        queues.map((queue) => [`QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`, urlOf(queue)]),
      ),
    },
    clear,
    put,
    change: (key, attributes) => put(key, { ...known.get(idOf(key)), ...attributes }),
    erase,
    read: (key) => {
      const found = structuredClone(known.get(idOf(key)));
      if (found === undefined) return undefined;
      const { pk: _pk, sk: _sk, format: _format, ...item } = found;
      return item;
    },
    waiting: (queue, count) => {
      waiting.set(queue, count);
    },
    sent: () => messages.splice(0),
    requests: (name) => requests.filter((request) => request.name === name).map(({ input }) => input),
    before: (name, act, times = Number.POSITIVE_INFINITY) => {
      rivals.push({ name, act, left: times });
    },
    loseAnswerOf: (name) => {
      lost.push(name);
    },
    fail: (name, { error = Object.assign(new Error(), { name: 'TimeoutError' }), after = false } = {}) => {
      failures.push({ name, error, after });
    },
  };
};
