/** One event for thousands of webhooks must not delay another publisher's deliveries. */
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

/** Per environment, this is as many for `dev`'s two as a million are for `prod`'s hundred. */
const subscribers = 20_000;
const others = 10;
const [wide, quiet] = ['member.added', 'post.published'];
const rise = 'ms by which the p99 of others rises';

const measure = async (options: Options): Promise<Record<string, number>> => {
  const scene = await begin(options);
  const { world, customers } = scene;
  const [one, other] = [await world.during(customers.addIntegration()), await world.during(customers.addIntegration())];
  const count = Math.round(subscribers * (options.scale ?? 1));
  for (let number = 0; number < others; number++)
    await world.during(customers.addWebhook(other, quiet, `quiet${number}.example`));
  for (let number = 0; number < count; number++)
    await world.during(customers.addWebhook(one, wide, `host${number % 5000}.example`));
  const publishQuiet = (forMs: number) =>
    every(world, second / 4, forMs, () => customers.publish(quiet, { by: other }));
  await world.during(publishQuiet(minute));
  const from = world.now;
  const event = await world.during(customers.publish(wide, { by: one }));
  const ends = () => resultOf(scene, (_, { number }) => number === event.number).waits;
  while (ends().length < count && world.now < from + 30 * minute) await world.during(publishQuiet(5 * second));
  const until = world.now;
  await world.during(world.sleep(minute));
  const waitsIn = (since: number, end: number) =>
    resultOf(scene, ({ event: name }, { acceptedAt }) => name === quiet && acceptedAt >= since && acceptedAt < end)
      .waits;
  const before = p(0.99, waitsIn(from - minute / 2, from));
  const during = p(0.99, waitsIn(from, until));
  return {
    deliveries: count,
    lost: resultOf(scene).lost,
    'seconds until all have it': Math.round(p(1, ends()) / second),
    'p99 ms of others before': before,
    'p99 ms of others meanwhile': during,
    [rise]: during - before,
  };
};

export const wideEvent: Scenario = {
  shows:
    '20,000 subscribers of one event next to another publisher, with the two environments of dev and the hundred ' +
    'of prod',
  run: async (options) => {
    const figures: Record<string, number> = {};
    const gates: Record<string, Gate> = {};
    for (const stage of ['dev', 'prod'] as const) {
      for (const [what, value] of Object.entries(await measure({ ...options, stage })))
        figures[`${stage}: ${what}`] = value;
      gates[`${stage}: lost`] = never;
      gates[`${stage}: ${rise}`] = { atMost: 2 * second };
    }
    return { figures, gates, examples: [] };
  },
};
