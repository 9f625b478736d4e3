/** Passes calls on to the embedded parts. */
import { Agent, request } from 'node:http';
import * as v from 'valibot';
import type { QueuePart } from '../parts/fauxqs.ts';
import { type Answer, type Call, jsonError } from './call.ts';

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect']);

/** Passes a call on over HTTP; `close` ends the connections. */
export const forwardTo = (url: string): { forward(call: Call): Promise<Answer>; close(): Promise<void> } => {
  const path = new URL(url).pathname.replace(/\/?$/, '/');
  const agent = new Agent({ keepAlive: true, timeout: 4000, maxSockets: 32 });
  return {
    forward: ({ headers, body }) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        request(new URL(path, url), { method: 'POST', agent, headers: kept(headers) }, (response) => {
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 502,
              headers: kept(response.headers),
              body: Buffer.concat(chunks),
            }),
          );
          response.on('error', reject);
        })
          .on('error', reject)
          .end(body);
      }),
    async close() {
      agent.destroy();
    },
  };
};

/** Passes a call on to the queues, which are in this process, without a socket. */
export const forwardToQueues =
  (part: QueuePart): ((call: Call) => Promise<Answer>) =>
  async (call) => {
    const refused = tooLate(call);
    if (refused !== undefined) return refused;
    const answered = part.answer(call.action, call.input);
    if (answered !== undefined) return { ...answered, body: Buffer.from(answered.body) };
    const app = await part.app();
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: { ...call.headers },
      payload: call.body,
    });
    return { status: response.statusCode, headers: kept(response.headers), body: response.rawPayload };
  };

const delayed = v.object({ DelaySeconds: v.optional(v.number()) });
const delays = v.object({ ...delayed.entries, Entries: v.optional(v.array(delayed), []) });

/** fauxqs accepts any delay; SQS accepts at most 15 minutes. */
const tooLate = (call: Call): Answer | undefined => {
  if (!call.action.startsWith('SendMessage')) return undefined;
  const { DelaySeconds, Entries } = v.parse(delays, call.input);
  const longest = Math.max(DelaySeconds ?? 0, ...Entries.map((entry) => entry.DelaySeconds ?? 0));
  if (longest <= 900) return undefined;
  const text = `Value ${longest} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.`;
  return jsonError(400, 'com.amazonaws.sqs#InvalidParameterValue', text);
};

/** Another DynamoDB (`DYNAMODB_ENDPOINT`) may keep a table per access key id: all calls get that of `provision.ts`. */
const withPartsKey = (authorization: string): string => authorization.replace(/Credential=[^/]+/, 'Credential=local');

const kept = (headers: Readonly<Record<string, unknown>>): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const name in headers)
    if (!hopByHop.has(name) && headers[name] !== undefined) found[name] = String(headers[name]);
  if (found.authorization !== undefined) found.authorization = withPartsKey(found.authorization);
  return found;
};
