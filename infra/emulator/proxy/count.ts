/**
 * Counts what AWS would bill, by function: calls, read and write units, queue requests, mails, invocations and
 * their time. The cost model (lab/cost) uses these figures.
 */
import * as v from 'valibot';
import type { Names } from '../names.ts';
import { type Answer, type Call, type Step, transactionOf, withBody } from './call.ts';

const figure = v.optional(v.number(), 0);

const functionCounts = v.object({
  invocations: figure,
  failures: figure,
  /** Time of the invocations in milliseconds, on this machine. */
  ms: figure,
  /** The time multiplied by the function's memory: what Lambda bills. */
  gbSeconds: figure,
  /** By service and action, such as `dynamodb:GetItem`, successful or not. */
  calls: v.optional(v.record(v.string(), v.number()), () => ({})),
  failedCalls: figure,
  readUnits: figure,
  writeUnits: figure,
  /** Requests to SQS in units of 64 KiB, including those of Lambda's poller; the emulator has no idle polls. */
  queueRequests: figure,
  mails: figure,
});

export const countsSchema = v.object({
  /** ISO time at which counting started. */
  since: v.string(),
  /** By function name, as in `names.ts`. */
  functions: v.record(v.string(), functionCounts),
});

export type FunctionCounts = v.InferOutput<typeof functionCounts>;
export type Counts = v.InferOutput<typeof countsSchema>;

export type Counter = ReturnType<typeof startCounting>;

const kib = 1024;

/** Returns a counter that starts at zero. */
export const startCounting = (names: Names) => {
  const functions: Record<string, FunctionCounts> = {};
  const since = new Date().toISOString();
  const of = (functionName: string): FunctionCounts => {
    const name = names.functions[functionName] ?? functionName;
    functions[name] ??= v.parse(functionCounts, {});
    return functions[name];
  };
  const called = (counts: FunctionCounts, name: string) => {
    counts.calls[name] = (counts.calls[name] ?? 0) + 1;
  };
  const step: Step = async (call, next) => {
    const counts = of(call.caller);
    called(counts, `${call.service}:${call.action}`);
    let answer: Answer | undefined;
    try {
      answer = call.service === 'dynamodb' ? await countUnits(call, next, counts) : await next(call);
      if (answer.status === 200 && call.service === 'ses') counts.mails += 1;
      return answer;
    } finally {
      if (call.service === 'sqs') counts.queueRequests += requestsOf(call.body.length);
      if (answer?.status !== 200) counts.failedCalls += 1;
    }
  };
  return {
    step,
    read: (): Counts => structuredClone({ since, functions }),
    /** Records an invocation: its time in ms, and the function's memory in MiB. */
    invoked(functionName: string, { ms, ok }: { readonly ms: number; readonly ok: boolean }, memoryMb: number) {
      const counts = of(functionName);
      counts.invocations += 1;
      counts.ms += ms;
      counts.gbSeconds += (ms / 1000) * (memoryMb / kib);
      if (!ok) counts.failures += 1;
    },
    /** Records a batch that Lambda's poller has read: its bytes, and how many of its messages were deleted. */
    polled(functionName: string, bytes: number, deleted: number) {
      const counts = of(functionName);
      called(counts, 'sqs:ReceiveMessage');
      counts.queueRequests += requestsOf(bytes);
      if (deleted === 0) return;
      called(counts, 'sqs:DeleteMessageBatch');
      counts.queueRequests += 1;
    },
  };
};

/** SQS bills each 64 KiB of a request as one request. */
const requestsOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / (64 * kib)));

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);
const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

const question = Buffer.from('"ReturnConsumedCapacity"');
const asking = Buffer.from('{"ReturnConsumedCapacity":"TOTAL",');
const answering = Buffer.from('"ConsumedCapacity":');
/** An attribute of an item with this name would have a type letter in the braces. */
const consumed = /^"ConsumedCapacity":(?:\[\]|\[?\{"(?:TableName|CapacityUnits)"[^\]}]*\}(?:,\{[^}]*\})*\]?)/;

/** Requests the consumed capacity from DynamoDB, and removes it from the answer. */
const countUnits = async (
  call: Call,
  next: (call: Call) => Promise<Answer>,
  counts: FunctionCounts,
): Promise<Answer> => {
  const isRead = reads.has(call.action);
  if (!isRead && !writes.has(call.action)) return next(call);
  const isAsked = call.body.includes(question);
  // Bytes are inserted and removed: parsing and serializing the JSON would cost more than the rest of the proxy.
  const answer = await next(isAsked ? call : withBody(call, Buffer.concat([asking, call.body.subarray(1)])));
  if (answer.status !== 200) {
    counts.writeUnits += unitsOfFailure(call, answer);
    return answer;
  }
  const at = answer.body.lastIndexOf(answering);
  const tail = at === -1 ? '' : answer.body.subarray(at).toString();
  const [found = ''] = consumed.exec(tail) ?? [];
  for (const [, units] of found.matchAll(/"CapacityUnits":([\d.]+)/g))
    if (isRead) counts.readUnits += Number(units);
    else counts.writeUnits += Number(units);
  if (isAsked || found === '') return answer;
  // The checksum belongs to the original answer.
  const { 'x-amz-crc32': _checksum, ...headers } = answer.headers;
  const isAfterAnother = answer.body[at - 1] === comma;
  const rest = tail.slice(found.length).replace(isAfterAnother ? /^$/ : /^,/, '');
  const body = Buffer.concat([answer.body.subarray(0, isAfterAnother ? at - 1 : at), Buffer.from(rest)]);
  return { status: 200, headers, body };
};

const comma = 0x2c;

const failure = v.object({ __type: v.string(), Item: v.optional(v.unknown()) });

/**
 * A write whose condition fails is billed by the size of the existing item, two units per item of a transaction.
 * No answer reports it, so the smallest size is counted.
 */
const unitsOfFailure = (call: Call, answer: Answer): number => {
  if (answer.status !== 400) return 0;
  const { __type, Item } = v.parse(failure, JSON.parse(answer.body.toString()));
  if (__type.endsWith('#ConditionalCheckFailedException'))
    return Math.max(1, Math.ceil(JSON.stringify(Item ?? '').length / kib));
  if (__type.endsWith('#TransactionCanceledException')) return 2 * transactionOf(call).length;
  return 0;
};
