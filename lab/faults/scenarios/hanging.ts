/** Many hanging webhooks of one integration beside another's slow receiver, whose deliveries must continue. */
import { begin, every, minute, never, p, resultOf, type Scenario, second } from './scenario.ts';

const hanging = 300;
const learningMs = 10 * minute;
/** The 300 webhooks get an event a minute; the slow receiver gets one every two seconds. */
const everyMs = { hanging: minute, slow: 2 * second };

export const manyHanging: Scenario = {
  shows: "300 hanging webhooks of one integration next to another integration's receiver that takes 600 ms",
  run: async (options) => {
    const scene = await begin(options);
    const { world, customers, stack } = scene;
    const [one, other] = [
      await world.during(customers.addIntegration()),
      await world.during(customers.addIntegration()),
    ];
    for (let number = 0; number < hanging * (options.scale ?? 1); number++)
      await world.during(customers.addWebhook(one, 'member.edited', `hanging${number}.example`));
    const slow = await world.during(customers.addWebhook(other, 'post.published', 'slow.example'));
    stack.receivers.behave = ({ hook }) => (hook === slow.number ? { status: 200, ms: 600 } : 'hang');
    const began = world.now;
    await world.during(
      Promise.all([
        every(world, everyMs.hanging, 4 * learningMs, () => customers.publish('member.edited')),
        every(world, everyMs.slow, 4 * learningMs, () => customers.publish('post.published')),
      ]),
    );
    await world.during(world.sleep(30 * minute));
    const isEarly = (at: number) => at < began + learningMs;
    const first = resultOf(scene, (hook, { acceptedAt }) => hook === slow && isEarly(acceptedAt));
    const later = resultOf(scene, (hook, { acceptedAt }) => hook === slow && !isEarly(acceptedAt));
    const early = `first ${learningMs / minute} minutes`;
    return {
      figures: {
        deliveries: first.deliveries + later.deliveries,
        lost: first.lost + later.lost,
        [`${early}: p50 ms`]: p(0.5, first.waits),
        [`${early}: p99 ms`]: p(0.99, first.waits),
        'afterwards: p50 ms': p(0.5, later.waits),
        'afterwards: p99 ms': p(0.99, later.waits),
      },
      gates: {
        lost: never,
        [`${early}: p99 ms`]: { atMost: 30 * second },
        'afterwards: p99 ms': { atMost: 5 * second },
      },
      examples: [...first.examples, ...later.examples],
    };
  },
};
