/** An operator redrives dead letters after days: their receiver gets them, even if it first asks for a pause. */
import { begin, day, hour, minute, never, resultOf, type Scenario, second } from './scenario.ts';

const letters = 20;
/** Longer than SQS keeps redelivering a message (infra/cdk/queue-times.ts). */
const outageMs = 13 * hour;

export const deadLetters: Scenario = {
  shows:
    '20 dead letters redriven after five days, the first of which is answered 429 with `Retry-After: 1`: ' +
    'all of them arrive',
  run: async (options) => {
    const scene = await begin(options);
    const { world, customers, stack } = scene;
    const { down } = stack.weather;
    const key = await world.during(customers.addIntegration());
    await world.during(customers.addWebhook(key, 'post.published', 'hooks.example'));
    const lanes = [stack.source('deliveries'), stack.source('slow-deliveries')];
    for (const lane of lanes) lane.isEnabled = false;
    for (let number = 0; number < letters; number++) await world.during(customers.publish('post.published'));
    await world.during(world.sleep(10 * second));
    // Without the table, deliveries fail until their messages are dead letters.
    down.add('dynamodb');
    for (const lane of lanes) lane.enable();
    await world.during(world.sleep(outageMs));
    down.delete('dynamodb');
    await world.during(world.sleep(5 * day));
    let answers = 0;
    stack.receivers.behave = () =>
      answers++ === 0 ? { status: 429, ms: 20, headers: { 'retry-after': '1' } } : { status: 200, ms: 20 };
    const queue = [...stack.queues.values()].find(({ dead }) => dead.length > 0);
    let redriven = queue?.redrive(1) ?? 0;
    // The other deliveries come while the receiver is still asking for a pause.
    await world.during(world.sleep(second / 2));
    redriven += stack.redrive();
    await world.during(world.sleep(day));
    const { deliveries, lost, waits, examples } = resultOf(scene);
    const minutes = waits.map((wait) => (wait - 5 * day - outageMs) / minute);
    return {
      figures: {
        deliveries,
        redriven,
        lost,
        'minutes until the last arrived': Math.max(...minutes, 0),
        posts: stack.ledger.posts,
      },
      gates: { lost: never, redriven: { atLeast: letters } },
      examples,
    };
  },
};
