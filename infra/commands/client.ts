/** Calls the running stack's API as a client does. */

import { adminToken } from './admin-token.ts';
import type { StackFile } from './home.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** `path` is below the base URL; `key` signs a fresh token. */
export const call = async (
  stack: StackFile,
  method: string,
  path: string,
  key: string,
  body?: object,
): Promise<Answer> => {
  const response = await fetch(`${stack.baseUrl}${path}`, {
    method,
    headers: { Authorization: `Ghost ${adminToken(key)}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

/** @throws Error with the whole answer where it has not this status */
export const expectStatus = ({ status, body }: Answer, expected: number, doing: string): void => {
  if (status !== expected) throw new Error(`${doing} was answered with ${status}: ${JSON.stringify(body)}`);
};
