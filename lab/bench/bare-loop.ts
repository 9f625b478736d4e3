/** The reference for the CPU time of deliveries: plain undici with the same headers, signatures and body, posting to a receiver in a separate process. */
import { fork } from 'node:child_process';
import { Pool } from 'undici';
import { signatures } from '../../shared/deliveries/sender/signature.ts';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const payload = { post: { current: { title: 'x'.repeat(900) }, previous: {} } };
export const body = JSON.stringify({ event: 'post.published', ...payload });

/** Returns the headers of the n-th delivery. */
export const headersOf = (n: number): Record<string, string> => ({
  'Content-Type': 'application/json',
  'Content-Version': 'v6.0',
  'User-Agent': 'Masthead',
  'Masthead-Event-Id': `e${n}`,
  'Masthead-Event-Time': '2026-11-21T09:00:00.000Z',
  'Masthead-Attempt': '1',
  'Masthead-Trigger': 'event',
  ...signatures({ id: `65f0c0ffee00000000000${n % 1000}`, body, now: Date.now(), secrets: [secret] }),
});

interface BareLoop {
  /** The origin of the receiver, whose only path is `/hook`. */
  readonly origin: string;
  /** Posts the n-th delivery. @throws Error if the response is not a 200 */
  readonly post: (n: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts the receiver, and one connection for each concurrent request. */
export const startBareLoop = async (atATime: number): Promise<BareLoop> => {
  const receiver = fork(new URL('receiver.ts', import.meta.url), { stdio: 'inherit' });
  const port = await new Promise<number>((resolve) => receiver.once('message', (message) => resolve(Number(message))));
  const origin = `http://127.0.0.1:${port}`;
  const pool = new Pool(origin, { connections: atATime, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  return {
    origin,
    post: (n) =>
      new Promise((resolve, reject) => {
        let status = 0;
        pool.dispatch(
          { path: '/hook', method: 'POST', headers: headersOf(n), body },
          {
            onRequestStart() {},
            onResponseStart(_controller, code) {
              status = code;
            },
            onResponseData() {},
            onResponseEnd() {
              if (status === 200) resolve();
              else reject(new Error(`The receiver returned ${status}.`));
            },
            onResponseError(_controller, error) {
              reject(error);
            },
          },
        );
      }),
    async close() {
      await pool.close();
      receiver.disconnect();
    },
  };
};
