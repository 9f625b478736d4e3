/**
 * How much CPU the deliver handler takes beside a bare undici loop that computes the same signatures, posting to the same receiver.
 *
 * The handler is the deployed function, with messages parsed, payloads built, ends recorded and lessons learned; only its AWS ports
 * are stubbed: the table gives what it is asked for at once, the queue takes everything, CloudWatch is silent. Both post the same
 * body ten at a time, in interleaved rounds; counted is the CPU of this process, not the receiver's. The gate is the median over the pairs:
 * the handler posts at least 70 % as many requests per CPU second.
 *
 *   npm run bench:deliver -- [pairs] [requests a round]
 */
import { fork } from 'node:child_process';
import type { SQSEvent } from 'aws-lambda';
import { Pool } from 'undici';
import { signatures } from '../../shared/deliveries/signature.ts';
import { cpuPerRequest, median } from './cpu.ts';
import { makeDeliveries, payload, secret } from './stubbed-aws.ts';

const pairs = Number(process.argv[2] ?? 21);
const requests = Number(process.argv[3] ?? 5000);
const atATime = 10;
const gate = 0.7;

const receiver = fork(new URL('receiver.ts', import.meta.url), { stdio: 'inherit' });
const port = await new Promise<number>((resolve) => receiver.once('message', (message) => resolve(Number(message))));
const origin = `http://127.0.0.1:${port}`;

const { handler } = await import('../../functions/deliveries/deliver.ts');
const nextBatch = await makeDeliveries(origin, atATime);
// Lambda's poller makes the events, not the function.
let events: object[] = [];
const prepare = (acts: number): void => {
  events = Array.from({ length: acts }, nextBatch);
};
const deliver = async (): Promise<number> => {
  const { batchItemFailures } = await handler(events.pop() as SQSEvent, { awsRequestId: 'bench' });
  if (batchItemFailures.length > 0) throw new Error('A delivery failed.');
  return atATime;
};

const body = JSON.stringify({ event: 'post.published', ...payload });
const pool = new Pool(origin, { connections: atATime, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const post = (number: number): Promise<number> =>
  new Promise((resolve, reject) => {
    let status = 0;
    const headers = {
      'Content-Type': 'application/json',
      'Content-Version': 'v6.0',
      'User-Agent': 'Masthead',
      ...signatures({ id: `65f0c0ffee00000000000${number % 1000}`, body, now: Date.now(), secrets: [secret] }),
    };
    pool.dispatch(
      { path: '/hook', method: 'POST', headers, body },
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
let number = 0;
const bare = async (): Promise<number> => {
  const statuses = await Promise.all(Array.from({ length: atATime }, () => post(number++)));
  if (statuses.some((status) => status !== 200)) throw new Error('not 200');
  return atATime;
};

const round = (act: () => Promise<number>) => cpuPerRequest(act, requests, prepare);
// Both are compiled by then.
for (let warmUp = 0; warmUp < 6; warmUp++) {
  await round(bare);
  await round(deliver);
}
const results: { bare: number; deliver: number }[] = [];
for (let pair = 0; pair < pairs; pair++) {
  // The order changes, so that neither always profits from the other's garbage.
  if (pair % 2 === 0) {
    const first = await round(bare);
    results.push({ bare: first, deliver: await round(deliver) });
  } else {
    const first = await round(deliver);
    results.push({ bare: await round(bare), deliver: first });
  }
}
const ratio = median(results.map((result) => result.bare / result.deliver));
console.log(
  `bare undici ${median(results.map((result) => result.bare)).toFixed(1)} µs, deliver ${median(results.map((result) => result.deliver)).toFixed(1)} µs of CPU a request`,
);
console.log(
  `deliver posts ${(ratio * 100).toFixed(0)} % as many requests per CPU second (median of ${pairs} pairs, gate ${gate * 100} %)`,
);
const { written } = await import('./stubbed-table.ts');
if (written.items < pairs * requests) throw new Error(`Only ${written.items} deliveries were recorded.`);
await pool.close();
receiver.disconnect();
process.exit(ratio < gate ? 1 : 0);
