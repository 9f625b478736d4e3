/** How the demo's receiver can answer, so that failure and recovery can be tried in a minute. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Shorter than a receiver's ten seconds, but long enough to count as slow. */
const slowMs = 3000;

const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) => {
  return (response: ServerResponse): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
};

const received = json(200, { received: true });

/** By name, with the text on its button. */
export const behaviours = {
  ok: { text: '200', answer: received },
  slow: {
    text: '200 after 3 s',
    answer: async (response: ServerResponse): Promise<void> => {
      await wait(slowMs);
      received(response);
    },
  },
  error: { text: '500', answer: json(500, { error: 'The demo receiver is set to fail.' }) },
  hang: { text: 'no answer', answer: () => {} },
  gone: { text: '410: disable the webhook', answer: json(410, { error: 'The demo receiver is gone.' }) },
  busy: { text: '429: retry after 10 s', answer: json(429, { error: 'Too many.' }, { 'Retry-After': '10' }) },
} as const;

export type Behaviour = keyof typeof behaviours;

export const isBehaviour = (name: string): name is Behaviour => Object.hasOwn(behaviours, name);
