/** One event for 100,000 webhooks, with killed invocations, while some of the webhooks are edited. */
import { begin, hour, minute, never, type Options, p, type Report, resultOf, type Scenario } from './scenario.ts';

export interface FanOutOptions extends Options {
  readonly subscribers: number;
  readonly killed: number;
  /** Milliseconds that a request to AWS takes. */
  readonly callMs?: readonly [number, number];
  /** The share of webhooks whose target URL changes during the fan-out, and within how many minutes. */
  readonly edited: number;
  readonly editedWithinMs: number;
}

const name = 'post.published';

/** Publishes one event, and reports which webhooks received it. */
export const fanOut = async (options: FanOutOptions): Promise<Report> => {
  const scene = await begin(options);
  const { world, customers, stack } = scene;
  const { subscribers, killed, callMs, edited, editedWithinMs } = options;
  const key = await world.during(customers.addIntegration());
  for (let number = 0; number < subscribers; number++)
    await world.during(customers.addWebhook(key, name, `host${number % 20_000}.example`));
  Object.assign(stack.weather, { killed, ...(callMs && { callMs }) });
  const began = world.now;
  const edits = customers.hooks
    .filter(() => world.chance(edited))
    .map((hook) => world.sleep(world.random() * editedWithinMs).then(() => customers.move(hook)));
  await world.during(Promise.all([customers.publish(name), ...edits]));
  stack.weather.killed = killed;
  await world.live(() => world.now > began + 12 * hour);
  stack.redrive();
  await world.live(() => world.now > began + 24 * hour);
  const { deliveries, lost, waits, examples } = resultOf(scene);
  const { ledger, counts } = stack;
  return {
    figures: {
      deliveries,
      edited: edits.length,
      lost,
      ...ledger.repetitions,
      twice: ledger.twice,
      posts: ledger.posts,
      ...counts,
      'p50 minutes': p(0.5, waits) / minute,
      'last minutes': p(1, waits) / minute,
    },
    gates: { lost: never, repeated: never, raced: never, twice: never },
    examples: [...examples, ...ledger.examples],
  };
};

export const wideFanOut: Scenario = {
  shows:
    'fan-out to 100,000 subscribers with a kill in every tenth run and changed target URLs of 5 % of the ' +
    'webhooks: each gets the event once',
  run: (options) =>
    fanOut({
      ...options,
      subscribers: 100_000 * (options.scale ?? 1),
      killed: 0.1,
      edited: 0.05,
      editedWithinMs: 2 * minute * (options.scale ?? 1),
    }),
};

export const slowFanOut: Scenario = {
  shows:
    'fan-out to 6,000 subscribers with 500 ms per request to AWS: all get the event, and no page is repeated ten times',
  run: (options) =>
    fanOut({
      ...options,
      subscribers: 6000 * (options.scale ?? 1),
      killed: 0,
      callMs: [500, 500],
      edited: 0,
      editedWithinMs: 0,
    }),
};

export const movedHooks: Scenario = {
  shows: 'fan-out to 1,000 subscribers, a third of which change their target URL meanwhile: each gets the event once',
  run: (options) =>
    fanOut({ ...options, subscribers: 1000, killed: 0, callMs: [50, 150], edited: 0.33, editedWithinMs: minute / 6 }),
};
