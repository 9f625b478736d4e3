/** Sends requests to the API of a running stack. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { adminToken } from '../../infra/command-line/admin-token.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body if it is JSON, otherwise undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of a body
  readonly body: any;
}

/** Sends a request; `path` is below the base URL, the key signs a fresh token. */
export type Call = (
  method: string,
  path: string,
  options?: { readonly key?: string; readonly body?: unknown },
) => Promise<Answer>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns how to send requests below this base URL, and how to close the connections. */
export const callerOf = (baseUrl: string): { readonly call: Call; close(): Promise<void> } => {
  const agent = new Agent({ keepAlive: true, timeout: 4000, maxSockets: 64 });
  return {
    async call(method, path, { key, body } = {}) {
      const content = typeof body === 'string' ? body : JSON.stringify(body);
      const sent = request(`${baseUrl}${path}`, {
        method,
        agent,
        headers: {
          ...(key !== undefined && { Authorization: `Ghost ${adminToken(key)}` }),
          ...(body !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(content),
          }),
        },
      }).end(content);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const text = await readText(response);
      return { status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) };
    },
    async close() {
      agent.destroy();
    },
  };
};
