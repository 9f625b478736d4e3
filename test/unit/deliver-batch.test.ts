/** A batch of deliveries: what is posted, recorded, counted and logged, and what it changes in the webhook. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryMessage } from '../../shared/deliveries/delivery.ts';
import { noOptions, type Options } from '../../shared/webhooks/options-resource.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import {
  answered,
  deliverySettings,
  iso,
  minute,
  notAnswered,
  now,
  receiverInMemory,
  second,
  worldOf,
} from '../support/deliver-in-memory.ts';
import { eventual } from '../support/eventual.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, { ...aws.environment, SETTINGS: settingsText() });
vi.mock('../../shared/stats/count.ts', () => ({ countOutcome: vi.fn(), countLatency: vi.fn() }));
vi.mock('../../shared/aws/metrics.ts', () => ({ count: vi.fn(), measure: vi.fn() }));
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');
const { optionsKey } = await import('../../shared/webhooks/options-store.ts');
const { countOutcome } = await import('../../shared/stats/count.ts');
const { count, measure } = await import('../../shared/aws/metrics.ts');
const { log } = await import('../../shared/aws/log.ts');

stopTime(now);
beforeEach(() => {
  vi.clearAllMocks();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const { webhook: putWebhook, event: putEvent, message, next: nextOf, stored, record } = worldOf(aws);
const works = answered(200);
const fails = answered(500);

type Answer = Parameters<typeof receiverInMemory>[0];

/** Processes messages as one batch, with `answer` as the receiver; returns the requests that the receiver got. */
const deliver = async (
  messages: readonly DeliveryMessage[],
  answer: Answer = () => works,
  { lane = 'normal', ...rules }: { lane?: 'normal' | 'slow' } & Partial<typeof deliverySettings> = {},
) => {
  const { requests, sender } = receiverInMemory(answer);
  await Promise.all(deliverBatch({ sender, settings: { ...deliverySettings, ...rules } }, messages, lane));
  return requests;
};

const putWithOptions = (options: Partial<Options>, number: number): Webhook => {
  const webhook = putWebhook({ options_revision: 'r1' }, number);
  const stored = { webhook_id: webhook.id, revision: 'r1', options: JSON.stringify({ ...noOptions, ...options }) };
  aws.put(optionsKey(webhook.id), stored);
  return webhook;
};

const recorded = () => aws.requests('BatchWriteCommand');

describe('deliveries of webhooks with filters or formats in one batch', () => {
  it('let sockets and timers run before each of them, and do not delay others', async () => {
    let round = 0;
    const nextRound = () => {
      round += 1;
      next = setImmediate(nextRound);
    };
    let next = setImmediate(nextRound);
    const filter = { post: { current: { title: ['Hello'] } } };
    const filtered = [1, 2, 3].map((number) => putWithOptions({ filter }, number));
    const [hash, plain] = [putEvent(), putWebhook({}, 4)];
    const rounds = new Map<string, number>();
    const messages = [...filtered, plain].map((webhook) => message(webhook, hash));
    await deliver(messages, ({ headers }) => {
      rounds.set(headers['webhook-id'] ?? '', round);
      return works;
    });
    clearImmediate(next);
    const [first, second, third, unfiltered] = messages.map(({ delivery_id }) => rounds.get(delivery_id) ?? 0);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(unfiltered).toBeLessThan(first ?? 0);
  });
});

