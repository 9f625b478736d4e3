/** A receiver that works again gets what waited for it: soon, at a limited rate, and nothing before the time that it asked for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DeliveryMessage, newDelivery } from '../../shared/deliveries/delivery.ts';
import type { RecoveryMessage } from '../../shared/deliveries/recovery/message.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { answered, deliverySettings, now, receiverInMemory, second, worldOf } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');
const { releaseWaiting } = await import('../../shared/deliveries/recovery/release.ts');

stopTime(now);
beforeEach(() => {
  // The same worlds in each run.
  let seed = 1;
  vi.spyOn(Math, 'random').mockImplementation(() => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const { webhook: putWebhook, event, message } = worldOf(aws);

interface Post {
  readonly delivery: string;
  readonly at: number;
  readonly ok: boolean;
}

type Answer = ReturnType<typeof answered>;

/** Publishes `count` events, one each quarter of a second, and runs until the end; `answer` is what the receiver answers at a time. */
const live = async (
  count: number,
  answer: (ms: number, delivery: string) => Answer,
  forMs: number,
): Promise<readonly Post[]> => {
  const webhook = putWebhook();
  const posts: Post[] = [];
  const queue: { at: number; queue: string; body: object }[] = Array.from({ length: count }, (_, number) => {
    const at = now + number * 250;
    return { at, queue: 'deliveries', body: message(webhook, event(), { created_at: new Date(at).toISOString() }) };
  });
  const { sender } = receiverInMemory(({ headers }) => {
    const result = answer(Date.now() - now, headers['webhook-id'] ?? '');
    posts.push({ delivery: headers['webhook-id'] ?? '', at: Date.now() - now, ok: result.status < 300 });
    return result;
  });
  const process = async (due: readonly (typeof queue)[number][]) => {
    const of = (name: string) => due.filter((one) => one.queue === name).map(({ body }) => body);
    for (const body of of('replays')) await releaseWaiting(body as RecoveryMessage);
    for (const [name, lane] of [
      ['deliveries', 'normal'],
      ['slow-deliveries', 'slow'],
    ] as const) {
      const messages = of(name) as DeliveryMessage[];
      for (let start = 0; start < messages.length; start += 10)
        await Promise.all(
          deliverBatch({ sender, settings: deliverySettings }, messages.slice(start, start + 10), lane),
        );
    }
  };
  for (;;) {
    queue.sort((one, other) => one.at - other.at);
    const next = queue[0]?.at ?? Number.POSITIVE_INFINITY;
    if (next > now + forMs) return posts;
    vi.setSystemTime(Math.max(next, Date.now()));
    const due = queue.filter(({ at }) => at <= Date.now());
    queue.splice(0, due.length);
    await process(due);
    for (const sent of aws.sent())
      if (sent.queue !== 'mail')
        queue.push({ at: Date.now() + (sent.delaySeconds ?? 0) * second, queue: sent.queue, body: sent.body });
  }
};

/** The time of each success, in ms after the first one. */
const successesAfterFirst = (posts: readonly Post[]) => {
  const times = posts.filter(({ ok }) => ok).map(({ at }) => at);
  const first = Math.min(...times);
  return times.map((at) => at - first).sort((one, other) => one - other);
};
const worksFrom =
  (ms: number) =>
  (at: number): Answer =>
    answered(at < ms ? 500 : 200);

describe('a receiver that was down for 20 seconds', () => {
  it('gets all of 80 deliveries, each once, within 15 seconds after its first success', async () => {
    const posts = await live(80, worksFrom(20 * second), 600 * second);
    const times = successesAfterFirst(posts);
    expect(times).toHaveLength(80);
    expect(times.at(-1)).toBeLessThanOrEqual(15 * second);
    // It is not flooded: it gets the probe, the first chunk, and what becomes due by itself.
    expect(times.filter((ms) => ms < second).length).toBeLessThanOrEqual(1 + 20 + 10);
  });

  it('gets nothing before the time that it asked for in `Retry-After`', async () => {
    const asksForTime = answered(500, { headers: { 'retry-after': '600' } });
    const posts = await live(8, (at) => (at < 2 * second ? asksForTime : answered(200)), 1200 * second);
    const first = new Map(posts.map(({ delivery, at, ok }) => [delivery, { at, ok }]));
    const asked = posts.filter(({ ok }) => !ok).map(({ delivery, at }) => ({ delivery, at }));
    expect(asked.length).toBeGreaterThan(3);
    for (const { delivery, at } of asked)
      expect((first.get(delivery)?.at ?? 0) - at).toBeGreaterThanOrEqual(600 * second);
  });
});

