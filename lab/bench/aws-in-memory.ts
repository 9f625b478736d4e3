/** DynamoDB and SQS for a benchmark, in a separate process: the simulated table behind HTTP, with AWS's latency and index lag. */
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { carryOut } from '../world/dynamodb/commands.ts';
import { Table } from '../world/dynamodb/table.ts';
import type { World } from '../world/world.ts';

/** Milliseconds until a response: typical values of AWS within a region, slightly more for many items. */
const latencyMs = { dynamodb: 5, transaction: 30, sqs: 10 } as const;
const indexLagMs = 1000;

const world = {
  get now() {
    return Date.now();
  },
  between: () => indexLagMs,
} as unknown as World;
const table = new Table(world, { indexLagMs: [indexLagMs, indexLagMs], staleMs: 0, ttlLateMs: undefined });
const calls: Record<string, number> = {};
let messages = 0;
/** All messages since the start. */
let sent = 0;

type Json = Record<string, unknown>;

/** Converts the attribute maps of a request or a response, at any depth. */
const attributeMembers = [
  'Item',
  'Key',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
  'Attributes',
];
const attributeLists = ['Keys', 'Items'];
const translated = (value: unknown, act: (map: Json) => Json): unknown => {
  if (Array.isArray(value)) return value.map((one) => translated(one, act));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (inner === undefined) return [name, inner];
      if (attributeMembers.includes(name)) return [name, act(inner as Json)];
      if (attributeLists.includes(name)) return [name, (inner as Json[]).map(act)];
      if (name === 'Responses')
        return [
          name,
          Object.fromEntries(Object.entries(inner as Record<string, Json[]>).map(([n, items]) => [n, items.map(act)])),
        ];
      return [name, translated(inner, act)];
    }),
  );
};
const plain = (input: unknown): object => translated(input, (map) => unmarshall(map as never)) as object;
const typed = (output: unknown): object =>
  translated(output, (map) => marshall(map, { removeUndefinedValues: true }) as Json) as object;

const commandOf: Readonly<Record<string, string>> = {
  GetItem: 'GetCommand',
  PutItem: 'PutCommand',
  UpdateItem: 'UpdateCommand',
  DeleteItem: 'DeleteCommand',
  Query: 'QueryCommand',
  BatchGetItem: 'BatchGetCommand',
  BatchWriteItem: 'BatchWriteCommand',
  TransactWriteItems: 'TransactWriteCommand',
};

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
};

const server = createServer(async (request, response) => {
  const input = JSON.parse(await text(request)) as Json;
  const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  calls[action] = (calls[action] ?? 0) + 1;
  if (action === 'SendMessageBatch') {
    await wait(latencyMs.sqs);
    const entries = input.Entries as { Id: string; MessageBody: string }[];
    messages += entries.length;
    sent += entries.length;
    return answer(response, 200, {
      Successful: entries.map(({ Id, MessageBody }) => ({
        Id,
        MessageId: Id,
        MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
      })),
    });
  }
  if (action === 'GetQueueAttributes') {
    await wait(latencyMs.sqs);
    // Receiving always returns no messages.
    return answer(response, 200, { Attributes: { ApproximateNumberOfMessages: String(sent) } });
  }
  await wait(action === 'TransactWriteItems' ? latencyMs.transaction : latencyMs.dynamodb);
  try {
    return answer(response, 200, typed(carryOut(table, commandOf[action] ?? action, plain(input))));
  } catch (error) {
    return answer(response, 400, { ...(error as object), __type: (error as Error).name, message: String(error) });
  }
});

/** What the benchmark may ask of this process between two measurements. */
export type Request =
  | { readonly write: readonly object[] }
  /** Writes a number of subscribers of an event. They are made here so that they use no memory of the measured process. */
  | { readonly subscribers: number; readonly event: string }
  /** Begins the next measurement. */
  | { readonly report: true }
  /** Returns the number of all messages since the start. */
  | { readonly sent: true };
export interface Report {
  readonly calls: Readonly<Record<string, number>>;
  readonly messages: number;
}

process.on('message', (asked: Request) => {
  if ('write' in asked) for (const item of asked.write) table.write(item as never);
  if ('subscribers' in asked)
    for (let number = 0; number < asked.subscribers; number++) {
      // Ten subscribers created one after another form a cohort.
      const group = Math.floor(number / 10).toString(16);
      const webhook_id = `${group.padStart(22, '0')}0${number % 10}`;
      table.write({ pk: `EVENT#${asked.event}`, sk: `SUBSCRIBER#${webhook_id}`, webhook_id } as never);
    }
  if ('report' in asked) {
    process.send?.({ calls: { ...calls }, messages } satisfies Report);
    for (const name of Object.keys(calls)) delete calls[name];
    messages = 0;
  } else process.send?.('sent' in asked ? sent : 'done');
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
