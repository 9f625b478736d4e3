/** Ten days of one webhook on a simulated clock: its receiver is down, then slow, then healthy, then gone. */
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { deliveryOf } from '../../shared/deliveries/records/row.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { Customers } from '../world/customers.ts';
import type { Behaviour } from '../world/receivers.ts';
import { Stack } from '../world/stack.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Seen {
  readonly webhook: Webhook | undefined;
  readonly counts: Readonly<Record<string, number>>;
  readonly deliveries: readonly Delivery[];
}

const begin = Date.parse('2026-11-01T00:00:00Z');

/** Publishes an event every six hours, and records the state after each day; `behave` gets the ms since the start. */
const live = async (
  days: number,
  behave: (ms: number) => Behaviour,
): Promise<{ seen: Seen[]; posts: number[]; subjects: string[] }> => {
  // No jitter: the schedule then takes 75.6 hours. With jitter it can take 60, so some deliveries would end early.
  const stack = await Stack.start({ seed: 10, start: begin });
  const { world } = stack;
  Object.assign(world, { random: () => 0.5 });
  const customers = new Customers(stack);
  const key = { id: 'a'.repeat(24), secret: 'f'.repeat(64) };
  const owner = { name: 'Olive', email: 'olive@example.com', role: 'Owner', key };
  await world.during(stack.invoke('setup/seed', { staff: [owner] }, true));
  const { id } = await world.during(
    customers
      .addIntegration()
      .then((integration) => customers.addWebhook(integration, 'post.published', 'receiver.example')),
  );
  stack.receivers.behave = ({ at }) => behave(at - begin);
  const posts: number[] = [];
  stack.ledger.onPost = ({ at }) => posts.push((at - begin) / day);
  for (let ms = minute; ms < days * day; ms += 6 * hour)
    world.after(ms, () => void customers.publish('post.published'));
  const seen: Seen[] = [];
  const look = () => {
    const { pk, sk } = webhookKey(id as WebhookId);
    const webhook = stack.itemsOf(pk).find((item) => item.sk === sk) as Webhook | undefined;
    const deliveries = stack
      .itemsOf(`WEBHOOK#${id}`)
      .filter(({ sk }) => String(sk).startsWith('DELIVERY#'))
      .map(deliveryOf);
    const counts: Record<string, number> = {};
    for (const { status } of deliveries) counts[status] = (counts[status] ?? 0) + 1;
    seen.push({ webhook, counts, deliveries });
  };
  for (let number = 1; number <= days; number++) world.after(begin + number * day - world.now, look);
  await world.live(() => seen.length === days);
  return { seen, posts, subjects: stack.mails.map(({ subject }) => subject) };
};

describe('a webhook over ten days', () => {
  it('loses no delivery while its receiver is down, slow and healthy, and is disabled once that is gone', async () => {
    const { seen, posts, subjects } = await live(10, (ms) => {
      if (ms < 3 * day) return { error: 'connect', ms: 3000 };
      if (ms < 4 * day) return { status: 200, ms: 8000 };
      if (ms < 8 * day) return { status: 200, ms: 20 };
      return { status: 410, ms: 20 };
    });
    const days: { status: string | undefined; delivered?: number; retrying?: number }[] = seen.map(
      ({ webhook, counts }) => ({ status: webhook?.status, ...counts }),
    );

    // Down: nothing is lost, all deliveries wait, and the owners have a notice. Others follow at recovery and the 410.
    expect(days[2]).toEqual({ status: 'available', retrying: 12 });
    expect(seen[0]?.webhook).toMatchObject({ failing_since: expect.any(String), warned_at: expect.any(String) });
    expect(subjects).toEqual([
      'A webhook at receiver.example is failing: unreachable',
      'A webhook at receiver.example works again',
      'A webhook at receiver.example is disabled: target gone',
    ]);
    // One probe at a time, up to 15 minutes apart, instead of attempts for every delivery.
    expect(posts.filter((at) => at < 3).length).toBe(0);
    const made = (seen[2]?.deliveries ?? []).reduce((sum, delivery) => sum + delivery.attempts, 0);
    expect(made).toBeGreaterThan(12);
    expect(made).toBeLessThan(330);

    // Slow: new deliveries arrive at once, because a receiver has ten seconds; old ones arrive with their next attempt.
    expect((days[3]?.delivered ?? 0) + (days[3]?.retrying ?? 0)).toBe(16);
    expect(days[3]?.delivered).toBeGreaterThan(12);
    expect(seen[3]?.deliveries.slice(12).map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array(4).fill('delivered 1'),
    );
    expect(seen[3]?.webhook).not.toHaveProperty('failing_since');

    // Healthy: each delivery arrives at once.
    expect(days[7]).toEqual({ status: 'available', delivered: 32 });
    const quick = (seen[7]?.deliveries ?? []).filter(({ created_at }) => Date.parse(created_at) > begin + 4.5 * day);
    for (const { attempts, created_at, last_attempt_at } of quick) {
      expect(attempts).toBe(1);
      expect(Date.parse(last_attempt_at ?? '') - Date.parse(created_at)).toBeLessThan(1000);
    }
    // Every event arrived exactly once.
    expect(posts.filter((at) => at < 8)).toHaveLength(32);

    // Gone: the first 410 disables the webhook, and nothing is posted afterwards.
    expect(days[8]).toEqual({ status: 'disabled', delivered: 32, held: 4 });
    expect(posts.filter((at) => at > 8)).toHaveLength(1);
  });

  it('is disabled after five days if its receiver stays down; later deliveries are held', async () => {
    const { seen, subjects } = await live(10, () => ({ status: 500, ms: 20 }));
    const days = seen.map(({ webhook }) => webhook?.status);
    expect(days).toEqual([...Array(5).fill('available'), ...Array(5).fill('disabled')]);
    expect(subjects).toEqual([
      'A webhook at receiver.example is failing: unreachable',
      'A webhook at receiver.example is disabled: unreachable',
    ]);
    const last = seen.at(-1);
    expect(Object.keys(last?.counts ?? {}).sort()).toEqual(['failed', 'held']);
    for (const { status, created_at } of last?.deliveries ?? [])
      if (Date.parse(created_at) > begin + 5.1 * day) expect(status).toBe('held');
    // Deliveries of the first day have used up their schedule.
    for (const { status, created_at } of last?.deliveries ?? [])
      if (Date.parse(created_at) < begin + 1 * day) expect(status).toBe('failed');
  });
});
