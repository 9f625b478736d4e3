/** The error responses of AWS, by service. */
import * as v from 'valibot';
import { type Answer, type Call, jsonError, transactionOf, withBody, xmlError } from './call.ts';

/** Returns the throttling error. */
export const throttled = (call: Call): Answer => {
  switch (call.service) {
    case 'dynamodb':
      return jsonError(
        400,
        'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded. ' +
          'Consider increasing your provisioning level with the UpdateTable API.',
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

const singleWrites = ['PutItem', 'UpdateItem', 'DeleteItem'];
const ongoing = 'Transaction is ongoing for the item';

/** Returns whether a call can conflict with a transaction: only writes can (AWS, "Transaction conflict handling"). */
export const fitsConflict = ({ action }: Call): boolean =>
  action === 'TransactWriteItems' || singleWrites.includes(action);

/** Returns the refusal of a conflicting write, or of a transaction whose first item conflicts. */
export const conflict = (call: Call): Answer => {
  if (singleWrites.includes(call.action))
    return jsonError(400, 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', ongoing);
  const reasons = transactionOf(call).map((_item, index) =>
    index === 0 ? { Code: 'TransactionConflict', Message: ongoing } : { Code: 'None' },
  );
  return jsonError(
    400,
    'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
      `[${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );
};

const entry = v.looseObject({ Id: v.string() });
const sendBatch = v.looseObject({ Entries: v.array(entry) });
const sent = v.looseObject({ Failed: v.optional(v.array(v.unknown()), []) });
const request = v.union([v.array(v.unknown()), v.looseObject({ Keys: v.array(v.unknown()) })]);
const batch = v.looseObject({ RequestItems: v.record(v.string(), request) });
const answered = v.looseObject({});

/** Returns whether a call can fail in part. */
export const fitsPartial = ({ action }: Call): boolean =>
  action === 'SendMessageBatch' || action === 'BatchGetItem' || action === 'BatchWriteItem';

/** Carries out a random part of a batch, never all of it, and reports the rest as AWS does. */
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
    case 'BatchGetItem':
    case 'BatchWriteItem': {
      const input = v.parse(batch, call.input);
      const tables = Object.entries(input.RequestItems).map(([table, all]) => ({
        table,
        all,
        ...split(Array.isArray(all) ? all : all.Keys, random),
      }));
      const some = tables.filter(({ done }) => done.length > 0);
      const [nothing, left] =
        call.action === 'BatchGetItem' ? [{ Responses: {} }, 'UnprocessedKeys'] : [{}, 'UnprocessedItems'];
      const answer =
        some.length === 0
          ? json(nothing)
          : await next(
              withJson(call, { ...input, RequestItems: requests(some.map(({ done, ...rest }) => [rest, done])) }),
            );
      if (answer.status !== 200) return answer;
      const output = v.parse(answered, JSON.parse(answer.body.toString()));
      return json({ ...output, [left]: requests(tables.map((table) => [table, table.left])) });
    }
    default:
      return next(call);
  }
};

interface TableRequest {
  readonly table: string;
  readonly all: v.InferOutput<typeof request>;
}

const requests = (parts: readonly (readonly [TableRequest, readonly unknown[]])[]): object =>
  Object.fromEntries(
    parts.map(([{ table, all }, part]) => [table, Array.isArray(all) ? part : { ...all, Keys: part }]),
  );

/** At least one item remains unprocessed. */
const split = <T>(
  all: readonly T[],
  random: () => number,
): { readonly done: readonly T[]; readonly left: readonly T[] } => {
  const first = Math.floor(random() * all.length);
  const isUnprocessed = all.map((_item, index) => random() < 0.5 || index === first);
  return {
    done: all.filter((_item, index) => !isUnprocessed[index]),
    left: all.filter((_item, index) => isUnprocessed[index]),
  };
};

const withJson = (call: Call, input: object): Call => withBody(call, Buffer.from(JSON.stringify(input)));

/** The SDK checks `x-amz-crc32` of DynamoDB's answers if present; a changed answer omits it. */
const json = (output: object): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify(output)),
});
