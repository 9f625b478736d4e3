/** Many replays run at once, some to hanging receivers. Another integration's events and pings must not wait. */
import type { Hook } from '../../world/customers.ts';
import { begin, every, hour, minute, never, p, type Report, resultOf, type Scenario, second } from './scenario.ts';

/** Webhooks per key: an integration can request 30 replays an hour. */
const hooksOfKey = 25;
const allHooks = 150;

export const manyReplays: Scenario = {
  shows:
    '20 and 150 replays of 400 deliveries each, and 40 replays to receivers that hang: ' +
    "another integration's events and pings are not delayed",
  run: async (options) => {
    const scene = await begin(options);
    const { world, customers, stack } = scene;
    const scaled = (count: number): number => Math.ceil(count * (options.scale ?? 1));
    const hooks = scaled(allHooks);
    const replayed = scaled(400);
    const loud: Hook[] = [];
    for (let key = ''; loud.length < hooks; ) {
      if (loud.length % hooksOfKey === 0) key = await world.during(customers.addIntegration());
      loud.push(await world.during(customers.addWebhook(key, 'member.edited', `loud${loud.length}.example`)));
    }
    const other = await world.during(customers.addIntegration());
    const fresh = await world.during(customers.addWebhook(other, 'post.published', 'fresh.example'));
    const pinged = await world.during(customers.addWebhook(other, 'page.published', 'pinged.example'));
    let isHanging = false;
    let askedAt = 0;
    let pings: number[] = [];
    stack.receivers.behave = ({ hook }) => {
      if (hook === pinged.number) pings.push(world.now - askedAt);
      return isHanging && hook < hooks ? 'hang' : { status: 200, ms: 20 };
    };
    const since = world.now;
    await world.during(every(world, 100, replayed * 100, () => customers.publish('member.edited')));

    const figures: Record<string, number> = { 'deliveries of a replay': replayed };
    const gates: Record<string, Report['gates'][string]> = {};
    const observe = async (name: string, replays: number) => {
      // By then the keys' hourly limit has passed.
      await world.during(world.sleep(hour + minute));
      pings = [];
      const began = world.now;
      await world.during(Promise.all(loud.slice(0, replays).map((hook) => customers.replay(hook, since))));
      const ping = () => {
        askedAt = world.now;
        return customers.call('webhooks/ping', { key: other, params: { id: pinged.id } });
      };
      const events = every(world, second, 2 * minute, () => customers.publish('post.published'));
      await world.during(Promise.all([events, every(world, 15 * second, 2 * minute, ping)]));
      await world.during(world.sleep(minute));
      const { waits, lost } = resultOf(scene, (hook, { acceptedAt }) => hook === fresh && acceptedAt >= began);
      figures[`${name}: event p50 ms`] = p(0.5, waits);
      figures[`${name}: event max ms`] = Math.max(...waits);
      figures[`${name}: ping max ms`] = Math.max(...pings);
      figures[`${name}: pings`] = pings.length;
      figures[`${name}: lost`] = lost;
      gates[`${name}: lost`] = never;
      gates[`${name}: event max ms`] = { atMost: second };
      gates[`${name}: ping max ms`] = { atMost: second };
    };
    await observe('no replays', 0);
    await observe('20 replays', scaled(20));
    await observe('150 replays', hooks);
    isHanging = true;
    await observe('40 hanging', scaled(40));
    return { figures, gates, examples: [] };
  },
};
