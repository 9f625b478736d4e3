/** 100,000 deliveries wait in the table. Measures how soon the sweep sends them to the queue when they are due. */
import { begin, every, hour, minute, type Scenario, second } from './scenario.ts';

const dueDeliveries = 100_000;
const hooks = 1000;
/** Longer than a message can be delayed. At most a tenth is added to it (docs/receiving.md). */
const askedMs = 20 * minute;

export const dueRetries: Scenario = {
  shows: '100,000 due deliveries, with an index that lags by a second: all are back in the queue within five minutes',
  run: async (options) => {
    const scene = await begin(options);
    const { world, customers, stack } = scene;
    const events = Math.max(2, Math.round((dueDeliveries / hooks) * (options.scale ?? 1)));
    const count = events * hooks;
    const key = await world.during(customers.addIntegration());
    for (let number = 0; number < hooks; number++)
      await world.during(customers.addWebhook(key, 'post.published', `host${number}.example`));
    // All receivers ask for the same moment, too far ahead for a delayed message. A 404 pauses only its delivery.
    const asked = world.now + askedMs;
    stack.receivers.behave = () => ({
      status: 404,
      ms: 10,
      headers: { 'retry-after': String(Math.ceil((asked - world.now) / second)) },
    });
    await world.during(every(world, second, events * second, () => customers.publish('post.published')));
    await world.during(world.sleep(2 * minute));
    const dueAt = Math.ceil((asked + 0.1 * askedMs) / minute) * minute;
    Object.assign(stack.weather, { callMs: [3, 9], indexLagMs: [1000, 1000] });
    for (const source of stack.sources.values()) source.isEnabled = false;
    const seen = new Set<string>();
    let [messages, lastAt] = [0, 0];
    for (const queue of stack.queues.values())
      queue.onSent = ({ body }) => {
        const { delivery_id } = JSON.parse(body) as { delivery_id?: string };
        if (delivery_id === undefined || seen.size === count) return;
        messages++;
        if (seen.has(delivery_id)) return;
        seen.add(delivery_id);
        lastAt = world.now;
      };
    // Long enough even at a tenth of the expected rate.
    await world.during(world.sleep(2 * hour));
    return {
      figures: {
        deliveries: count,
        'still without a message after an hour': count - seen.size,
        'minutes until the last had one': (lastAt - dueAt) / minute,
        'messages for one': messages / count,
      },
      gates: {
        'still without a message after an hour': { atMost: 0 },
        'minutes until the last had one': { atMost: 5 },
        'messages for one': { atMost: 1.5 },
      },
      examples: [],
    };
  },
};
