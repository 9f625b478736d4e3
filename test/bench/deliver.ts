/**
 * Compares the CPU of the deliver handler with a bare undici loop that computes the same signatures, to the same receiver.
 *
 * The handler is the deployed function, with parsed messages, payloads, records and findings, with its log lines, metrics and statistics; the lines
 * are written to the pipe of another process. Beside it runs a copy without log lines, metrics and statistics, so that what they add is measured in the same
 * run. Only its AWS ports are stubbed: the table answers at once, the queue accepts everything, there is no CloudWatch. All post
 * the same body, ten at a time, in interleaved rounds. Only the CPU of this process counts. The gate is the median of the pairs: the
 * deployed handler posts at least 80 % as many requests per CPU second as the bare loop.
 *
 *   npm run bench:deliver -- [pairs] [requests a round]
 */
import type { SQSEvent } from 'aws-lambda';
import { startBareLoop } from './bare-loop.ts';
import { type Act, compare, inMicros, inPercent } from './cpu.ts';
import { startLogSink } from './log-sink.ts';
import { importDeliver, importQuietDeliver, makeDeliveries } from './stubbed-aws.ts';

const pairs = Number(process.argv[2] ?? 21);
const requests = Number(process.argv[3] ?? 5000);
const atATime = 10;
const gate = 0.8;

const { origin, post, close } = await startBareLoop(atATime);
const nextBatch = await makeDeliveries(origin, atATime);
let events: object[] = [];
let number = 0;

const actOf =
  ({ handler }: Awaited<ReturnType<typeof importDeliver>>): Act =>
  async () => {
    const { batchItemFailures } = await handler(events.pop() as SQSEvent, {
      awsRequestId: 'bench',
      getRemainingTimeInMillis: () => 30_000,
    });
    if (batchItemFailures.length > 0) throw new Error('A delivery failed.');
    return atATime;
  };
const acts = { quiet: actOf(await importQuietDeliver()), deployed: actOf(await importDeliver()) };

const sink = startLogSink();
const { bareMicros, micros, share, added } = await compare({
  pairs,
  requests,
  // The events are made by Lambda's poller, not by the function.
  prepare: (count) => {
    events = Array.from({ length: count }, nextBatch);
  },
  bare: async () => {
    await Promise.all(Array.from({ length: atATime }, () => post(number++)));
    return atATime;
  },
  acts,
});
sink.close();
const { written } = await import('./stubbed-table.ts');
const deliveries = 2 * pairs * requests;
if (written.items < 2 * deliveries) throw new Error(`Only ${written.items} deliveries were recorded.`);
if (sink.written.calls < deliveries / atATime) throw new Error(`The log was written only ${sink.written.calls} times.`);

const rowOf = (name: string, ofCpu: number, ofBare: number): string =>
  `| ${name} | ${inMicros(ofCpu)} | ${inPercent(ofBare)} |`;
const difference = added('deployed', 'quiet');
console.log('| | CPU a delivery | requests per CPU second, bare undici = 100 % |\n|---|---:|---:|');
console.log(rowOf('bare undici, signing alike', bareMicros, 1));
console.log(rowOf('the handler without log lines, metrics and statistics', micros('quiet'), share('quiet')));
console.log(rowOf('the handler as deployed', micros('deployed'), share('deployed')));
console.log(rowOf('what they add', difference.micros, difference.share));
const bytesADelivery = sink.written.bytes / (written.items / 2);
console.log(
  `\nMedian of ${pairs} pairs, batches of ten, ${bytesADelivery.toFixed(0)} bytes of log a delivery; gate for the handler as deployed: ${inPercent(gate)}.`,
);
await close();
process.exit(share('deployed') >= gate ? 0 : 1);
