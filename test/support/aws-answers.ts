/** An AWS endpoint that answers as recorded, in the form of AWS's API reference, and refuses all other calls. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Listening, listen } from '../../infra/emulator/loopback.ts';

/** A recorded answer, or what makes one of a call's input (form fields or a JSON body) and this endpoint's origin. */
export type Recorded = Answer | ((input: Readonly<Record<string, unknown>>, origin: string) => Answer);

interface Answer {
  /** Default: 200. */
  readonly status?: number;
  /** XML as text, JSON as an object. */
  readonly body: string | object;
}

export interface AwsAnswers extends Listening {
  /** What was called, such as `sts:GetCallerIdentity` or `ses:GET /v2/email/account`. */
  readonly calls: string[];
}

/** Starts the endpoint; `answers` is read at each call, by service (as it signs) and action. */
export const startAwsAnswers = async (answers: () => Readonly<Record<string, Recorded>>): Promise<AwsAnswers> => {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const [, service = ''] =
      /Credential=[^/]+\/\d+\/[^/]+\/([\w-]+)\/aws4_request/.exec(request.headers.authorization ?? '') ?? [];
    const target = request.headers['x-amz-target'];
    const form = new URLSearchParams(body);
    const path = (request.url ?? '').replace(/\/?(\?.*)?$/, '');
    const action =
      typeof target === 'string' ? target.split('.')[1] : (form.get('Action') ?? `${request.method} ${path}`);
    const call = `${service}:${action}`;
    calls.push(call);
    const input = body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(form);
    const recorded = answers()[call] ?? denied(call, body.startsWith('Action=') || form.has('Action'));
    const answer = typeof recorded === 'function' ? recorded(input, `http://${request.headers.host}`) : recorded;
    const isXml = typeof answer.body === 'string';
    response.writeHead(answer.status ?? 200, { 'content-type': isXml ? 'text/xml' : 'application/json' });
    response.end(isXml ? answer.body : JSON.stringify(answer.body));
  });
  return { ...(await listen(server)), calls };
};

const denied = (call: string, isQuery: boolean): Answer =>
  refusal('AccessDenied', `User: arn:aws:iam::111111111111:user/ops is not authorized to perform: ${call}`, isQuery);

/** An error as AWS words it, in the query protocol or in JSON. */
export const refusal = (code: string, message: string, isQuery: boolean): Answer => ({
  status: 400,
  body: isQuery
    ? `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>` +
      '<RequestId>1</RequestId></ErrorResponse>'
    : { __type: code, code, message },
});

/** A result of the query protocol. */
export const xml = (action: string, result: string): Answer => ({
  body:
    `<${action}Response><${action}Result>${result}</${action}Result><ResponseMetadata>` +
    `<RequestId>1</RequestId></ResponseMetadata></${action}Response>`,
});
