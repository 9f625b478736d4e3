/**
 * How much CPU the sender takes beside a bare undici loop that computes the same signatures, posting to the same receiver.
 *
 * Both post the same body, ten at a time, in interleaved rounds; counted is the CPU of this process (`process.cpuUsage`), not the
 * receiver's. The gate is the median over the pairs: `send` posts at least 80 % as many requests per CPU second.
 *
 *   npm run bench:sender -- [pairs] [requests a round]
 */
import { createSender } from '../../shared/deliveries/sender/send.ts';
import { body, headersOf, startBareLoop } from './bare-loop.ts';
import { type Act, compare } from './cpu.ts';

const pairs = Number(process.argv[2] ?? 21);
const requests = Number(process.argv[3] ?? 5000);
const atATime = 10;
/** Of an act: enough for its beginning and its end, where fewer are under way, not to count. */
const atOnce = 250;

const { origin, post, close } = await startBareLoop(atATime);
const sender = createSender({
  connectTimeoutMs: 3000,
  allowHttp: true,
  allowRanges: ['loopback'],
  concurrencyPerReceiver: atATime,
});
const send = async (n: number): Promise<void> => {
  const result = await sender.send({ url: `${origin}/hook`, headers: headersOf(n), body, timeoutMs: 10_000 });
  if (result.outcome !== 'answered' || result.status !== 200) throw new Error('The sender got no 200.');
};

/** Posts with as many lanes as may be under way, each with its next when its last has ended. */
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

const isMet = await compare({ name: 'send', pairs, requests, gate: 0.8, bare: inLanes(post), act: inLanes(send) });
await sender.close();
await close();
if (!isMet) process.exitCode = 1;
