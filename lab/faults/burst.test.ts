/** A burst at a webhook with `debounce`: a thousand events from ten publishers make one delivery, two after a kill. */
import { expect, it } from 'vitest';
import type { Post } from '../world/ledger.ts';
import { begin, minute, second } from './scenarios/scenario.ts';

const [publishers, events, burstMs] = [10, 1000, 20 * second];

const burst = async (crashAtMs?: number) => {
  const scene = await begin({ seed: 5 });
  const { stack, world, customers } = scene;
  const arrived: Post[] = [];
  stack.ledger.onPost = (post) => arrived.push(post);
  const keys: string[] = [];
  for (let number = 0; number < publishers; number++) keys.push(await world.during(customers.addIntegration()));
  const [first = ''] = keys;
  const hook = await world.during(
    customers.addWebhook(first, 'post.edited', 'deploy.example', { debounceSeconds: 30 }),
  );
  const began = world.now;
  if (crashAtMs !== undefined) world.after(crashAtMs, () => stack.crash());
  const published = Array.from({ length: events }, async (_, number) => {
    await world.sleep((number * burstMs) / events);
    return customers.publish('post.edited', { by: keys[number % publishers] ?? '' });
  });
  await world.during(Promise.all(published));
  await world.during(world.sleep(10 * minute));
  const deliveries = await world.during(customers.deliveriesOf(hook));
  return { arrived, deliveries, sentAfterMs: (arrived.at(-1)?.at ?? 0) - began };
};

it('makes one delivery, of the last event, after which all others are shown as superseded by it', async () => {
  const { arrived, deliveries, sentAfterMs } = await burst();
  expect(arrived).toHaveLength(1);
  const [newest, ...others] = deliveries;
  expect(newest).toMatchObject({ id: arrived[0]?.delivery, status: 'delivered', superseded_by: null });
  expect(others).toHaveLength(events - 1);
  expect(new Set(others.map(({ status, superseded_by }) => `${status} ${superseded_by}`))).toEqual(
    new Set([`superseded ${newest?.id}`]),
  );
  // Simulated time: it came 30 seconds after the last event.
  expect(Math.round(sentAfterMs / second)).toBeGreaterThanOrEqual(50);
  expect(Math.round(sentAfterMs / second)).toBeLessThanOrEqual(52);
});

it('makes two deliveries at most if all processes are killed meanwhile, with the last event among them', async () => {
  const { arrived, deliveries } = await burst(burstMs / 2);
  expect(new Set(arrived.map(({ delivery }) => delivery)).size).toBeLessThanOrEqual(2);
  expect(arrived.map(({ delivery }) => delivery)).toContain(deliveries[0]?.id);
  expect(deliveries.filter(({ status }) => status !== 'superseded' && status !== 'delivered')).toEqual([]);
});
