/**
 * Compares the CPU time of the deliver handler with a bare undici loop that computes the same signatures and posts to the same receiver.
 *
 * The handler is the deployed function, with parsed messages, payloads, records, findings, log lines, metrics and statistics. Its log is written to
 * a pipe of another process. A copy without log lines, metrics and statistics runs in the same rounds and shows what they add. Only the AWS
 * ports are stubbed: the table answers at once, the queue accepts everything, and there is no CloudWatch.
 *
 * A message holds ten deliveries of an event, as fan-out sends them. Both ends of the batch size are measured: one message, and a full batch of the
 * normal lane, either of many events for ten webhooks each or of one event for many webhooks. The bare loop posts the same body, with as many
 * requests at a time as the batch has deliveries, over ten connections like the handler. Only the CPU time of this process counts.
 *
 * The gate is the median of the pairs with full batches: per CPU second, the deployed handler posts at least 80 % as many requests as the bare loop.
 */
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { startBareLoop } from './bare-loop.ts';
import { bareBatch, deliverBatch, fullBatch, ofMessage } from './batches.ts';
import { type Act, compare, inMicros, inPercent } from './cpu.ts';
import { startLogSink } from './log-sink.ts';
import { type Events, importDeliver, importQuietDeliver, makeDeliveries } from './stubbed-aws.ts';

const gate = 0.8;

const measure = async (pairs: number, requests: number): Promise<void> => {
  const { origin, post, close } = await startBareLoop(ofMessage);
  const nextBatch = await makeDeliveries(origin);
  const copies = { quiet: await importQuietDeliver(), deployed: await importDeliver() };
  const { written } = await import('./stubbed-table.ts');

  /** Compares with batches of `messages` messages, prints a table, and returns the deployed handler's share. */
  const compareBatches = async (messages: number, kind: Events): Promise<number> => {
    const size = messages * ofMessage;
    let events: object[] = [];
    const actOf = (copy: typeof copies.deployed): Act => deliverBatch(copy, () => events.pop() ?? {}, size);
    const sink = startLogSink();
    events = [nextBatch(messages, kind)];
    await actOf(copies.quiet)();
    if (sink.written.calls > 0) throw new Error('The copy without log lines writes log lines.');
    const before = written.items;
    const { bareMicros, micros, share, added } = await compare({
      pairs,
      requests,
      // Creating the events is not counted: on AWS Lambda's poller does it.
      prepare: (count) => {
        events = Array.from({ length: count }, () => nextBatch(messages, kind));
      },
      bare: bareBatch(post, size),
      acts: { quiet: actOf(copies.quiet), deployed: actOf(copies.deployed) },
    });
    sink.close();
    const recorded = written.items - before;
    const deliveries = 2 * pairs * requests;
    if (recorded < 2 * deliveries) throw new Error(`Only ${recorded} deliveries were recorded.`);
    if (sink.written.calls < deliveries / size)
      throw new Error(`The log was written only ${sink.written.calls} times.`);

    const rowOf = (name: string, ofCpu: number, ofBare: number): string =>
      `| ${name} | ${inMicros(ofCpu)} | ${inPercent(ofBare)} |`;
    const difference = added('deployed', 'quiet');
    console.log(
      `| ${size} deliveries of ${kind === 'few' && messages > 1 ? `${messages} events` : 'one event'} a batch | CPU a delivery | requests per CPU second, bare undici = 100 % |`,
    );
    console.log('|---|---:|---:|');
    console.log(rowOf('bare undici with the same signatures', bareMicros, 1));
    console.log(rowOf('the handler without log lines, metrics and statistics', micros('quiet'), share('quiet')));
    console.log(rowOf('the handler as deployed', micros('deployed'), share('deployed')));
    console.log(rowOf('what they add', difference.micros, difference.share));
    console.log(`\n${(sink.written.bytes / (recorded / 2)).toFixed(0)} bytes of log a delivery.\n`);
    return share('deployed');
  };

  try {
    await compareBatches(1, 'few');
    const share = Math.min(await compareBatches(fullBatch, 'few'), await compareBatches(fullBatch, 'many'));
    console.log(`Median of ${pairs} pairs; gate for the handler as deployed, in full batches: ${inPercent(gate)}.`);
    if (share < gate) process.exitCode = 1;
  } finally {
    await close();
  }
};

await run(
  command('npm --prefix lab run bench:deliver --')
    .description(
      'Measures requests per CPU second of the deliver handler, with AWS stubbed, against a bare undici loop with the same signatures. Fails below 80 %.',
    )
    .argument('[pairs]', 'Pairs of rounds; the result is their median.', wholeNumber('<pairs>'), 21)
    .argument('[requests]', 'Requests of a round.', wholeNumber('<requests>'), 5000)
    .action(measure),
);
process.exit();
