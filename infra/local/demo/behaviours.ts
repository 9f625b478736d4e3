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

/** By name, with the text on its button, and the first part of the paths that are always answered so. */
export const behaviours = {
  ok: { text: '200', path: undefined, answer: received },
  slow: {
    text: '200 after 3 s',
    path: 'slow',
    answer: async (response: ServerResponse): Promise<void> => {
      await wait(slowMs);
      received(response);
    },
  },
  unauthorized: { text: '401', path: '401', answer: json(401, { error: 'The demo receiver knows another secret.' }) },
  error: { text: '500', path: '500', answer: json(500, { error: 'The demo receiver is set to fail.' }) },
  hang: { text: 'no answer', path: 'hang', answer: () => {} },
  gone: { text: '410: disable the webhook', path: '410', answer: json(410, { error: 'The demo receiver is gone.' }) },
  busy: {
    text: '429: retry after 10 s',
    path: '429',
    answer: json(429, { error: 'Too many.' }, { 'Retry-After': '10' }),
  },
} as const;

export type Behaviour = keyof typeof behaviours;

/** Returns how a path is always answered, such as `/401` or `/401/shop`; undefined if the page decides. */
export const behaviourOf = (path: string): Behaviour | undefined => {
  const [, first = ''] = path.split(/[/?]/);
  const [name] = Object.entries(behaviours).find(([, { path: own }]) => own === first) ?? [];
  return name !== undefined && isBehaviour(name) ? name : undefined;
};

export const isBehaviour = (name: string): name is Behaviour => Object.hasOwn(behaviours, name);