describe('a delivery that succeeds', () => {
  it('is recorded while other deliveries of the batch still wait for an answer', async () => {
    const [quick, slow] = [putWebhook(), putWebhook({ target_url: 'https://slow.example/' }, 1)];
    const hash = putEvent();
    const messages = [message(quick, hash), message(slow, hash)] as const;
    const hanging = Promise.withResolvers<typeof works>();
    const delivering = deliver(messages, ({ url }) => (url === slow.target_url ? hanging.promise : works));
    await eventual(() => expect(stored(messages[0])).toMatchObject({ status: 'delivered' }));
    expect(stored(messages[1])).toBeUndefined();
    hanging.resolve(works);
    await delivering;
    expect(stored(messages[1])).toMatchObject({ status: 'delivered' });
  });

  it('has its latency measured with the slowest of its batch, except for a ping', async () => {
    const [webhook, hash] = [putWebhook(), putEvent()];
    const pinged = message(webhook, hash, { trigger: 'ping', event: 'webhook.ping', created_at: iso(now - 900) });
    await deliver([message(webhook, hash), pinged, message(webhook, hash, { created_at: iso(now - 300) })]);
    expect(vi.mocked(measure).mock.calls).toEqual([['DeliveryLatency', 300]]);
    await deliver([message(webhook, hash, { trigger: 'ping', event: 'webhook.ping' })]);
    expect(measure).toHaveBeenCalledTimes(1);
  });
});

describe('a delivery that fails', () => {
  it('is counted and logged with the time of its next attempt', async () => {
    const info = vi.spyOn(log, 'info');
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], () => fails);
    expect(vi.mocked(count).mock.calls).toEqual([['DeliveriesRetrying']]);
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['retrying']]);
    expect(info).toHaveBeenCalledWith('not delivered', {
      event_id: 'e1',
      delivery_id: one.delivery_id,
      webhook_id: webhook.id,
      attempts: 1,
      status: 'retrying',
      last_status: '500',
      last_error: 'status',
      next_attempt_at: iso(now + 5 * second),
    });
  });

  it('is counted once, however often it then waits for the circuit breaker', async () => {
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], () => fails);
    const info = vi.spyOn(log, 'info');
    const health = { not_before: now + 10 * minute };
    aws.change(webhookKey(webhook.id), { health });
    for (const at of [5 * second, minute]) {
      vi.setSystemTime(now + at);
      expect(await deliver([nextOf(one)], () => works, { lane: 'slow' })).toEqual([]);
    }
    expect(vi.mocked(count).mock.calls).toEqual([['DeliveriesRetrying']]);
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['retrying']]);
    expect(info.mock.calls.map(([line]) => line)).toEqual(['waits', 'waits']);
    expect(info).toHaveBeenLastCalledWith('waits', {
      event_id: 'e1',
      delivery_id: one.delivery_id,
      webhook_id: webhook.id,
      attempts: 1,
      waiting_for: 'retry_after',
      next_attempt_at: stored(one)?.next_attempt_at,
    });
  });

  it('sends no message if its next attempt is later than a message can wait: the sweep sends it', async () => {
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], () => fails, { retryAfterSeconds: [0, 901] });
    expect(stored(one)).toMatchObject({ next_attempt_at: iso(now + 901 * second), due_at: iso(now + 901 * second) });
    expect(aws.sent()).toEqual([]);
    const other = message(webhook, putEvent());
    await deliver([other], () => fails, { retryAfterSeconds: [0, 900] });
    expect(aws.sent()).toMatchObject([{ delaySeconds: 900 }]);
    expect(stored(other)).not.toHaveProperty('due_at');
  });

  it.each([
    ['without another attempt', fails, 'failed'],
    ['because its target is forbidden', notAnswered('blocked'), 'blocked'],
  ])('is counted as failed and sends no message if it fails for good: %s', async (_, answer, status) => {
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], () => answer, { retryAfterSeconds: [0] });
    expect(stored(one)).toMatchObject({ status, attempts: 1, next_attempt_at: null, waiting_for: null });
    expect(aws.sent()).toEqual([]);
    expect(vi.mocked(count).mock.calls).toEqual([['DeliveriesFailed']]);
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['failed']]);
  });

  it('waits one second and counts no attempt if nothing was sent', async () => {
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], () => notAnswered('busy'));
    expect(stored(one)).toMatchObject({
      status: 'pending',
      attempts: 0,
      waiting_for: { reason: 'schedule', until: iso(now + second) },
    });
    expect(record(webhook)).toEqual(webhook);
    expect(aws.sent()).toMatchObject([{ body: { attempt: 1 } }]);
  });
});

