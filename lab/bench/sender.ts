/**
 * Compares the CPU time of the sender with a bare undici loop that computes the same signatures and posts to the same receiver.
 *
 * Both post the same body, ten at a time, in interleaved rounds. Only the CPU time of this process (`process.cpuUsage`) counts, not the receiver's.
 * The gate is the median of the pairs: per CPU second, `send` posts at least 95 % as many requests.
 */
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { createSender } from '../../shared/deliveries/sender/send.ts';
import { body, headersOf, startBareLoop } from './bare-loop.ts';
import { type Act, compare, inMicros, inPercent } from './cpu.ts';

const atATime = 10;
const gate = 0.95;
/** Requests per round: enough that its start and end, with fewer concurrent requests, do not matter. */
const atOnce = 250;

/** Posts with a fixed concurrency: each request starts when an earlier one has ended. */
const inLanes =
  (one: (n: number) => Promise<void>): Act =>
  async () => {
    let next = 0;
    const lane = async () => {
      while (next < atOnce) await one(next++);
    };
    await Promise.all(Array.from({ length: atATime }, lane));
    return atOnce;
  };

const measure = async (pairs: number, requests: number): Promise<void> => {
  const { origin, post, close } = await startBareLoop(atATime);
  const sender = createSender({
    connectTimeoutMs: 3000,
    allowHttp: true,
    allowRanges: ['loopback'],
    concurrencyPerReceiver: atATime,
  });
  const send = async (n: number): Promise<void> => {
    const result = await sender.send({ url: `${origin}/hook`, headers: headersOf(n), body, timeoutMs: 10_000 });
    if (result.outcome !== 'answered' || result.status !== 200) throw new Error('The sender did not receive a 200.');
  };

  try {
    const { bareMicros, micros, share } = await compare({
      pairs,
      requests,
      bare: inLanes(post),
      acts: { send: inLanes(send) },
    });
    console.log(`bare undici ${inMicros(bareMicros)}, send ${inMicros(micros('send'))} of CPU a request`);
    console.log(
      `send posts ${inPercent(share('send'))} of the bare loop's requests per CPU second (median of ${pairs} pairs, gate ${inPercent(gate)})`,
    );
    if (share('send') < gate) process.exitCode = 1;
  } finally {
    await sender.close();
    await close();
  }
};

await run(
  command('npm --prefix lab run bench:sender --')
    .description(
      'Measures requests per CPU second of the sender against a bare undici loop with the same signatures. Fails below 95 %.',
    )
    .argument('[pairs]', 'Pairs of rounds; the result is their median.', wholeNumber('<pairs>'), 21)
    .argument('[requests]', 'Requests of a round.', wholeNumber('<requests>'), 5000)
    .action(measure),
);
