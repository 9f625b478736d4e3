/** Deliveries in the table: which step of two is recorded, pages of the log, and failures that are to be published. */
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
  created_at: iso(now - 1000),
  last_attempt_at: iso(now - 500),
  next_attempt_at: iso(now),
  last_status: '500',
  last_error: 'status',
  waiting_for: { reason: 'schedule', until: iso(now) },
  log: [],
  expires_at: 2_000_000_000,
};
const key = deliveryKey(webhook, delivery.id);
const read = () => aws.read(key);

describe('a step of a delivery', () => {
  const attempted: Delivery = { ...delivery, attempts: 3, next_attempt_at: iso(now + 1000) };
  const deferred: Delivery = { ...delivery, next_attempt_at: iso(now + 1000) };

  it('is recorded with the time at which the sweep checks it, and named', async () => {
    aws.put(key, delivery);
    expect(await store.recordStep(delivery, attempted, now + 5000)).toBe(true);
    expect(read()).toMatchObject({ ...attempted, due_at: iso(now + 5000), due: expect.stringMatching(/^DUE#\d+$/) });
    expect(read().step).toMatch(/^[0-9a-f]{12}$/);
  });

  it('is the first if the delivery is not stored, and removes an earlier due time', async () => {
    expect(await store.recordStep(delivery, attempted, now)).toBe(true);
    expect(await store.recordStep(attempted, { ...attempted, attempts: 4, status: 'failed' })).toBe(true);
    expect(read()).toMatchObject({ status: 'failed' });
    expect(read()).not.toHaveProperty('due');
    expect(read()).not.toHaveProperty('due_at');
  });

  it.each(['pending', 'retrying'] as const)('follows a %s delivery', async (status) => {
    aws.put(key, { ...delivery, status });
    expect(await store.recordStep(delivery, attempted)).toBe(true);
  });

  it.each(['delivered', 'failed', 'cancelled', 'blocked', 'held'])('does not follow a %s delivery', async (status) => {
    aws.put(key, { ...delivery, status });
    expect(await store.recordStep(delivery, attempted)).toBe(false);
    expect(read()).toEqual({ ...delivery, status });
  });

  it('with an attempt is recorded once, although the delivery waits for something else now', async () => {
    aws.put(key, deferred);
    expect(await store.recordStep(delivery, attempted)).toBe(true);
    expect(await store.recordStep(delivery, attempted)).toBe(false);
    expect(await store.recordStep(delivery, { ...attempted, attempts: 2 })).toBe(false);
  });

  it('without an attempt is recorded only if the delivery waits for what it waited for', async () => {
    aws.put(key, delivery);
    expect(await store.recordStep(delivery, deferred)).toBe(true);
    expect(await store.recordStep(delivery, deferred)).toBe(false);
  });

  it('is recorded although the answer is lost', async () => {
    aws.put(key, delivery);
    aws.loseAnswerOf('PutCommand');
    expect(await store.recordStep(delivery, attempted)).toBe(true);
    expect(read()).toMatchObject({ attempts: 3 });
  });
});

describe('a new delivery', () => {
  it('is stored, and due if that is demanded', async () => {
    expect(await store.addDelivery(delivery, now + 1)).toEqual(delivery);
    expect(read()).toMatchObject({ ...delivery, due_at: iso(now + 1) });
    expect(await store.readDelivery(webhook, delivery.id)).toMatchObject(delivery);
  });

  it('is the stored delivery if there already is one', async () => {
    aws.put(key, { ...delivery, attempts: 5 });
    expect(await store.addDelivery(delivery)).toMatchObject({ attempts: 5 });
    expect(read()).toMatchObject({ attempts: 5 });
  });
});

describe('successes', () => {
  it('replace what is stored, and are due no longer', async () => {
    await store.addDelivery(delivery, now);
    await store.recordSuccesses([{ ...delivery, status: 'delivered' }]);
    expect(read()).toEqual({ ...delivery, status: 'delivered' });
  });
});

describe('a page of a log', () => {
  const idAt = (ms: number, suffix = '0') => `${idTime(ms)}${suffix.repeat(12)}` as DeliveryId;
  const all = { since: undefined, until: undefined, newestFirst: false, limit: 10, after: undefined };
  const put = (...ids: DeliveryId[]) => {
    for (const id of ids) aws.put(deliveryKey(webhook, id), { ...delivery, id });
    // Items beside the deliveries, which are none.
    aws.put(webhookKey(webhook));
    aws.put({ pk: `WEBHOOK#${webhook}`, sk: 'A' });
  };
  const page = async (options: Partial<LogOptions>) => {
    const [read] = store.logsOf([webhook]);
    const { deliveries, next } = (await read?.({ ...all, ...options })) ?? { deliveries: [] };
    return [deliveries.map(({ id }) => id), next];
  };
  const [one, two, three] = [idAt(now), idAt(now + 1, 'f'), idAt(now + 2)];

  it('has all deliveries of a webhook, oldest or newest first', async () => {
    put(one, two, three);
    expect(await page({})).toEqual([[one, two, three], undefined]);
    expect(await page({ newestFirst: true })).toEqual([[three, two, one], undefined]);
    expect((await store.newestDeliveries(webhook, 2)).map(({ id }) => id)).toEqual([three, two]);
  });

  it('begins at `since`, ends before `until`, and goes on behind a delivery', async () => {
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

  it('goes on behind a delivery whose id differs from the next one in its last character only', async () => {
    const next = one.replace(/.$/, '1') as DeliveryId;
    put(one, next);
    expect(await page({ newestFirst: true, after: next })).toEqual([[one], undefined]);
    expect(await page({ after: one })).toEqual([[next], undefined]);
  });
});

describe('when a webhook was last triggered', () => {
  it('is shown by its newest deliveries, where its record is older', async () => {
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

describe('the end of a delivery', () => {
  const failed: Delivery = { ...delivery, status: 'failed' };
  /** Modules of their own, because the answer is remembered for a minute. */
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
  ] as const)('is announced if a webhook subscribes: %s is %s', async (_, ended, expected) => {
    subscribe();
    const { isAnnounced } = await modules();
    expect(await isAnnounced(ended)).toBe(expected);
  });

  it('is not announced without a subscriber, which is read once a minute', async () => {
    const { isAnnounced } = await modules();
    expect(await isAnnounced(failed)).toBe(false);
    subscribe();
    vi.setSystemTime(now + 59_999);
    expect(await isAnnounced(failed)).toBe(false);
    expect(aws.requests('QueryCommand')).toMatchObject([{ Limit: 1 }]);
    vi.setSystemTime(now + 60_000);
    expect(await isAnnounced(failed)).toBe(true);
    expect(await isAnnounced(failed)).toBe(true);
    expect(aws.requests('QueryCommand')).toHaveLength(2);
  });

  it('is left to the sweep if the table does not answer', async () => {
    const { isAnnounced } = await modules();
    aws.fail('QueryCommand');
    expect(await isAnnounced(failed)).toBe(true);
  });

  it('leaves a failure due at once, if it is announced', async () => {
    subscribe();
    vi.resetModules();
    const { recordEnd } = await import('../../shared/deliveries/attempt/wait.ts');
    aws.put(key, delivery);
    await recordEnd(delivery, { ...failed, attempts: 3 });
    expect(read()).toMatchObject({ status: 'failed', due_at: iso(now) });
  });

  it('is published as an event about it, and due no longer', async () => {
    const { publishFailures } = await modules();
    const due = { due: 'DUE#1', due_at: iso(now) };
    const blocked = { ...failed, status: 'blocked', id: 'e'.repeat(24) as DeliveryId, last_attempt_at: null } as const;
    const held = { ...failed, status: 'held', id: 'f'.repeat(24) as DeliveryId } as const;
    const rows = [failed, blocked, held].map((row) => ({ ...row, ...deliveryKey(webhook, row.id), ...due }));
    for (const row of rows) aws.put(row, row);
    // One was due again since the index showed it.
    aws.change(deliveryKey(webhook, blocked.id), { due_at: iso(now + 1) });
    await publishFailures(rows);
    const { body_hash: _hash, expires_at: _expires, log: _log, ...shown } = failed;
    expect(aws.sent()).toMatchObject([
      {
        queue: 'events',
        group: 'masthead',
        body: {
          kind: 'event',
          id: `delivery-failed-${failed.id}`,
          publisher: 'masthead',
          event: 'delivery.failed',
          accepted_at: failed.last_attempt_at,
          payload: { delivery: { current: shown, previous: {} } },
        },
      },
      { body: { id: `delivery-failed-${blocked.id}`, accepted_at: failed.created_at } },
    ]);
    expect(read()).toEqual(failed);
    expect(aws.read(deliveryKey(webhook, blocked.id))).toMatchObject({ due_at: iso(now + 1) });
    expect(aws.read(deliveryKey(webhook, held.id))).toMatchObject(due);
  });
});
