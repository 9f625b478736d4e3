/** A replay of 100,000 deliveries must not delay other deliveries in the slow lane. */
import type { Hook } from '../../world/customers.ts';
import { begin, every, hour, minute, never, p, resultOf, type Scenario, second } from './scenario.ts';

const replayed = 100_000;
const slowHooks = 5;

export const replay: Scenario = {
  shows:
    'a replay of 100,000 deliveries to a receiver that takes 5 s: other deliveries in the slow lane are not delayed',
  run: async (options) => {
    const scene = await begin(options);
    const { world, customers, stack } = scene;
    const count = replayed * (options.scale ?? 1);
    const [one, other] = [
      await world.during(customers.addIntegration()),
      await world.during(customers.addIntegration()),
    ];
    const loud = await world.during(customers.addWebhook(one, 'member.edited', 'loud.example'));
    const slow: Hook[] = [];
    for (let number = 0; number < slowHooks; number++)
      slow.push(await world.during(customers.addWebhook(other, 'post.published', `slow${number}.example`)));
    let loudMs = 20;
    stack.receivers.behave = ({ hook }) => ({ status: 200, ms: hook === loud.number ? loudMs : 1500 });
    // First publish and deliver what will be replayed.
    const since = world.now;
    await world.during(every(world, 20, count * 20, () => customers.publish('member.edited')));
    await world.during(world.sleep(hour));
    // The product knows the slow receivers before the replay starts.
    await world.during(every(world, 10 * second, 10 * minute, () => customers.publish('post.published')));
    const before = world.now;
    loudMs = 5000;
    const range = { since: new Date(since - second).toISOString(), until: new Date(world.now).toISOString() };
    const { status, body } = await world.during(
      customers.call('replays/create', { key: one, params: { id: loud.id }, body: { replays: [range] } }),
    );
    if (status !== 202) throw new Error(`The replay was not accepted: ${JSON.stringify(body)}`);
    const postsBefore = stack.ledger.posts;
    await world.during(every(world, 10 * second, 2 * hour, () => customers.publish('post.published')));
    const quiet = resultOf(scene, (hook, { acceptedAt }) => slow.includes(hook) && acceptedAt < before);
    const busy = resultOf(
      scene,
      (hook, { acceptedAt }) => slow.includes(hook) && acceptedAt >= before && acceptedAt < world.now - minute,
    );
    return {
      figures: {
        'deliveries in the range': count,
        'posts in two hours': stack.ledger.posts - postsBefore,
        lost: busy.lost,
        'others before: p99 ms': p(0.99, quiet.waits),
        'others meanwhile: p50 ms': p(0.5, busy.waits),
        'others meanwhile: p99 ms': p(0.99, busy.waits),
      },
      gates: { lost: never, 'others meanwhile: p99 ms': { atMost: 10 * second } },
      examples: busy.examples,
    };
  },
};
