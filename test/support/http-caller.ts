/** Sends requests to the API of a running stack. */
import { Agent, request } from 'undici';
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
  const agent = new Agent({ connections: 64 });
  return {
    async call(method, path, { key, body } = {}) {
      const response = await request(`${baseUrl}${path}`, {
        method,
        dispatcher: agent,
        headers: {
          ...(key !== undefined && { Authorization: `Ghost ${adminToken(key)}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.body.text();
      return { status: response.statusCode, headers: response.headers, text, body: parsed(text) };
    },
    close: () => agent.destroy(),
  };
};
