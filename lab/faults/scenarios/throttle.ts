/** A throttled webhook in a burst beside others, and a failing host that an integration's webhooks must not flood. */
import { goodWeather, type Weather } from '../../world/weather.ts';
import {
  begin,
  every,
  hour,
  minute,
  never,
  type Options,
  p,
  type Report,
  resultOf,
  type Scenario,
  second,
} from './scenario.ts';

const requests = 10;
/** A minute of the default of `deliveries.unansweredPerHostAndSecond`. */
const unanswered = 60 * 20;

/** Returns the most of these times, in epoch ms, within any period. */
const mostWithin = (times: readonly number[], periodMs: number): number => {
  const inOrder = times.toSorted((one, other) => one - other);
  let from = 0;
  return inOrder.reduce((most, time, position) => {
    while (time - (inOrder[from] ?? time) >= periodMs) from++;
    return Math.max(most, position - from + 1);
  }, 0);
};

/** A thousand events in twenty seconds for a webhook that allows ten requests a second. */
const burst = async (name: string, weather: Partial<Weather>, options: Options): Promise<Report> => {
  const scene = await begin(options);
  const { world, customers, stack } = scene;
  const count = Math.ceil(1000 * (options.scale ?? 1));
  const [one, other] = [await world.during(customers.addIntegration()), await world.during(customers.addIntegration())];
  const throttle = { requests, per: 'second' } as const;
  const slow = await world.during(customers.addWebhook(one, 'member.edited', 'slow.example', { throttle }));
  const fresh = await world.during(customers.addWebhook(other, 'post.published', 'fresh.example'));
  const times: number[] = [];
  stack.ledger.onPost = ({ hook, at }) => {
    if (hook === slow.number) times.push(at);
  };
  // Both have answered before.
  await world.during(Promise.all([customers.publish('member.edited'), customers.publish('post.published')]));
  await world.during(world.sleep(minute));
  times.length = 0;
  Object.assign(stack.weather, goodWeather(), weather);
  const began = world.now;
  const events = every(world, (20 * second) / count, 20 * second, () => customers.publish('member.edited'));
  await world.during(
    Promise.all([events, every(world, second, 2 * minute, () => customers.publish('post.published'))]),
  );
  Object.assign(stack.weather, goodWeather());
  await world.during(world.sleep(hour));
  const { lost, waits } = resultOf(scene, (hook) => hook === slow);
  const beside = resultOf(scene, (hook, { acceptedAt }) => hook === fresh && acceptedAt >= began);
  return {
    figures: {
      [`${name}: deliveries`]: waits.length,
      [`${name}: lost`]: lost,
      [`${name}: repeated`]: stack.ledger.repeated,
      [`${name}: most posts in any second`]: mostWithin(times, second),
      [`${name}: over the throttle`]: stack.ledger.overThrottle,
      [`${name}: seconds until the last`]: Math.round((Math.max(...times) - began) / second),
      [`${name}: others p50 ms`]: p(0.5, beside.waits),
      [`${name}: others p99 ms`]: p(0.99, beside.waits),
    },
    gates: {
      [`${name}: lost`]: never,
      [`${name}: repeated`]: never,
      [`${name}: over the throttle`]: never,
      ...(name === 'calm' && { [`${name}: others p99 ms`]: { atMost: second } }),
    },
    examples: stack.ledger.examples,
  };
};

/** One request with ten events for a thousand webhooks at one host, which refuses them all. */
const reflected = async (options: Options): Promise<Report> => {
  const scene = await begin(options);
  const { world, customers, stack } = scene;
  const key = await world.during(customers.addIntegration());
  // Fewer would not reach the budget.
  const hooks = Math.max(100, Math.ceil(1000 * (options.scale ?? 1)));
  for (let number = 0; number < hooks; number++)
    await world.during(customers.addWebhook(key, 'post.published', 'victim.example'));
  const times: number[] = [];
  stack.ledger.onPost = ({ at }) => times.push(at);
  stack.receivers.behave = () => ({ status: 404, ms: 20 });
  await world.during(Promise.all(Array.from({ length: 10 }, () => customers.publish('post.published'))));
  await world.during(world.sleep(hour));
  return {
    figures: {
      'reflected: webhooks': hooks,
      'reflected: posts in the first hour': times.length,
      'reflected: most posts in any second': mostWithin(times, second),
      'reflected: most posts in any minute': mostWithin(times, minute),
      'reflected: beyond the budget of any minute': Math.max(0, mostWithin(times, minute) - unanswered),
    },
    gates: { 'reflected: beyond the budget of any minute': never },
    examples: [],
  };
};

export const throttle: Scenario = {
  shows:
    'a thousand events in 20 s for a webhook that allows ten requests a second, and ten events for a thousand ' +
    'webhooks at a host that refuses them',
  run: async (options) => {
    const reports = [
      await burst('calm', {}, options),
      await burst('faults', { killed: 0.02, doubled: 0.05, skewMs: 50 }, options),
      await reflected(options),
    ];
    return {
      figures: Object.assign({}, ...reports.map(({ figures }) => figures)),
      gates: Object.assign({}, ...reports.map(({ gates }) => gates)),
      examples: reports.flatMap(({ examples }) => examples),
    };
  },
};
