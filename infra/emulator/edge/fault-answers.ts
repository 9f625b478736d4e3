/** The error responses of AWS, by service. */
import * as v from 'valibot';
import { type Answer, type Call, jsonError, withBody, xmlError } from './call.ts';

/** Returns the throttling error. */
export const throttled = (call: Call): Answer => {
  switch (call.service) {
    case 'dynamodb':
      return jsonError(
        400,
        'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
      );
    case 'sqs':
      return jsonError(403, 'com.amazonaws.sqs#RequestThrottled', 'Request is throttled.');
    case 'ses':
      return xmlError(400, 'Throttling', 'Maximum sending rate exceeded.');
  }
};

/** Returns an internal error of AWS. */
export const serverError = (call: Call, status: 500 | 503): Answer => {
  const [code, message] =
    status === 500
      ? ['InternalServerError', 'The request processing has failed because of an unknown error, exception or failure.']
      : ['ServiceUnavailable', 'The request has failed due to a temporary failure of the server.'];
  return call.service === 'ses'
    ? xmlError(status, code, message)
    : jsonError(status, `com.amazonaws.${call.service}#${code}`, message);
};

const transaction = v.object({ TransactItems: v.array(v.unknown()) });

/** Returns a cancelled transaction that conflicts with another one on its first item. */
export const conflict = (call: Call): Answer => {
  const items = v.parse(transaction, call.input).TransactItems;
  const reasons = items.map((_item, index) =>
    index === 0 ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } : { Code: 'None' },
  );
  return jsonError(
    400,
    'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );
};

const entry = v.looseObject({ Id: v.string() });
const sendBatch = v.looseObject({ Entries: v.array(entry) });
const sent = v.looseObject({ Failed: v.optional(v.array(v.unknown()), []) });
const wanted = v.looseObject({ Keys: v.array(v.unknown()) });
const batchGet = v.looseObject({ RequestItems: v.record(v.string(), wanted) });
const batchWrite = v.looseObject({ RequestItems: v.record(v.string(), v.array(v.unknown())) });
const answered = v.looseObject({});

/** Returns whether a part of a call can fail. */
export const fitsPartial = ({ action }: Call): boolean =>
  action === 'SendMessageBatch' || action === 'BatchGetItem' || action === 'BatchWriteItem';

/** Carries out a random part of a batch, less than the whole, and reports the rest as AWS does. */
export const answerPartly = async (
  call: Call,
  next: (call: Call) => Promise<Answer>,
  random: () => number,
): Promise<Answer> => {
  switch (call.action) {
    case 'SendMessageBatch': {
      const input = v.parse(sendBatch, call.input);
      const { done, left } = split(input.Entries, random);
      const failed = left.map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError', Message: 'Try again.' }));
      if (done.length === 0) return json({ Successful: [], Failed: failed });
      const answer = await next(withJson(call, { ...input, Entries: done }));
      if (answer.status !== 200) return answer;
      const output = v.parse(sent, JSON.parse(answer.body.toString()));
      return json({ ...output, Failed: [...output.Failed, ...failed] });
    }
    case 'BatchGetItem': {
      const input = v.parse(batchGet, call.input);
      const tables = Object.entries(input.RequestItems).map(([table, request]) => ({
        table,
        request,
        ...split(request.Keys, random),
      }));
      const answer = await carryOut(
        call,
        next,
        input,
        tables.map(({ table, request, done }) => [table, done, { ...request, Keys: done }]),
        { Responses: {} },
      );
      return withLeft(
        answer,
        'UnprocessedKeys',
        tables.map(({ table, request, left }) => [table, { ...request, Keys: left }]),
      );
    }
    case 'BatchWriteItem': {
      const input = v.parse(batchWrite, call.input);
      const tables = Object.entries(input.RequestItems).map(([table, items]) => ({ table, ...split(items, random) }));
      const answer = await carryOut(
        call,
        next,
        input,
        tables.map(({ table, done }) => [table, done, done]),
        {},
      );
      return withLeft(
        answer,
        'UnprocessedItems',
        tables.map(({ table, left }) => [table, left]),
      );
    }
    default:
      return next(call);
  }
};

type Request = readonly [table: string, done: readonly unknown[], request: unknown];

const carryOut = async (
  call: Call,
  next: (call: Call) => Promise<Answer>,
  input: object,
  requests: readonly Request[],
  nothing: object,
): Promise<Answer> => {
  const some = requests.filter(([, done]) => done.length > 0).map(([table, , request]) => [table, request]);
  return some.length === 0 ? json(nothing) : next(withJson(call, { ...input, RequestItems: Object.fromEntries(some) }));
};

const withLeft = (answer: Answer, name: string, left: readonly (readonly [string, unknown])[]): Answer => {
  if (answer.status !== 200) return answer;
  return json({ ...v.parse(answered, JSON.parse(answer.body.toString())), [name]: Object.fromEntries(left) });
};

/** At least one is left. */
const split = <T>(
  all: readonly T[],
  random: () => number,
): { readonly done: readonly T[]; readonly left: readonly T[] } => {
  const first = Math.floor(random() * all.length);
  const isLeft = all.map((_item, index) => random() < 0.5 || index === first);
  return { done: all.filter((_item, index) => !isLeft[index]), left: all.filter((_item, index) => isLeft[index]) };
};

const withJson = (call: Call, input: object): Call => withBody(call, Buffer.from(JSON.stringify(input)));

/** The SDK checks `x-amz-crc32` of DynamoDB's answers if present; a changed answer omits it. */
const json = (output: object): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify(output)),
});
