/** A receiver returns after an hour with 50,000 deliveries waiting: the time they take, waste, and effect on others. */
import type { Behaviour } from '../../world/receivers.ts';
import { begin, every, hour, minute, never, type Options, p, resultOf, type Scenario, second } from './scenario.ts';

const measure = async (away: Behaviour, options: Options): Promise<Record<string, number>> => {
  const scene = await begin(options);
  const { world, customers, stack } = scene;
  const waiting = Math.round(backlog * (options.scale ?? 1));
  const key = await world.during(customers.addIntegration());
  const hook = await world.during(customers.addWebhook(key, loud, 'away.example'));
  for (let number = 0; number < others; number++)
    await world.during(customers.addWebhook(key, quiet, `host${number}.example`));
  let isAway = false;
  let [wasted, answered] = [0, 0];
  let [firstAt, lastAt]: [number | undefined, number] = [undefined, 0];
  stack.receivers.behave = (post) => {
    if (post.hook !== hook.number) return { status: 200, ms: world.between(10, 30) };
    if (isAway) wasted++;
    else {
      answered++;
      firstAt ??= world.now;
      lastAt = world.now;
    }
    return isAway ? away : { status: 200, ms: 20 };
  };
  const publishQuiet = (forMs: number) => every(world, second / perSecond, forMs, () => customers.publish(quiet));
  const waits = (from: number, to: number) =>
    resultOf(scene, (one, { acceptedAt }) => one !== hook && acceptedAt >= from && acceptedAt < to).waits;

  await world.during(publishQuiet(minute));
  const before = world.now;
  await world.during(publishQuiet(observedMs));
  const gone = world.now;
  isAway = true;
  const { requests } = stack.counts;
  const last = world.sleep(hour - observedMs).then(() => publishQuiet(observedMs));
  await world.during(Promise.all([every(world, hour / waiting, hour, () => customers.publish(loud)), last]));
  const back = world.now;
  const requestsAway = stack.counts.requests - requests;
  isAway = false;
  const drain = async () => {
    while (answered < waiting && world.now < back + 2 * hour) await publishQuiet(second);
  };
  await world.during(drain());
  const drained = world.now;
  await world.during(world.sleep(hour));

  const { deliveries, lost } = resultOf(scene, (one) => one === hook);
  const without = p(0.99, waits(before, gone));
  return {
    'waiting deliveries': deliveries,
    lost: lost + resultOf(scene, (one) => one !== hook).lost,
    ...stack.ledger.repetitions,
    'requests to the receiver while it was away': wasted,
    'requests to AWS for each delivery in that hour': requestsAway / waiting,
    'minutes until all are delivered': (drained - back) / minute,
    'seconds from the first success to the last delivery': (lastAt - (firstAt ?? Number.NaN)) / second,
    'p99 ms of others before': without,
    'p99 of others times that, at the end of the hour': p(0.99, waits(back - observedMs, back)) / without,
    'p99 of others times that, while it catches up': p(0.99, waits(back, drained)) / without,
  };
};

const backlog = 50_000;
const others = 9;
const [loud, quiet] = ['member.edited', 'post.published'];
const perSecond = 2;
const observedMs = 5 * minute;

const catchingUp = (shows: string, away: Behaviour): Scenario => ({
  shows,
  run: async (options) => ({
    figures: await measure(away, options),
    gates: {
      lost: never,
      repeated: never,
      'p99 of others times that, at the end of the hour': { atMost: 1.2 },
      'p99 of others times that, while it catches up': { atMost: 1.2 },
    },
    examples: [],
  }),
});

export const refused = catchingUp(
  'a receiver that has refused connections for an hour is back, and 50,000 deliveries wait for it',
  { error: 'connect', ms: 5 },
);

export const hung = catchingUp('the same with a receiver that has hung', 'hang');