describe('a message of the delivery queues', () => {
  it('is a separate attempt if its delivery or its attempt number differs', async () => {
    const [webhook, hash] = [putWebhook(), putEvent()];
    const [one, other] = [message(webhook, hash), message(webhook, hash)];
    await deliver([one, other], () => fails);
    vi.setSystemTime(now + 5 * second);
    // The first attempt of one delivery again, and the second attempts of both.
    const again = [one, nextOf(one), nextOf(other), nextOf(other)];
    expect(await deliver(again, () => works, { lane: 'slow' })).toHaveLength(2);
    for (const each of [one, other]) expect(stored(each)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('ends its delivery as cancelled if its webhook was deleted', async () => {
    const webhook = putWebhook();
    aws.erase(webhookKey(webhook.id));
    const one = message(webhook, putEvent());
    expect(await deliver([one])).toEqual([]);
    expect(stored(one)).toMatchObject({ status: 'cancelled', attempts: 0, next_attempt_at: null, waiting_for: null });
    expect(stored(one)).not.toHaveProperty('due');
    expect(count).not.toHaveBeenCalled();
  });

  it('ends its delivery as held if its webhook is disabled', async () => {
    const one = message(putWebhook({ status: 'disabled' }), putEvent());
    expect(await deliver([one])).toEqual([]);
    expect(stored(one)).toMatchObject({ status: 'held', waiting_for: { reason: 'disabled', until: null } });
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['held']]);
    expect(count).not.toHaveBeenCalled();
  });

  it('fails without affecting the rest of the batch if the table refuses to record it', async () => {
    const webhook = putWebhook();
    const [one, other] = [message(webhook, putEvent()), message(webhook, putEvent())];
    aws.fail('PutCommand');
    const { sender } = receiverInMemory(({ headers }) =>
      headers['webhook-id'] === one.delivery_id ? answered(404) : works,
    );
    const results = await Promise.allSettled(
      deliverBatch({ sender, settings: deliverySettings }, [one, other], 'normal'),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(stored(other)).toMatchObject({ status: 'delivered' });
  });
});

describe('the most recent events', () => {
  /** Stores an event whose payload has a million characters; gzip makes it small. */
  const putLong = () => {
    const hash = putEvent({ payload: '', parts: { hash: 'p', count: 1 } });
    const bytes = gzipSync(`{"post":{"current":{"html":"${'x'.repeat(1_000_000)}"},"previous":{}}}`);
    aws.put({ pk: `EVENT_BODY#${hash}#p#0`, sk: 'PART' }, { bytes, expires_at: 4_000_000_000 });
    return hash;
  };
  /** Delivers an event, and returns whether the batch read it from the table. */
  const isRead = async (webhook: Webhook, hash: string) => {
    const before = aws.requests('BatchGetCommand').length;
    await deliver([message(webhook, hash)]);
    const requests = aws.requests('BatchGetCommand').slice(before);
    return requests.some(({ RequestItems }) =>
      RequestItems[aws.tableName].Keys.some(({ pk }: { pk: string }) => pk === `EVENT_BODY#${hash}`),
    );
  };

  it('stay in memory, up to eight megabytes', async () => {
    const webhook = putWebhook();
    const [short, other] = [putEvent(), putEvent()];
    await deliver([message(webhook, short), message(webhook, other)]);
    expect([await isRead(webhook, short), await isRead(webhook, other)]).toEqual([false, false]);
    const long = [1, 2, 3, 4, 5].map(putLong);
    for (const hash of long) await deliver([message(webhook, hash)]);
    expect(await isRead(webhook, long.at(-1) ?? '')).toBe(false);
    expect(await isRead(webhook, long[0] ?? '')).toBe(true);
  });
});

describe('the end of a batch', () => {
  /** Waits without a timer, because the clock of these tests is stopped. */
  const ended = async (state: { readonly over: boolean }) => {
    while (!state.over) await new Promise(setImmediate);
  };
  const isOver = (delivering: Promise<unknown>) => {
    const state = { over: false };
    void delivering.then(() => {
      state.over = true;
    });
    return state;
  };

  it('writes all successes as soon as the last answer has come, and leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now });
    const [webhook, hash] = [putWebhook(), putEvent()];
    const neighbour = putWebhook({ target_url: 'https://other.example/' }, 1);
    await ended(isOver(deliver([message(webhook, hash), message(neighbour, hash)])));
    expect(recorded()).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait for a request that could not be made', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now });
    const webhook = putWebhook();
    const messages = [message(webhook, putEvent()), message(webhook, putEvent())];
    let asked = 0;
    const delivering = deliver(messages, async () => {
      asked += 1;
      if (asked === 1) return works;
      await new Promise(setImmediate);
      throw new Error('an invalid header');
    });
    await expect(delivering).rejects.toThrow('an invalid header');
    // The batch continues after the error.
    while (vi.getTimerCount() > 0 || recorded().length === 0) await new Promise(setImmediate);
    expect(recorded()).toHaveLength(1);
  });
});

describe('the record of a webhook', () => {
  it.each([
    ['redelivery', {}],
    ['replay', {}],
    ['ping', { event: 'webhook.ping' }],
  ] as const)('does not show a %s as the last trigger', async (trigger, changes) => {
    const webhook = putWebhook();
    await deliver([message(webhook, putEvent(), { trigger, ...changes })], () => fails);
    expect(record(webhook)).toMatchObject({ health: { failures: 1 }, last_triggered_status: '200' });
    expect(record(webhook)).not.toHaveProperty('failing_since');
  });

  it('shows the end of the failures after a successful ping, but not after a successful replay', async () => {
    const webhook = putWebhook({ failing_since: iso(now - minute), last_triggered_at: iso(now) });
    const pinged = { trigger: 'ping', event: 'webhook.ping' } as const;
    await deliver([message(webhook, putEvent(), pinged)], () => answered(404));
    await deliver([message(webhook, putEvent(), { trigger: 'replay' })]);
    expect(record(webhook)).toHaveProperty('failing_since');
    await deliver([message(webhook, putEvent(), pinged)]);
    expect(record(webhook)).not.toHaveProperty('failing_since');
  });

  it('can fail to be written without failing the delivery', async () => {
    const warn = vi.spyOn(log, 'warn');
    const webhook = putWebhook();
    const one = message(webhook, putEvent(), { trigger: 'redelivery' });
    const error = new Error('no answer');
    aws.fail('UpdateCommand', { error });
    await deliver([one], () => fails);
    expect(stored(one)).toMatchObject({ status: 'retrying' });
    expect(warn).toHaveBeenCalledWith(expect.any(String), { error });
  });
});

describe('an attempt that has no answer at the soft deadline', () => {
  const slowAfterMs = 10;

  it('does not affect another webhook of the batch that has already answered', async () => {
    const [quick, slow] = [putWebhook(), putWebhook({ target_url: 'https://slow.example/' }, 1)];
    const hash = putEvent();
    const hanging = Promise.withResolvers<typeof works>();
    const delivering = deliver(
      [message(quick, hash), message(slow, hash)],
      ({ url }) => (url === slow.target_url ? hanging.promise : works),
      { slowAfterMs },
    );
    await eventual(() => expect(record(slow)).toHaveProperty('health.slow_until'));
    hanging.resolve(works);
    await delivering;
    expect(record(quick)).toEqual(quick);
  });

  it('does not affect another webhook of the batch whose request could not be made', async () => {
    const [wrong, slow] = [putWebhook(), putWebhook({ target_url: 'https://slow.example/' }, 1)];
    const hash = putEvent();
    const hanging = Promise.withResolvers<typeof works>();
    const delivering = deliver(
      [message(wrong, hash), message(slow, hash)],
      ({ url }) => (url === slow.target_url ? hanging.promise : Promise.reject(new Error('an invalid header'))),
      { slowAfterMs },
    );
    const ended = expect(delivering).rejects.toThrow('an invalid header');
    await eventual(() => expect(record(slow)).toHaveProperty('health.slow_until'));
    hanging.resolve(works);
    await ended;
    expect(record(wrong)).toEqual(wrong);
  });
});
