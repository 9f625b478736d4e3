/** Many webhooks of one integration hang, answer three requests quickly and hang again, next to another's webhooks. */
import { flipping } from '../../world/flipping.ts';
import {
  begin,
  every,
  type Gate,
  minute,
  never,
  type Options,
  p,
  resultOf,
  type Scenario,
  second,
} from './scenario.ts';

const measuredMs = 4 * minute;
const windowMs = 10 * second;
const others = 9;
/** The time after which the product is expected to know all flipping webhooks. */
const knownMs = 2 * minute;
/** Covers the half minute before, in which all environments are warm. */
const before = 'p99 ms of others before';
const slowest = 'p99 ms of others in the slowest ten seconds after that';
const known = 'p99 of others times that before, once they are known';
const everyMs = { flipping: 2 * second, others: 250 };

const measure = async (count: number, options: Options): Promise<Record<string, number>> => {
  const scene = await begin(options);
  const { world, customers, stack } = scene;
  const [one, other] = [await world.during(customers.addIntegration()), await world.during(customers.addIntegration())];
  const quiet: number[] = [];
  for (let number = 0; number < others; number++)
    quiet.push((await world.during(customers.addWebhook(other, 'post.published', `quiet${number}.example`))).number);
  for (let number = 0; number < count * (options.scale ?? 1); number++)
    await world.during(customers.addWebhook(one, 'member.edited', `flips${number}.example`));
  const flips = flipping(world);
  stack.receivers.behave = ({ hook }) =>
    quiet.includes(hook) ? { status: 200, ms: world.between(10, 30) } : flips(hook);
  const publish = (name: 'flipping' | 'others', event: string, forMs: number) =>
    every(world, everyMs[name], forMs, () => customers.publish(event));
  await world.during(publish('others', 'post.published', minute));
  const began = world.now;
  await world.during(
    Promise.all([publish('flipping', 'member.edited', measuredMs), publish('others', 'post.published', measuredMs)]),
  );
  await world.during(world.sleep(2 * minute));
  const waitsIn = (from: number, to: number) =>
    resultOf(scene, (hook, { acceptedAt }) => quiet.includes(hook.number) && acceptedAt >= from && acceptedAt < to)
      .waits;
  const windows = Array.from({ length: measuredMs / windowMs }, (_, number) =>
    p(0.99, waitsIn(began + number * windowMs, began + (number + 1) * windowMs)),
  );
  const { lost } = resultOf(scene, (hook) => quiet.includes(hook.number));
  return {
    'lost of others': lost,
    ...stack.ledger.repetitions,
    [before]: p(0.99, waitsIn(began - minute / 2, began)),
    'p99 ms of others in the first ten seconds': windows[0] ?? 0,
    [slowest]: Math.max(...windows.slice(1)),
    'p50 ms of others': p(0.5, waitsIn(began, began + measuredMs)),
    [known]: p(0.99, waitsIn(began + knownMs, began + measuredMs)) / p(0.99, waitsIn(began - minute / 2, began)),
  };
};

/** The p99 of the other webhooks in ten seconds, with the hundred environments of `prod`, and the two of `dev`. */
const gateOf = (stage: Options['stage']) => ({ atMost: stage === 'dev' ? 3 * second : second });

const flippingOf = (count: number): Scenario => ({
  shows:
    `${count} webhooks of one integration that hang, answer three requests quickly and hang again, next to nine of ` +
    'another one; in prod and in dev',
  run: async (options) => {
    const figures: Record<string, number> = {};
    const gates: Record<string, Gate> = {};
    for (const stage of options.stage === undefined || options.stage === 'prod'
      ? (['prod', 'dev'] as const)
      : [options.stage]) {
      const found = await measure(count, { ...options, stage });
      for (const [what, value] of Object.entries(found)) figures[`${stage}: ${what}`] = value;
      gates[`${stage}: lost of others`] = never;
      gates[`${stage}: repeated`] = never;
      gates[`${stage}: ${slowest}`] = gateOf(stage);
      if (stage === 'prod') gates[`${stage}: ${known}`] = { atMost: 1.2 };
    }
    return { figures, gates, examples: [] };
  },
});

export const fortyFlip = flippingOf(40);
export const manyFlip = flippingOf(150);
export const thousandFlip = flippingOf(1000);
