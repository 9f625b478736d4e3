/** A key's hourly limits on replays and redeliveries: requests above a limit are refused until the hour has passed. */
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack({ deliveries: { replaysPerCallerAndHour: 2, redeliveriesPerCallerAndHour: 3 } });
const keys = await stack.seed();
const { webhook, deliver, row } = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => vi.useRealTimers());

const replay = async (id: string, key: string) => {
  const answer = await stack.call('replays/create', {
    path: `/admin/webhooks/${id}/replays/`,
    key,
    body: { replays: [{ since: '2026-01-01', until: '2026-01-02' }] },
  });
  for (const { body } of await stack.take('replays')) await stack.work('replays', [body]);
  return answer;
};
const redeliver = (id: string, delivery: string, key: string) =>
  stack.call('deliveries/redeliver', { path: `/admin/webhooks/${id}/deliveries/${delivery}/redeliver/`, key });

const expectTooMany = (answer: Awaited<ReturnType<typeof replay>>) => {
  expectRefusal(answer, { status: 429, type: 'TooManyRequestsError' });
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(3600);
  return seconds;
};

it('the third replay of a key within an hour is refused with Retry-After; another key has its own limit', async () => {
  const { id } = await webhook(`${receiver.origin}/replays`);
  expect((await replay(id, keys.integration)).status).toBe(202);
  expect((await replay(id, keys.integration)).status).toBe(202);
  const seconds = expectTooMany(await replay(id, keys.integration));
  expect((await replay(id, keys.owner)).status).toBe(202);
  vi.setSystemTime(Date.now() + seconds * 1000);
  expect((await replay(id, keys.integration)).status).toBe(202);
});

it('the fourth redelivery of a key within an hour is refused with Retry-After, and sends nothing', async () => {
  const { id } = await webhook(`${receiver.origin}/redeliveries`);
  await deliver();
  const delivery = await row(id);
  for (let number = 0; number < 3; number++)
    expect((await redeliver(id, delivery.id, keys.integration)).status).toBe(202);
  await stack.take('deliveries');
  await stack.take('slow-deliveries');
  const seconds = expectTooMany(await redeliver(id, delivery.id, keys.integration));
  expect([...(await stack.messages('deliveries')), ...(await stack.messages('slow-deliveries'))]).toEqual([]);
  vi.setSystemTime(Date.now() + seconds * 1000);
  expect((await redeliver(id, delivery.id, keys.integration)).status).toBe(202);
});
