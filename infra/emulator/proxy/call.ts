/** An AWS call of a function on its way through the proxy, and the type of the steps that handle it. */
import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';

export interface Call {
  /** The access key id that signs the request: the name of the calling function. */
  readonly caller: string;
  /** The session token, which identifies the environment; undefined if absent. */
  readonly environment: string | undefined;
  readonly service: 'dynamodb' | 'sqs' | 'ses';
  /** Such as `GetItem`, `SendMessageBatch`, `SendRawEmail`. */
  readonly action: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body, parsed on first access: JSON, or the fields of a form. */
  readonly input: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One step of the proxy: passes the call on with `next`, changed or unchanged, or answers it. */
export type Step = (call: Call, next: (call: Call) => Promise<Answer>) => Promise<Answer>;

/** Thrown by a step that does not answer: the connection is reset, or the caller's timeout passes. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly kind: 'reset' | 'silence';

  constructor(kind: 'reset' | 'silence') {
    super(`the proxy does not answer (${kind})`);
    this.kind = kind;
  }
}

/** Reads caller, service and action of a request; undefined if it was not sent by an AWS SDK. */
export const readCall = (headers: IncomingHttpHeaders, body: Buffer): Call | undefined => {
  // Credential=<access key id>/<date>/<region>/<service>/aws4_request
  const [, caller, service] =
    /Credential=([^/]+)\/\d+\/[^/]+\/(\w+)\/aws4_request/.exec(headers.authorization ?? '') ?? [];
  if (caller === undefined) return undefined;
  const target = headers['x-amz-target'];
  switch (service) {
    case 'dynamodb':
    case 'sqs':
      return typeof target === 'string'
        ? makeCall({ caller, service, action: target.split('.')[1] ?? '', headers, body }, () =>
            JSON.parse(body.toString()),
          )
        : undefined;
    case 'ses':
    case 'email': {
      const form = Object.fromEntries(new URLSearchParams(body.toString()));
      return makeCall({ caller, service: 'ses', action: form.Action ?? '', headers, body }, () => form);
    }
    default:
      return undefined;
  }
};

const makeCall = (call: Omit<Call, 'environment' | 'input'>, parse: () => unknown): Call => {
  const token = call.headers['x-amz-security-token'];
  let parsed: { readonly input: unknown } | undefined;
  return {
    ...call,
    environment: typeof token === 'string' ? token : undefined,
    get input() {
      parsed ??= { input: parse() };
      return parsed.input;
    },
  };
};

/** Returns the call with another body. */
export const withBody = ({ caller, service, action, headers }: Call, body: Buffer): Call =>
  makeCall({ caller, service, action, headers, body }, () => JSON.parse(body.toString()));

const transaction = v.object({ TransactItems: v.array(v.unknown()) });

/** Returns the items of a transaction. */
export const transactionOf = (call: Call): readonly unknown[] => v.parse(transaction, call.input).TransactItems;

/** Returns an error in AWS's JSON protocol (DynamoDB and SQS); `more` are additional members. */
export const jsonError = (status: number, type: string, message: string, more: object = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify({ __type: type, message, ...more })),
});

/** Returns an error in AWS's query protocol (SES). */
export const xmlError = (status: number, code: string, message: string): Answer => {
  const text = message.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
  const fault = status < 500 ? 'Sender' : 'Receiver';
  return {
    status,
    headers: { 'content-type': 'text/xml' },
    body: Buffer.from(
      '<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error>' +
        `<Type>${fault}</Type><Code>${code}</Code><Message>${text}</Message>` +
        '</Error><RequestId>local</RequestId></ErrorResponse>',
    ),
  };
};

/** Returns the error for an unknown access key or session token. */
export const unknownCaller = (call: Call): Answer => {
  const message = 'The security token included in the request is invalid.';
  if (call.service === 'ses') return xmlError(403, 'InvalidClientTokenId', message);
  return jsonError(400, 'com.amazon.coral.service#UnrecognizedClientException', message);
};
