/** Deliveries that are not attempted now: a slow webhook, an open circuit breaker, or another delivery as the probe. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryMessage } from '../../shared/deliveries/delivery.ts';
import { deliveryKey } from '../../shared/deliveries/records/row.ts';
import type { Health } from '../../shared/webhooks/health.ts';
import { noOptions } from '../../shared/webhooks/options-resource.ts';
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
const { isSuspect } = await import('../../shared/deliveries/attempt/hanging.ts');
const { limitKey } = await import('../../shared/limits/store.ts');
const { optionsKey } = await import('../../shared/webhooks/options-store.ts');

stopTime(now);
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const { webhook: putWebhook, event: putEvent, message, next, stored, record } = worldOf(aws);

const deliver = async (messages: readonly DeliveryMessage[], lane: 'normal' | 'slow' = 'slow', status = 200) => {
  const { requests, sender } = receiverInMemory(() => answered(status));
  await Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages, lane));
  return requests.length;
};
describe('a delivery of a slow webhook', () => {
  it('moves from the normal to the slow lane without a record', async () => {
    const webhook = putWebhook({ health: { slow_until: now + minute, slowings: 1 } });
    const one = message(webhook, putEvent());
    expect(await deliver([one], 'normal')).toBe(0);
    expect(aws.sent()).toEqual([
      { queue: 'slow-deliveries', body: { format: 1, ...one }, delaySeconds: undefined, group: webhook.id },
    ]);
    expect(stored(one)).toBeUndefined();
  });
});

describe('while three webhooks of an integration hang', () => {
  let made = 0;
  const webhookOf = (integration: string, health?: Health) =>
    putWebhook({ integration_id: integration as Webhook['integration_id'], ...(health && { health }) }, 1000 + made++);
  const [hanging, other] = ['7'.repeat(24), '8'.repeat(24)];
  /** Lets three webhooks hang until they are late. */
  const hang = async (integration: string, lane: 'normal' | 'slow', health?: Health) => {
    const webhooks = Array.from({ length: 3 }, () => webhookOf(integration, health));
    const unknown = webhookOf(integration);
    const { sender } = receiverInMemory(async () => {
      await eventual(() => expect(isSuspect(unknown, now)).toBe(true));
      return notAnswered('timeout');
    });
    const messages = webhooks.map((webhook) => message(webhook, putEvent()));
    await Promise.all(deliverBatch({ sender, settings: { ...deliverySettings, slowAfterMs: 1 } }, messages, lane));
    for (const webhook of webhooks) expect(record(webhook)).toMatchObject({ health: { slowings: 1 } });
    aws.sent();
  };

  it('a new webhook of that integration starts in the slow lane until it has answered', async () => {
    await hang(hanging, 'normal');
    const webhook = webhookOf(hanging);
    const one = message(webhook, putEvent());
    expect(await deliver([one], 'normal')).toBe(0);
    expect(aws.sent()).toMatchObject([{ queue: 'slow-deliveries', group: webhook.id }]);
    // The webhook is not known to be slow.
    expect(record(webhook)).toEqual(webhook);

    expect(await deliver([one], 'slow')).toBe(1);
    expect(await deliver([message(webhook, putEvent())], 'normal')).toBe(1);
    expect(await deliver([message(webhookOf(other), putEvent())], 'normal')).toBe(1);
  });

  it('so it does if they are known to be slow, and hang in the slow lane of this environment', async () => {
    await hang('9'.repeat(24), 'slow', { slow_until: now + minute, slowings: 1 });
    expect(await deliver([message(webhookOf('9'.repeat(24)), putEvent())], 'normal')).toBe(0);
  });
});

describe('a delivery whose place in a row many others take at the same time', () => {
  it('waits a moment, and does not fail', async () => {
    const webhook = putWebhook({ accepts: false, target_url: 'https://crowded.example/' });
    const one = message(webhook, putEvent());
    const row = limitKey(`unanswered ${webhook.integration_id} crowded.example`);
    let version = 0;
    aws.before('PutCommand', () => aws.put(row, { places: [], end: 0, version: ++version }));
    expect(await deliver([one], 'normal')).toBe(0);
    expect(stored(one)).toMatchObject({
      status: 'pending',
      attempts: 0,
      waiting_for: { reason: 'throttle', until: iso(now + second) },
    });
    expect(aws.sent()).toMatchObject([{ queue: 'slow-deliveries', delaySeconds: 1 }]);
  });
});

describe('a delivery behind an open circuit breaker', () => {
  const openFor = (ms: number) => putWebhook({ health: { openings: 1, open_until: now + ms } });

  it('is recorded once, and has neither a time nor a message', async () => {
    const one = message(openFor(10 * second), putEvent());
    expect(await deliver([one])).toBe(0);
    expect(stored(one)).toMatchObject({
      status: 'pending',
      attempts: 0,
      next_attempt_at: null,
      waiting_for: { reason: 'circuit_breaker', until: null },
      expires_at: Math.floor(now / second) + deliverySettings.keepDays * 86_400,
    });
    expect(stored(one)).not.toHaveProperty('due_at');
    expect(aws.sent()).toEqual([]);
  });

  it('waits so for its next attempt, too', async () => {
    const webhook = putWebhook();
    const one = message(webhook, putEvent());
    await deliver([one], 'slow', 500);
    aws.change(webhookKey(webhook.id), { health: { openings: 1, open_until: now + minute } });
    aws.sent();
    vi.setSystemTime(now + 5 * second);
    await deliver([next(one)]);
    expect(stored(one)).toMatchObject({ status: 'retrying', attempts: 1, next_attempt_at: null });
    expect(aws.sent()).toEqual([]);
  });
});

