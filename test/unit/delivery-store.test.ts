/** Deliveries in the table: which of two concurrent steps is recorded, pages of the log, and failures to publish. */
import { describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import type { LogOptions } from '../../shared/deliveries/records/log-page.ts';
import { deliveryKey } from '../../shared/deliveries/records/row.ts';
import { type DeliveryId, idTime, type WebhookId } from '../../shared/foundation/ids.ts';
import { subscriberKey, webhookKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { failingWebhook } from '../support/notice.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const store = await import('../../shared/deliveries/records/store.ts');

const now = Date.parse('2026-11-26T10:20:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
stopTime(now);

const webhook = 'a'.repeat(24) as WebhookId;
const delivery: Delivery = {
  id: 'd'.repeat(24) as DeliveryId,
  webhook_id: webhook,
  event: 'post.published',
  event_id: 'e1',
  body_hash: 'h',
  status: 'retrying',
  trigger: 'event',
  attempts: 2,
  waits: 0,
  created_at: iso(now - 1000),
  last_attempt_at: iso(now - 500),
  next_attempt_at: iso(now),
  last_status: '500',
  last_error: 'status',
  waiting_for: { reason: 'schedule', until: iso(now) },
  replayed_by: null,
  log: [],
  expires_at: 2_000_000_000,
};
const key = deliveryKey(webhook, delivery.id);
const read = () => aws.read(key);

describe('a step of a delivery (an attempt, a wait or an end)', () => {
  const attempted: Delivery = { ...delivery, attempts: 3, next_attempt_at: iso(now + 1000) };
  const deferred: Delivery = { ...delivery, waits: 1, next_attempt_at: iso(now + 1000) };

  it('is recorded, with the time at which the sweep checks the delivery if it has no message', async () => {
    aws.put(key, delivery);
    expect(await store.recordStep(attempted, { due: now + 5000 })).toBe(true);
    expect(read()).toMatchObject({ ...attempted, due_at: iso(now + 5000), due: expect.stringMatching(/^DUE#\d+$/) });
  });

  it('creates the delivery if it is not stored; a final step removes the due time', async () => {
    expect(await store.recordStep(attempted, { due: now })).toBe(true);
    expect(await store.recordStep({ ...attempted, attempts: 4, status: 'failed' })).toBe(true);
    expect(read()).toMatchObject({ status: 'failed' });
    expect(read()).not.toHaveProperty('due');
    expect(read()).not.toHaveProperty('due_at');
  });

  it.each(['delivered', 'failed', 'cancelled', 'blocked', 'held'])(
    'is not recorded if the delivery is %s',
    async (status) => {
      aws.put(key, { ...delivery, status });
      expect(await store.recordStep(attempted)).toBe(false);
      expect(read()).toEqual({ ...delivery, status });
    },
  );

  it('with an attempt goes further than any wait for it', async () => {
    aws.put(key, { ...deferred, waits: 9 });
    expect(await store.recordStep(attempted)).toBe(true);
    expect(await store.recordStep({ ...deferred, waits: 10 })).toBe(false);
    expect(read()).toMatchObject({ attempts: 3, waits: 0 });
  });

  it('is recorded once: another message for the same step changes nothing', async () => {
    aws.put(key, delivery);
    expect(await store.recordStep(deferred)).toBe(true);
    expect(await store.recordStep({ ...deferred, next_attempt_at: iso(now + 2000) })).toBe(false);
    expect(read()).toMatchObject(deferred);
  });

  it('is recorded even if the answer to the write is lost', async () => {
    aws.put(key, delivery);
    aws.loseAnswerOf('PutCommand');
    expect(await store.recordStep(attempted)).toBe(true);
    expect(read()).toMatchObject({ attempts: 3 });
  });
});

describe('a new delivery', () => {
  it('does not replace a delivery that is already stored', async () => {
    aws.put(key, { ...delivery, attempts: 5 });
    await store.addDelivery(delivery);
    expect(read()).toMatchObject({ attempts: 5 });
  });
});

describe('successes', () => {
  const delivered: Delivery = { ...delivery, status: 'delivered', next_attempt_at: null, waiting_for: null };

  // BatchWriteItem has no conditions. The receiver has the event, so no other record of the delivery counts more.
  it.each([
    ['a further attempt of another message', { attempts: 5, status: 'retrying' }],
    ['the end of another message', { attempts: 5, status: 'failed' }],
    ['a hold', { status: 'held' }],
  ] as const)('replace %s, and nothing that is recorded later replaces them', async (_, other) => {
    aws.put(key, { ...delivery, ...other });
    await store.recordSuccesses([delivered]);
    expect(await store.recordStep({ ...delivery, attempts: 9, status: 'failed' })).toBe(false);
    expect(read()).toEqual(delivered);
  });
});

describe('a page of a log', () => {
  const idAt = (ms: number, suffix = '0') => `${idTime(ms)}${suffix.repeat(12)}` as DeliveryId;
  const all = { since: undefined, until: undefined, newestFirst: false, limit: 10, after: undefined };
  const put = (...ids: DeliveryId[]) => {
    for (const id of ids) aws.put(deliveryKey(webhook, id), { ...delivery, id });
    // Other items in the same partition, which are not deliveries.
    aws.put(webhookKey(webhook));
    aws.put({ pk: `WEBHOOK#${webhook}`, sk: 'A' });
  };
  const page = async (options: Partial<LogOptions>) => {
    const read = store.logOf(webhook);
    const { deliveries, next } = await read({ ...all, ...options });
    return [deliveries.map(({ id }) => id), next];
  };
  const [one, two, three] = [idAt(now), idAt(now + 1, 'f'), idAt(now + 2)];

  it('has all deliveries of a webhook, oldest first or newest first', async () => {
    put(one, two, three);
    expect(await page({})).toEqual([[one, two, three], undefined]);
    expect(await page({ newestFirst: true })).toEqual([[three, two, one], undefined]);
    expect((await store.newestDeliveries(webhook, 2)).map(({ id }) => id)).toEqual([three, two]);
  });

  it('begins at `since`, ends before `until`, and can continue after a delivery', async () => {
    put(one, two, three);
    expect(await page({ since: now + 1 })).toEqual([[two, three], undefined]);
    expect(await page({ until: now + 2 })).toEqual([[one, two], undefined]);
    expect(await page({ after: one })).toEqual([[two, three], undefined]);
    expect(await page({ limit: 1 })).toEqual([[one], one]);
    expect(await page({ limit: 2 })).toEqual([[one, two], two]);
    expect(await page({ since: now + 2, after: one })).toEqual([[three], undefined]);
    expect(await page({ newestFirst: true, after: three })).toEqual([[two, one], undefined]);
    expect(await page({ newestFirst: true, until: now + 1, after: three })).toEqual([[one], undefined]);
  });

  it('continues after a delivery even if two ids differ only in their last character', async () => {
    const next = one.replace(/.$/, '1') as DeliveryId;
    put(one, next);
    expect(await page({ newestFirst: true, after: next })).toEqual([[one], undefined]);
    expect(await page({ after: one })).toEqual([[next], undefined]);
  });
});

describe('the last trigger of a webhook', () => {
  it('comes from its newest delivery if its record is older', async () => {
    const { withLastTriggered } = await import('../../shared/deliveries/log/last-triggered.ts');
    const shown = failingWebhook({ id: webhook, last_triggered_at: iso(now - 5000) });
    aws.put(key, { ...delivery, last_attempt_at: iso(now - 500) });
    expect(await withLastTriggered(shown)).toEqual({
      ...shown,
      last_triggered_at: iso(now - 500),
      last_triggered_status: '500',
      last_triggered_error: 'status',
    });
  });
});

describe('the event delivery.failed', () => {
  const failed: Delivery = { ...delivery, status: 'failed' };
  /** Fresh modules, because they remember the answer for a minute. */
  const modules = async () => {
    vi.resetModules();
    return import('../../shared/deliveries/records/failed.ts');
  };
  const subscribe = () => aws.put(subscriberKey('delivery.failed', webhook), { webhook_id: webhook });

  it.each([
    ['a failed delivery', failed, true],
    ['a blocked one', { ...failed, status: 'blocked' }, true],
    ['a held one', { ...failed, status: 'held' }, false],
    ['a delivered one', { ...failed, status: 'delivered' }, false],
    ['a ping', { ...failed, trigger: 'ping' }, false],
    ['a redelivery', { ...failed, trigger: 'redelivery' }, true],
    ['an operational event', { ...failed, event: 'delivery.failed' }, false],
  ] as const)('is needed only for a failure, if a webhook subscribes: %s → %s', async (_, ended, expected) => {
    subscribe();
    const { mustReport } = await modules();
    expect(await mustReport(ended)).toBe(expected);
  });

  it('is not needed without a subscriber, and subscribers are read at most once a minute', async () => {
    const { mustReport } = await modules();
    expect(await mustReport(failed)).toBe(false);
    subscribe();
    vi.setSystemTime(now + 59_999);
    expect(await mustReport(failed)).toBe(false);
    expect(aws.requests('QueryCommand')).toMatchObject([{ Limit: 1 }]);
    vi.setSystemTime(now + 60_000);
    expect(await mustReport(failed)).toBe(true);
    expect(await mustReport(failed)).toBe(true);
    expect(aws.requests('QueryCommand')).toHaveLength(2);
  });

  it('is published if the table does not say whether a webhook subscribes', async () => {
    const { mustReport } = await modules();
    aws.fail('QueryCommand');
    expect(await mustReport(failed)).toBe(true);
  });
});
