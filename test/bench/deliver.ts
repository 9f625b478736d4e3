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
import type { SQSEvent } from 'aws-lambda';
import { startBareLoop } from './bare-loop.ts';
import { compare } from './cpu.ts';
import { makeDeliveries } from './stubbed-aws.ts';

const pairs = Number(process.argv[2] ?? 21);
const requests = Number(process.argv[3] ?? 5000);
const atATime = 10;

const { origin, post, close } = await startBareLoop(atATime);
const { handler } = await import('../../functions/deliveries/deliver.ts');
const nextBatch = await makeDeliveries(origin, atATime);
let events: object[] = [];
let number = 0;

const isMet = await compare({
  name: 'deliver',
  pairs,
  requests,
  gate: 0.7,
  // Lambda's poller makes the events, not the function.
  prepare: (acts) => {
    events = Array.from({ length: acts }, nextBatch);
  },
  bare: async () => {
    await Promise.all(Array.from({ length: atATime }, () => post(number++)));
    return atATime;
  },
  act: async () => {
    const { batchItemFailures } = await handler(events.pop() as SQSEvent, {
      awsRequestId: 'bench',
      getRemainingTimeInMillis: () => 30_000,
    });
    if (batchItemFailures.length > 0) throw new Error('A delivery failed.');
    return atATime;
  },
});
const { written } = await import('./stubbed-table.ts');
if (written.items < pairs * requests) throw new Error(`Only ${written.items} deliveries were recorded.`);
await close();
process.exit(isMet ? 0 : 1);