describe('the release of what waits for a receiver', () => {
  it('stops if the receiver fails again', async () => {
    let ups = 0;
    // It answers one request after the first 20 seconds.
    const posts = await live(80, (at) => answered(at >= 20 * second && ups++ === 0 ? 200 : 500), 120 * second);
    // Five failures open the circuit breaker, and then only one probe at a time follows.
    const back = posts.find(({ ok }) => ok)?.at ?? 0;
    const wasted = posts.filter(({ at, ok }) => !ok && at > back).length;
    expect(wasted).toBeLessThanOrEqual(20 + 10);
  });

  it('leaves a delivery that fails again to its own schedule', async () => {
    const tries = new Map<string, number>();
    // A working receiver refuses one delivery: that is too few failures for the circuit breaker.
    let refused = '';
    const posts = await live(
      40,
      (at, delivery) => {
        tries.set(delivery, (tries.get(delivery) ?? 0) + 1);
        if (at < 10 * second) return answered(500);
        if (refused === '' && (tries.get(delivery) ?? 0) > 2) refused = delivery;
        return answered(delivery === refused ? 500 : 200);
      },
      60 * second,
    );
    const again = posts.filter(({ delivery, at }) => delivery === refused && at >= 10 * second);
    expect(refused).not.toBe('');
    expect(again).toHaveLength(1);
  });

  it('sends one message per delivery, except if another message has advanced it already', async () => {
    const webhook = putWebhook();
    const { sender } = receiverInMemory(() => answered(500));
    const messages = [1, 2, 3].map(() => message(webhook, event()));
    await Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages, 'normal'));
    aws.change(webhookKey(webhook.id), { health: undefined });
    aws.sent();
    const [advanced] = messages as [DeliveryMessage];
    const item = { pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${advanced.delivery_id}` };
    aws.before('PutCommand', () => aws.change(item, { status: 'delivered' }), 1);
    await releaseWaiting({ recovered: webhook.id, recovered_at: now + second });
    const sent = aws.sent().filter(({ queue }) => queue === 'slow-deliveries');
    expect(sent.map(({ body }) => body.delivery_id).toSorted()).toEqual(
      messages
        .slice(1)
        .map(({ delivery_id }) => delivery_id)
        .toSorted(),
    );
  });

  it('includes deliveries that are overdue, but none that still has a message in the lane', async () => {
    const webhook = putWebhook();
    const stored = [now - second, now - second + 3 * 60 * second].map((due) => {
      const one = message(webhook, event());
      const delivery = { ...newDelivery(one, deliverySettings, now), unrecorded: undefined };
      const next_attempt_at = new Date(now - second).toISOString();
      const waiting_for = { reason: 'circuit_breaker', until: next_attempt_at };
      const due_at = new Date(due).toISOString();
      const key = { pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${one.delivery_id}` };
      aws.put(key, { ...delivery, next_attempt_at, waiting_for, due: 'DUE#0', due_at });
      return one.delivery_id;
    });
    await releaseWaiting({ recovered: webhook.id, recovered_at: now });
    const sent = aws.sent().filter(({ queue }) => queue === 'slow-deliveries');
    expect(sent.map(({ body }) => body.delivery_id)).toEqual(stored.slice(0, 1));
  });

  it('doubles its chunk once half of the last one is processed, and otherwise halves it', async () => {
    const webhook = putWebhook();
    const waiting = Array.from({ length: 401 }, (_, number) => {
      const one = message(webhook, event(), { created_at: new Date(now - 1000 + number).toISOString() });
      const until = new Date(now + 300 * second).toISOString();
      aws.put(
        { pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${one.delivery_id}` },
        {
          ...newDelivery(one, deliverySettings, now),
          next_attempt_at: until,
          waiting_for: { reason: 'schedule', until },
        },
      );
      return one.delivery_id;
    });
    const recovery = () => aws.sent().find(({ queue }) => queue === 'replays')?.body as unknown as RecoveryMessage;
    await releaseWaiting({ recovered: webhook.id, recovered_at: now, size: 200 });
    const next = recovery();
    // A sample of the whole chunk shows how much of it is left.
    expect(next).toMatchObject({ size: 400, after: waiting[199] });
    expect(next.sample).toEqual(waiting.slice(0, 200).filter((_, position) => position % 2 === 0));
    // Of the first half of the chunk, all but one sampled delivery is processed.
    for (const id of waiting.slice(0, 98))
      aws.change({ pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${id}` }, { waiting_for: null });
    await releaseWaiting(next);
    expect(recovery()).toEqual({ ...next, size: 200 });
    await releaseWaiting({ ...next, size: 30 });
    expect(recovery()).toMatchObject({ size: 20 });
    for (const id of waiting.slice(98, 100))
      aws.change({ pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${id}` }, { waiting_for: null });
    await releaseWaiting(next);
    expect(recovery()).toMatchObject({ isSecond: true });
  });

  it('sends nothing if the webhook was deleted', async () => {
    await releaseWaiting({ recovered: 'f'.repeat(24) as WebhookId, recovered_at: now });
    expect(aws.sent()).toEqual([]);
  });
});
