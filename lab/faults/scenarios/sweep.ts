/** 100,000 deliveries have lost their messages. Measures how soon the sweep sends them to the queue. */
import { begin, every, hour, minute, type Scenario, second } from './scenario.ts';

const dueDeliveries = 100_000;
/** Each webhook has its own key, because a key's redeliveries are limited per hour. */
const hooks = 1000;

export const dueRetries: Scenario = {
  shows: '100,000 due deliveries, with an index that lags by a second: all are back in the queue within five minutes',
  run: async (options) => {
    const scene = await begin(options);
    const { world, customers, stack } = scene;
    const count = Math.round(dueDeliveries * (options.scale ?? 1));
    for (let number = 0; number < hooks; number++)
      await world.during(
        customers.addIntegration().then((key) => customers.addWebhook(key, 'post.published', `host${number}.example`)),
      );
    await world.during(customers.publish('post.published'));
    await world.during(world.sleep(minute));
    const ids = new Map<string, string>();
    for (const { id, key } of customers.hooks) {
      const { body } = await world.during(customers.call('deliveries/list', { key, params: { id } }));
      ids.set(id, String(body.deliveries?.[0]?.id));
    }
    // Redelivering while the queues are down leaves each delivery in the table, due, without a message.
    stack.weather.down.add('sqs');
    Object.assign(stack.weather, { callMs: [0, 0] });
    const asked = await world.during(
      Promise.all(
        Array.from({ length: count }, async (_, number) => {
          const { id = '', key = '' } = customers.hooks[number % hooks] ?? {};
          await world.sleep((number / count) * 20 * second);
          const answer = await customers.call(
            'deliveries/redeliver',
            { key, params: { id, delivery_id: ids.get(id) ?? '' } },
            true,
          );
          return String(answer.body.deliveries?.[0]?.id);
        }),
      ),
    );
    stack.weather.down.delete('sqs');
    if (new Set(asked).size !== count) throw new Error('Not all of the redeliveries were accepted.');
    Object.assign(stack.weather, { callMs: [3, 9], indexLagMs: [1000, 1000] });
    for (const source of stack.sources.values()) source.isEnabled = false;
    const waiting = new Set(asked);
    const dueAt = Math.ceil((world.now + 3 * minute) / minute) * minute;
    let [messages, lastAt] = [0, 0];
    for (const queue of stack.queues.values())
      queue.onSent = ({ body }) => {
        if (waiting.size > 0) messages++;
        const { delivery_id } = JSON.parse(body) as { delivery_id?: string };
        if (waiting.delete(delivery_id ?? '')) lastAt = world.now;
      };
    // Long enough even at a tenth of the expected rate.
    await world.during(every(world, minute, 3 * minute + hour, () => waiting.size));
    return {
      figures: {
        deliveries: count,
        'still without a message after an hour': waiting.size,
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
