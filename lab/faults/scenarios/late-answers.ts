/** A receiver that usually responds in 20 ms and sometimes takes seconds still gets each event once. */
import { begin, every, minute, never, p, resultOf, type Scenario, second } from './scenario.ts';

const events = 20_000;
/** Milliseconds that one answer in a hundred takes. */
const lateMs = [300, 3000, 9000];

export const lateAnswers: Scenario = {
  shows:
    '20,000 events to a receiver with 1 % of its responses after 300 ms, 1 % after 3 s and 1 % after 9 s: ' +
    'none is repeated',
  run: async (options) => {
    const scene = await begin(options);
    const { world, customers, stack } = scene;
    const key = await world.during(customers.addIntegration());
    await world.during(customers.addWebhook(key, 'post.published', 'hooks.example'));
    stack.receivers.behave = () => {
      const draw = Math.floor(world.random() * 100);
      return { status: 200, ms: lateMs[draw] ?? world.between(10, 30) };
    };
    await world.during(
      every(world, second / 2, (events / 2) * second * (options.scale ?? 1), () => customers.publish('post.published')),
    );
    await world.during(world.sleep(30 * minute));
    const { deliveries, lost, waits, examples } = resultOf(scene);
    const { repeated, raced, afterKill, afterFault } = stack.ledger.repetitions;
    const again = stack.ledger.posts - deliveries;
    return {
      figures: {
        deliveries,
        lost,
        'came again': again,
        ...{ repeated, raced, afterKill, afterFault },
        'p50 ms': p(0.5, waits),
        'p95 ms': p(0.95, waits),
        'p99 ms': p(0.99, waits),
        'slowest ms': p(1, waits),
      },
      // A receiver that is only sometimes slow must not wait long for later deliveries.
      gates: { lost: never, 'came again': never, 'p99 ms': { atMost: 30 * second } },
      examples: [...examples, ...stack.ledger.examples],
    };
  },
};
