/** The table and the queues in memory, for unit tests: the SDK's clients answer from the simulated table, and keep what is sent. */
import { type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach } from 'vitest';
import type { tableCommands } from '../../lab/world/dynamodb/client.ts';
import { carryOut } from '../../lab/world/dynamodb/commands.ts';
import { Table } from '../../lab/world/dynamodb/table.ts';
import { World } from '../../lab/world/world.ts';
import type { QueueName } from '../../shared/contract.ts';
import type { Key } from '../../shared/table/table-key.ts';

type Item = Readonly<Record<string, unknown>>;
type CommandName = (typeof tableCommands)[number];

/** A message in a queue. */
interface SentMessage {
  readonly queue: QueueName;
  readonly body: Record<string, unknown>;
  readonly delaySeconds: number | undefined;
  readonly group: string | undefined;
}

export interface AwsInMemory {
  /** The variables that the clients read; set them before the modules are imported. */
  readonly environment: Readonly<Record<string, string>>;
  /** Empties the table; each test begins with it. */
  readonly clear: () => void;
  /** Puts an item. */
  readonly put: (key: Key, item?: object) => void;
  /** Changes attributes of an item, as another environment would; undefined removes one. */
  readonly change: (key: Key, attributes: Item) => void;
  readonly erase: (key: Key) => void;
  /** Returns an item without its keys and its format; undefined if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of an item
  readonly read: (key: Key) => any;
  /** Returns the messages that were sent since the last call. */
  readonly sent: () => readonly SentMessage[];
  /** Returns the requests of a command so far. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the members of a request
  readonly requests: (name: CommandName) => readonly any[];
  /** Acts before each request of a command, as another environment would; `times` limits how often. The request waits for a promise. */
  readonly before: (name: CommandName, act: () => unknown, times?: number) => void;
  /** The answer to the next request of a command is lost, so that the SDK sends it again. */
  readonly loseAnswerOf: (name: CommandName) => void;
  /** The next request of a command, or of SQS, has no answer, or fails with this error; `after` it was carried out, or instead. */
  readonly fail: (name: CommandName | 'SendMessageBatchCommand', options?: { error?: Error; after?: boolean }) => void;
}

const queues = ['events', 'deliveries', 'slow-deliveries', 'replays', 'mail'] as const satisfies QueueName[];
const urlOf = (queue: QueueName): string => `http://localhost/000000000000/${queue}`;

/** Replaces the clients of a test file; each test begins with an empty table. */
export const awsInMemory = (): AwsInMemory => {
  const dynamodb = mockClient(DynamoDBDocumentClient);
  const sqs = mockClient(SQSClient);
  let table = new Table(new World(1, 0), { indexLagMs: [0, 0], staleMs: 0 });
  let messages: SentMessage[] = [];
  let requests: { readonly name: CommandName; readonly input: object }[] = [];
  let rivals: { readonly name: CommandName; readonly act: () => unknown; left: number }[] = [];
  let lost: CommandName[] = [];
  let failures: { readonly name: string; readonly error: Error; readonly after: boolean }[] = [];
  const failing = (name: string, act: () => void): void => {
    const position = failures.findIndex((failure) => failure.name === name);
    const [failure] = position < 0 ? [] : failures.splice(position, 1);
    if (failure === undefined) return;
    if (failure.after) act();
    throw failure.error;
  };
  const answer = async (name: CommandName, input: object): Promise<object> => {
    requests.push({ name, input });
    for (const rival of rivals)
      if (rival.name === name && rival.left > 0) {
        rival.left--;
        const acting = rival.act();
        if (acting instanceof Promise) await acting;
      }
    failing(name, () => carryOut(table, name, input));
    if (lost.includes(name)) {
      lost = lost.filter((one) => one !== name);
      carryOut(table, name, input);
    }
    return carryOut(table, name, input);
  };
  dynamodb.send.callsFake(async (command) => answer(command.constructor.name as CommandName, command.input) as never);
  sqs.send.callsFake(async (command) => {
    failing(command.constructor.name, () => {});
    const { QueueUrl, Entries = [] } = command.input as SendMessageBatchCommandInput;
    const queue = queues.find((one) => urlOf(one) === QueueUrl);
    if (queue === undefined) throw new Error(`Unknown queue ${QueueUrl}`);
    for (const { MessageBody = '', DelaySeconds, MessageGroupId } of Entries)
      messages.push({ queue, body: JSON.parse(MessageBody), delaySeconds: DelaySeconds, group: MessageGroupId });
    return { Successful: Entries.map(({ Id }) => ({ Id })) } as never;
  });
  const clear = () => {
    table = new Table(new World(1, 0), { indexLagMs: [0, 0], staleMs: 0 });
    [messages, requests, rivals, lost, failures] = [[], [], [], [], []];
  };
  beforeEach(clear);
  const put = (key: Key, item: object = {}): void => table.write({ ...item, ...key });
  return {
    environment: {
      TABLE_NAME: 'masthead-test',
      LOG_LEVEL: 'SILENT',
      ...Object.fromEntries(
        queues.map((queue) => [`QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`, urlOf(queue)]),
      ),
    },
    clear,
    put,
    change: (key, attributes) => put(key, { ...table.read(key), ...attributes }),
    erase: (key) => table.erase(key),
    read: (key) => {
      const found = table.read(key);
      if (found === undefined) return undefined;
      const { pk: _pk, sk: _sk, format: _format, ...item } = found;
      return item;
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
