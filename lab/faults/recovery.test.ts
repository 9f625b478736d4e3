/** A recovery over three webhooks: what was missing arrives once, and nothing that had arrived is sent again. */
import { expect, it } from 'vitest';
import type { Post } from '../world/ledger.ts';
import type { Weather } from '../world/weather.ts';
import { begin, every, hour, minute } from './scenarios/scenario.ts';

/** Publishes to three webhooks: one is disabled from the start, the others later. Enables all and recovers. */
const recover = async (events: number, weather: Partial<Weather> = {}) => {
  const scene = await begin({ seed: 9 });
  const { stack, world, customers } = scene;
  const key = await world.during(customers.addIntegration());
  for (let number = 0; number < 3; number++)
    await world.during(customers.addWebhook(key, 'post.published', `host${number}.example`));
  const [first, ...others] = customers.hooks;
  const disable = (id = '') => world.during(customers.insist('webhooks/disable', { key, params: { id } }, [200]));
  const publish = async (share: number) => {
    await world.during(every(world, minute / events, minute * share, () => customers.publish('post.published')));
    await world.during(world.sleep(minute));
  };
  const since = new Date(world.now).toISOString();
  const arrived: string[] = [];
  stack.ledger.onPost = ({ hook, event }: Post) => arrived.push(`${hook} ${event}`);
  await disable(first?.id);
  await publish(1 / 4);
  for (const { id } of others) await disable(id);
  await publish(3 / 4);
  const before = new Set(arrived.splice(0));

  for (const hook of customers.hooks) await world.during(customers.enable(hook));
  Object.assign(stack.weather, weather);
  const request = { key, body: { recoveries: [{ since }] } };
  const { body } = await world.during(customers.insist('recoveries/create', request, [202]));
  await world.during(world.sleep(hour));
  const params = { id: String(body.recoveries?.[0]?.id) };
  const read = await world.during(customers.insist('recoveries/read', { key, params }, [200]));
  return { ledger: stack.ledger, before, arrived, recovery: read.body.recoveries?.[0] };
};

it('sends each of 5,000 missing deliveries once, and nothing that had arrived', async () => {
  const { before, arrived, recovery } = await recover(2000);
  expect(before.size).toBe(1000);
  expect(recovery).toMatchObject({ state: 'finished', matched: 5000, webhooks: 3 });
  expect(arrived).toHaveLength(5000);
  expect(new Set([...before, ...arrived]).size).toBe(3 * 2000);
  // On a busy machine, the simulation of so many takes a minute.
}, 600_000);

it('loses and repeats nothing while functions are killed and messages come twice', async () => {
  const { ledger, before, arrived, recovery } = await recover(200, { killed: 0.1, doubled: 0.1, unanswered: 0.001 });
  expect(recovery).toMatchObject({ state: 'finished', matched: 500, webhooks: 3 });
  expect(arrived.filter((one) => before.has(one))).toEqual([]);
  expect(new Set([...before, ...arrived]).size).toBe(3 * 200);
  expect(ledger).toMatchObject({ repeated: 0, twice: 0 });
});
