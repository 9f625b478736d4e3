/**
 * Compares the CPU of the deliver handler with a bare undici loop that computes the same signatures, to the same receiver.
 *
 * The handler is the deployed function, with parsed messages, payloads, records and findings; only its AWS ports
 * are stubbed: the table answers at once, the queue accepts everything, there is no CloudWatch. Both post the same
 * body, ten at a time, in interleaved rounds. Only the CPU of this process counts. The gate is the median of the pairs:
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
  // The events are made by Lambda's poller, not by the function.
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