describe('a webhook whose circuit breaker has been open long enough', () => {
  const broken = (): Webhook => putWebhook({ health: { openings: 2, open_until: now - 1 } });

  it('gets one delivery as a probe; the rest of the batch waits for its result', async () => {
    const webhook = broken();
    const [one, ...others] = [1, 2, 3].map(() => message(webhook, putEvent()));
    expect(await deliver([one, ...others] as DeliveryMessage[])).toBe(1);
    expect(stored(one as DeliveryMessage)).toMatchObject({ status: 'delivered' });
    for (const other of others)
      expect(stored(other)).toMatchObject({ waiting_for: { reason: 'circuit_breaker', until: null } });
    expect(record(webhook)).not.toHaveProperty('health');
  });

  it('is due if the function with the probe is killed', async () => {
    const webhook = broken();
    const { sender } = receiverInMemory(() => new Promise(() => {}));
    void deliverBatch({ sender, settings: deliverySettings }, [message(webhook, putEvent())], 'slow');
    // An attempt may wait for a connection (10 s), connect (3 s) and wait for the answer (10 s); 2 s are to spare.
    const due = now + 25 * second + minute;
    await eventual(() => expect(Date.parse(record(webhook).due_at)).toBeGreaterThanOrEqual(due));
  });

  it('gets no delivery of this batch if another function has already claimed the probe', async () => {
    const webhook = broken();
    aws.before('UpdateCommand', () => aws.change(webhookKey(webhook.id), { health_revision: 'x' }), 1);
    const messages = [message(webhook, putEvent()), message(webhook, putEvent())];
    expect(await deliver(messages)).toBe(0);
    for (const one of messages) expect(stored(one)).toMatchObject({ waiting_for: { reason: 'circuit_breaker' } });
  });
});

describe('a throttled webhook whose circuit breaker has been open long enough', () => {
  it('gets no probe after its turn, if the claim of the probe takes longer than that', async () => {
    const webhook = putWebhook({ health: { openings: 2, open_until: now - 1 }, options_revision: 'r1' });
    const options = JSON.stringify({ ...noOptions, throttle: { requests: 1, per: 'second' } });
    aws.put(optionsKey(webhook.id), { webhook_id: webhook.id, revision: 'r1', options });
    aws.before('UpdateCommand', () => vi.setSystemTime(now + second), 1);
    const { requests, sender } = receiverInMemory(() => answered(200));
    await Promise.all(deliverBatch({ sender, settings: deliverySettings }, [message(webhook, putEvent())], 'slow'));
    expect(requests.map(({ startWithinMs }) => startWithinMs)).toEqual([0]);
  });
});

describe('the message of a next attempt', () => {
  const failOnce = async (one: DeliveryMessage): Promise<DeliveryMessage> => {
    await deliver([one], 'normal', 500);
    return next(one);
  };

  it('is sent before the attempt is recorded', async () => {
    const one = message(putWebhook(), putEvent());
    const sent: unknown[] = [];
    aws.before('PutCommand', () => sent.push(...aws.sent()), 1);
    await deliver([one], 'normal', 500);
    expect(sent).toMatchObject([{ queue: 'slow-deliveries', body: { attempt: 2, waits: 0 } }]);
    expect(stored(one)).toMatchObject({ attempts: 1 });
  });

  it('is processed although the first attempt is not recorded yet, which then changes nothing', async () => {
    const one = message(putWebhook(), putEvent());
    const second = await failOnce(one);
    const key = deliveryKey(one.webhook_id, one.delivery_id);
    const late = aws.read(key);
    aws.erase(key);
    // The write of the first attempt arrives while the second is being recorded.
    expect(await deliver([second], 'slow', 500)).toBe(1);
    expect(stored(one)).toMatchObject({ status: 'retrying', attempts: 2 });
    const { recordStep } = await import('../../shared/deliveries/records/store.ts');
    expect(await recordStep({ ...late, ...key })).toBe(false);
    expect(stored(one)).toMatchObject({ attempts: 2 });
  });

  it('is processed although the record still shows the wait before', async () => {
    const webhook = putWebhook({ health: { not_before: now + 10 * second } });
    const one = message(webhook, putEvent());
    await deliver([one]);
    const waiting = aws.read(deliveryKey(webhook.id, one.delivery_id));
    aws.change(webhookKey(webhook.id), { health: { not_before: now + 20 * second } });
    vi.setSystemTime(now + 15 * second);
    await deliver([next(one)]);
    const delayed = next(one);
    aws.put(deliveryKey(webhook.id, one.delivery_id), waiting);
    aws.change(webhookKey(webhook.id), { health: undefined, health_revision: undefined });
    vi.setSystemTime(now + minute);
    expect(await deliver([delayed], 'slow', 500)).toBe(1);
    expect(stored(one)).toMatchObject({ attempts: 1, waits: 0 });
  });

  it('is skipped if the delivery has gone further, or another message of this step has replaced it', async () => {
    const one = message(putWebhook(), putEvent());
    const second = await failOnce(one);
    expect(await deliver([one])).toBe(0);
    expect(await deliver([{ ...second, next_attempt_at: iso(now + 1) }])).toBe(0);
    expect(await deliver([second], 'slow', 500)).toBe(1);
    expect(await deliver([second])).toBe(0);
    expect(await deliver([{ ...next(one), attempt: 1, waits: 5 }])).toBe(0);
  });
});
