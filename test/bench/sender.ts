/**
 * How much CPU the sender takes beside a bare undici loop that computes the same signatures, posting to the same receiver.
 *
 * Both post the same body, ten at a time, in interleaved rounds; counted is the CPU of this process (`process.cpuUsage`), not the
 * receiver's. The gate is the median over the pairs: `send` posts at least 80 % as many requests per CPU second.
 *
 *   node test/bench/sender.ts [pairs] [requests a round]
 */
import { fork } from 'node:child_process';
import { Pool } from 'undici';
import { createSender } from '../../shared/deliveries/send.ts';
import { signatures } from '../../shared/deliveries/signature.ts';

const pairs = Number(process.argv[2] ?? 21);
const requests = Number(process.argv[3] ?? 5000);
const atATime = 10;
const gate = 0.8;

const body = JSON.stringify({ event: 'post.published', post: { current: { title: 'x'.repeat(900) }, previous: {} } });
const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];

const receiver = fork(new URL('receiver.ts', import.meta.url), { stdio: 'inherit' });
const port = await new Promise<number>((resolve) => receiver.once('message', (message) => resolve(Number(message))));
const origin = `http://127.0.0.1:${port}`;

const headersOf = (n: number): Record<string, string> => ({
  'Content-Type': 'application/json',
  'Content-Version': 'v6.0',
  'User-Agent': 'Masthead',
  ...signatures({ id: `65f0c0ffee00000000000${n % 1000}`, body, now: Date.now(), secrets }),
});

const pool = new Pool(origin, { connections: atATime, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const bare = (n: number) =>
  new Promise<number>((resolve, reject) => {
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
          resolve(status);
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });

const sender = createSender({
  connectTimeoutMs: 3000,
  allowHttp: true,
  allowRanges: ['loopback'],
  concurrencyPerReceiver: atATime,
});
const send = async (n: number) => {
  const result = await sender.send({ url: `${origin}/hook`, headers: headersOf(n), body, timeoutMs: 10_000 });
  if (result.outcome !== 'answered') throw new Error(result.message);
  return result.status;
};

/** CPU of this process in µs a request, over one round. */
async function round(post: (n: number) => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  let next = 0;
  const lane = async () => {
    while (next < requests) {
      next += 1;
      if ((await post(next)) !== 200) throw new Error('not 200');
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

await round(bare);
await round(send);
const results: { bare: number; send: number }[] = [];
for (let pair = 0; pair < pairs; pair += 1) {
  // The order changes, so that neither always profits from the other's garbage.
  if (pair % 2 === 0) {
    const first = await round(bare);
    results.push({ bare: first, send: await round(send) });
  } else {
    const first = await round(send);
    results.push({ bare: await round(bare), send: first });
  }
}
const ratio = median(results.map((result) => result.bare / result.send));
console.log(
  `bare undici ${median(results.map((result) => result.bare)).toFixed(1)} µs, send ${median(results.map((result) => result.send)).toFixed(1)} µs of CPU a request`,
);
console.log(
  `send posts ${(ratio * 100).toFixed(0)} % as many requests per CPU second (median of ${pairs} pairs, gate ${gate * 100} %)`,
);

await sender.close();
await pool.close();
receiver.disconnect();
if (ratio < gate) process.exitCode = 1;
