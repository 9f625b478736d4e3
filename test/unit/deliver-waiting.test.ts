/** Deliveries that are not attempted now: their webhook is slow, its circuit breaker is open, or another delivery is the probe. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryMessage } from '../../shared/deliveries/delivery.ts';
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
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');

stopTime(now);
beforeEach(() => {
  // Messages of other webhooks wait in the slow lane.
  aws.waiting('slow-deliveries', 100);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const { webhook: putWebhook, event: putEvent, message, stored, record, laneOf } = worldOf(aws);

/** Processes messages as one batch of a lane, and returns how many were posted. */
const deliver = async (messages: readonly DeliveryMessage[], lane: 'normal' | 'slow' = 'slow', status = 200) => {
  const { requests, sender } = receiverInMemory(() => answered(status));
  await Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages, lane));
  return requests.length;
};
/** Returns the message in the form in which it is sent again. */
const again = ({ first: _first, turn: _turn, ...rest }: DeliveryMessage) => ({ format: 1, ...rest });
const subscriberWrites = () =>
  aws.requests('UpdateCommand').filter(({ Key }) => String(Key.sk).startsWith('SUBSCRIBER#'));

describe('a delivery of a slow webhook in the normal lane', () => {
  const slow = (since: number) => putWebhook({ health: { lane: 'slow', slow_since: since } });

  it('moves to the slow lane, and is recorded as waiting for its turn', async () => {
    const webhook = slow(now);
    const one = message(webhook, putEvent(), { first: true, turn: now });
    expect(await deliver([one], 'normal')).toBe(0);
    expect(aws.sent()).toEqual([
      { queue: 'slow-deliveries', body: again(one), delaySeconds: undefined, group: webhook.id },
    ]);
    expect(stored(one)).toMatchObject({ status: 'pending', waiting_for: { reason: 'turn', until: null } });
  });

  it('is not moved if a concurrent message has already advanced it', async () => {
    const webhook = slow(now);
    const one = message(webhook, putEvent());
    const delivery = { pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${one.delivery_id}` };
    aws.before('PutCommand', () => aws.put(delivery, { status: 'failed', attempts: 1 }), 1);
    await deliver([one], 'normal');
    expect(aws.sent()).toEqual([]);
  });

  it('writes the lane of the subscription only if the webhook has been slow for ten seconds', async () => {
    const [late, early] = [slow(now - 10_101), slow(now - 10_100)];
    await deliver([message(early, putEvent())], 'normal');
    expect(subscriberWrites()).toEqual([]);
    aws.put(webhookKey(late.id), late);
    await deliver([message(late, putEvent())], 'normal');
    expect(laneOf(late)).toBe('slow');
  });

  it.each([
    ['a redelivery', { trigger: 'redelivery' }],
    ['a second attempt', { attempt: 2 }],
  ] as const)('never writes the lane of the subscription if it is %s', async (_, changes) => {
    const webhook = slow(now - minute);
    const one = message(webhook, putEvent());
    await deliver([{ ...one, attempt: 1 }], 'slow', 500);
    const health = { lane: 'slow', slow_since: now - minute };
    aws.change(webhookKey(webhook.id), { health });
    aws.sent();
    vi.setSystemTime(now + 5 * second);
    const before = subscriberWrites().length;
    const next = changes === undefined ? one : { ...one, ...changes };
    const fresh = 'attempt' in changes ? next : message(webhook, putEvent(), changes);
    await deliver([fresh], 'normal');
    expect(aws.sent()).toMatchObject([{ queue: 'slow-deliveries' }]);
    expect(subscriberWrites()).toHaveLength(before);
  });
});

describe('while ten webhooks of an integration hang', () => {
  let made = 0;
  const webhookOf = (integration: string) =>
    putWebhook({ integration_id: integration as Webhook['integration_id'] }, 1000 + made++);
  const [hanging, other] = ['7'.repeat(24), '8'.repeat(24)];
  const hang = async () => {
    const webhooks = Array.from({ length: 10 }, () => webhookOf(hanging));
    const { sender } = receiverInMemory(async () => {
      await eventual(() => {
        for (const webhook of webhooks) expect(record(webhook)).toMatchObject({ health: { lane: 'slow' } });
      });
      return notAnswered('timeout');
    });
    const messages = webhooks.map((webhook) => message(webhook, putEvent()));
    await Promise.all(deliverBatch({ sender, settings: { ...deliverySettings, slowAfterMs: 1 } }, messages, 'normal'));
    aws.sent();
  };

  it('a new webhook of that integration starts in the slow lane until it has answered', async () => {
    await hang();
    const webhook = webhookOf(hanging);
    const one = message(webhook, putEvent(), { created_at: iso(now - minute) });
    expect(await deliver([one], 'normal')).toBe(0);
    expect(aws.sent()).toMatchObject([{ queue: 'slow-deliveries', group: webhook.id }]);
    expect(stored(one)).toMatchObject({ status: 'pending', waiting_for: { reason: 'turn', until: null } });
    // The webhook is not known to be slow.
    expect(laneOf(webhook)).toBeUndefined();
    expect(record(webhook)).toEqual(webhook);

    expect(await deliver([one], 'slow')).toBe(1);
    expect(stored(one)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await deliver([message(webhook, putEvent())], 'normal')).toBe(1);
    expect(await deliver([message(webhookOf(other), putEvent())], 'normal')).toBe(1);
  });

  it('a webhook that has answered only in the slow lane, where nobody watches how long it takes, stays suspect', async () => {
    const webhook = webhookOf(hanging);
    aws.change(webhookKey(webhook.id), { health: { lane: 'slow', slow_since: now, slowings: 1, slowed_at: now } });
    expect(await deliver([message(webhook, putEvent())])).toBe(1);
    aws.change(webhookKey(webhook.id), { health: undefined, health_revision: undefined });
    await hang();
    expect(await deliver([message(webhook, putEvent())], 'normal')).toBe(0);
  });
});

describe('a delivery behind an open circuit breaker', () => {
  const openFor = (ms: number) =>
    putWebhook({ health: { lane: 'slow', slow_since: now - minute, openings: 1, open_until: now + ms } });

  it('waits a little longer than the breaker, both in the table and in the slow lane', async () => {
    const webhook = openFor(10 * second);
    const one = message(webhook, putEvent());
    expect(await deliver([one])).toBe(0);
    expect(stored(one)).toMatchObject({
      status: 'pending',
      attempts: 0,
      schedule_from: iso(now),
      // Half of the maximum jitter, which is half of the wait.
      next_attempt_at: iso(now + 12.5 * second),
      waiting_for: { reason: 'circuit_breaker', until: iso(now + 10 * second) },
      due_at: iso(now + 12.5 * second + 3 * minute),
      expires_at: Math.floor(now / second) + deliverySettings.keepDays * 86_400,
    });
    const body = { ...again(one), next_attempt_at: iso(now + 12.5 * second) };
    expect(aws.sent()).toEqual([{ queue: 'slow-deliveries', body, delaySeconds: 13, group: webhook.id }]);
  });

  it('waits at most 30 seconds longer, and 15 on average', async () => {
    const one = message(openFor(5 * minute), putEvent());
    await deliver([one]);
    expect(stored(one)).toMatchObject({ next_attempt_at: iso(now + 5 * minute + 15 * second) });
  });

  it('is held if the breaker stays open beyond its schedule, so that a replay can send it', async () => {
    // All waits of the schedule with their jitter.
    const scheduleMs = (0 + 5 + 300 + 1800) * 1.2 * second;
    const [one, other] = [message(openFor(scheduleMs + 1), putEvent()), message(openFor(0), putEvent())];
    aws.change(webhookKey(one.webhook_id), {
      health: { lane: 'slow', slow_since: now, openings: 1, open_until: now + scheduleMs + 1 },
    });
    await deliver([one]);
    expect(stored(one)).toMatchObject({
      status: 'held',
      attempts: 0,
      last_error: 'unreachable',
      next_attempt_at: null,
      waiting_for: { reason: 'circuit_breaker', until: null },
    });
    expect(aws.sent()).toEqual([]);
    aws.change(webhookKey(one.webhook_id), {
      health: { lane: 'slow', slow_since: now, openings: 1, open_until: now + scheduleMs },
    });
    await deliver([other]);
    expect(stored(other)).toMatchObject({ status: 'pending' });
  });

  it('counts its schedule from its first attempt', async () => {
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], 'slow', 500);
    aws.change(webhookKey(webhook.id), {
      health: { lane: 'slow', slow_since: now, openings: 1, open_until: now + minute },
    });
    vi.setSystemTime(now + 5 * second);
    await deliver([{ ...one, attempt: 2 }]);
    expect(stored(one)).toMatchObject({ status: 'retrying', attempts: 1, schedule_from: iso(now) });
    expect(aws.sent().at(-1)).toMatchObject({ body: { attempt: 2 } });
  });
});

describe('a webhook whose circuit breaker has been open long enough', () => {
  const broken = (): Webhook =>
    putWebhook({ health: { lane: 'slow', slow_since: now - minute, openings: 2, open_until: now - 1 } });

  it('gets one delivery as a probe; the rest of the batch waits for its result', async () => {
    const webhook = broken();
    const [one, ...others] = [1, 2, 3].map(() => message(webhook, putEvent()));
    expect(await deliver([one, ...others] as DeliveryMessage[])).toBe(1);
    expect(stored(one as DeliveryMessage)).toMatchObject({ status: 'delivered' });
    // The deadline, the connect timeout and two seconds.
    // An attempt may wait for a connection of ours (10 s), connect (3 s) and wait for the answer (10 s).
    const until = now + 25 * second;
    for (const other of others)
      expect(stored(other)).toMatchObject({ waiting_for: { reason: 'circuit_breaker', until: iso(until) } });
    expect(record(webhook).health).toEqual({ lane: 'slow', slow_since: now - minute, quick: 1, usual_ms: 20 });
  });

  it('stays unavailable for longer if the probe fails', async () => {
    const webhook = broken();
    await deliver([message(webhook, putEvent())], 'slow', 500);
    expect(record(webhook).health).toMatchObject({ openings: 3, open_until: now + 20 * second });
    expect(record(webhook).health).not.toHaveProperty('probe_until');
  });

  it('gets no delivery of this batch if another function has already claimed the probe', async () => {
    const webhook = broken();
    aws.before('UpdateCommand', () => aws.change(webhookKey(webhook.id), { health_revision: 'x' }), 1);
    const messages = [message(webhook, putEvent()), message(webhook, putEvent())];
    expect(await deliver(messages)).toBe(0);
    for (const one of messages) expect(stored(one)).toMatchObject({ waiting_for: { reason: 'circuit_breaker' } });
  });
});

describe('a delivery of a slow webhook', () => {
  const slow = (fields: Partial<Webhook> = {}) =>
    putWebhook({ health: { lane: 'slow', slow_since: now - minute, usual_ms: 4000 }, ...fields });
  const turnWrites = () =>
    aws
      .requests('UpdateCommand')
      .filter(({ ExpressionAttributeNames: names }) => Object.values(names).includes('turn_at'));

  it('is posted at its turn, together with the other deliveries of the webhook in the batch', async () => {
    const webhook = slow();
    expect(await deliver([message(webhook, putEvent()), message(webhook, putEvent())])).toBe(2);
    expect(turnWrites()).toHaveLength(1);
  });

  it('does not create a webhook again that is deleted during the write of its turn', async () => {
    const webhook = slow();
    aws.before('UpdateCommand', () => aws.erase(webhookKey(webhook.id)), 1);
    await deliver([message(webhook, putEvent())]);
    expect(record(webhook)).toBeUndefined();
  });

  it('is posted at most one second before its turn, because clocks differ', async () => {
    // With two slots, a turn comes half of the usual time before the next free slot.
    const webhook = slow({ turn_at: now + 3 * second });
    expect(await deliver([message(webhook, putEvent())])).toBe(1);
    const later = slow({ turn_at: now + 3 * second + 1 });
    const one = message(later, putEvent());
    expect(await deliver([one])).toBe(0);
    expect(aws.sent()).toEqual([
      { queue: 'slow-deliveries', body: { ...again(one), turn: now + 1001 }, delaySeconds: 2, group: later.id },
    ]);
    const until = iso(now + 1001);
    expect(stored(one)).toMatchObject({ next_attempt_at: until, waiting_for: { reason: 'turn', until } });
  });

  it('is posted when the reserved turn comes', async () => {
    const webhook = slow();
    expect(await deliver([message(webhook, putEvent(), { turn: now + second })])).toBe(1);
    expect(turnWrites()).toEqual([]);
    const early = message(webhook, putEvent(), { turn: now + second + 1 });
    expect(await deliver([early])).toBe(0);
    expect(aws.sent()).toMatchObject([{ body: { turn: now + second + 1 }, delaySeconds: 2 }]);
  });

  it.each([
    ['now', {}],
    ['that it has waited for', { turn: now }],
  ])('is not a probe at its turn %s: one failure does not open the circuit breaker', async (_, changes) => {
    const webhook = slow();
    expect(await deliver([message(webhook, putEvent(), changes)], 'slow', 500)).toBe(1);
    expect(record(webhook).health).toMatchObject({ failures: 1 });
    expect(record(webhook).health).not.toHaveProperty('openings');
  });

  it('asks for a turn again if none is free soon, and less often the longer it waits', async () => {
    const turn_at = now + 60 * minute;
    const one = message(slow({ turn_at }), putEvent());
    await deliver([one]);
    expect(aws.sent()).toEqual([expect.objectContaining({ body: again(one), delaySeconds: 15 })]);
    await deliver([message(slow({ turn_at }), putEvent(), { created_at: iso(now - minute) })]);
    expect(aws.sent()).toMatchObject([{ delaySeconds: 30 }]);
    await deliver([message(slow({ turn_at }), putEvent(), { created_at: iso(now - 60 * minute) })]);
    expect(aws.sent()).toMatchObject([{ delaySeconds: 120 }]);
  });

  it('reserves the default time if the usual answer time of the webhook is unknown', async () => {
    const webhook = slow({ health: { lane: 'slow', slow_since: now } });
    await deliver([message(webhook, putEvent())]);
    expect(record(webhook)).toMatchObject({ turn_at: now + 5 * second });
  });

  it('gets a later due time in the table if it must wait for over a minute', async () => {
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], 'slow', 404);
    aws.sent();
    const key = webhookKey(webhook.id);
    const later = now + 60 * minute;
    vi.setSystemTime(later);
    aws.change(key, { health: { lane: 'slow', slow_since: now }, turn_at: later + 60 * minute });
    const next = { ...one, attempt: 2, created_at: iso(later - 2 * minute) };
    await deliver([next]);
    // For a wait of exactly one minute, the record stays as it is.
    expect(stored(one)).toMatchObject({ next_attempt_at: iso(now + 5 * second) });
    expect(aws.sent()).toMatchObject([{ delaySeconds: 60 }]);
    await deliver([{ ...next, created_at: iso(later - 2 * minute - 2) }]);
    const at = later + minute + 1;
    expect(stored(one)).toMatchObject({
      status: 'retrying',
      next_attempt_at: iso(at),
      waiting_for: { reason: 'turn', until: iso(at) },
      due_at: iso(at + 3 * minute),
      expires_at: Math.floor(later / second) + deliverySettings.keepDays * 86_400,
    });
    expect(aws.sent()).toMatchObject([{ delaySeconds: 61 }]);
  });

  it('is not sent again if a concurrent message has already advanced it', async () => {
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], 'slow', 404);
    aws.sent();
    const later = now + 60 * minute;
    vi.setSystemTime(later);
    aws.change(webhookKey(webhook.id), { health: { lane: 'slow', slow_since: now }, turn_at: later + 60 * minute });
    const delivery = { pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${one.delivery_id}` };
    aws.before('PutCommand', () => aws.change(delivery, { status: 'delivered' }), 1);
    await deliver([{ ...one, attempt: 2 }]);
    expect(aws.sent()).toEqual([]);
  });
});
