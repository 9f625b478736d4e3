/** What happens to a delivery message: it is posted, deferred, moved to the slow lane, or ended without an attempt. */
import { describe, expect, it } from 'vitest';
import type { WebhookState } from '../../shared/deliveries/attempt/batch.ts';
import { decide } from '../../shared/deliveries/attempt/decide.ts';
import type { LoadedEvent } from '../../shared/deliveries/attempt/load.ts';
import { type Delivery, messageOf, newDelivery } from '../../shared/deliveries/delivery.ts';
import type { Trigger } from '../../shared/deliveries/triggers.ts';
import type { DeliveryId } from '../../shared/foundation/ids.ts';
import { noOptions, type Options } from '../../shared/webhooks/options-resource.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { failingWebhook } from '../support/notice.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const webhook = failingWebhook();
const event: LoadedEvent = {
  build: () => ({ bytes: Buffer.from('{}'), contentVersion: 'v6.0', parsed: () => ({}) }),
  created_at: '2026-11-21T09:00:00.000Z',
};

const deliveryOf = (changes: Partial<Delivery> = {}, trigger: Trigger = 'event'): Delivery => ({
  ...newDelivery(
    {
      delivery_id: 'd'.repeat(24) as DeliveryId,
      webhook_id: webhook.id,
      body_hash: 'h1',
      event: webhook.event,
      event_id: 'e1',
      created_at: event.created_at,
      attempt: 1,
      waits: 0,
      trigger,
    },
    { keepDays: 30 },
    now,
  ),
  ...changes,
});

interface Given {
  readonly delivery?: Delivery;
  /** Undefined means deleted. */
  readonly webhook?: Webhook | undefined;
  /** Undefined means no longer stored. */
  readonly event?: LoadedEvent | undefined;
  readonly attempt?: number;
  readonly lane?: 'normal' | 'slow';
  /** Whether many others of its integration hang. */
  readonly isSuspect?: true;
  readonly options?: Options;
}

const decided = (given: Given = {}) => {
  const { delivery = deliveryOf(), lane = 'normal' } = given;
  const all = { webhook, event, ...given };
  const state = {
    findings: { webhook: all.webhook },
    isSuspect: given.isSuspect,
    options: given.options,
  } as WebhookState;
  const events = all.event === undefined ? [] : [['h1', all.event] as const];
  const message = messageOf(delivery);
  const decision = decide(
    { events: new Map(events), webhooks: new Map(all.webhook === undefined ? [] : [[webhook.id, state]]) },
    { ...message, attempt: given.attempt ?? message.attempt },
    delivery,
    lane,
    now,
  );
  if ('delivery' in decision) expect(decision).toMatchObject({ delivery, webhook: all.webhook, event, state });
  if ('state' in decision) expect(decision.state).toBe(state);
  return decision;
};

describe('a message of the delivery queues', () => {
  it('is posted if it is for the next attempt', () => {
    expect(decided()).toMatchObject({ kind: 'post' });
    expect(decided({ delivery: deliveryOf({ status: 'retrying', attempts: 3 }) })).toMatchObject({ kind: 'post' });
  });

  it('is left out by a filter on the name of the event, even if the body of its API version has no name', () => {
    const filteredBy = (name: string) => decided({ options: { ...noOptions, filter: { event: [name] } } });
    expect(filteredBy(webhook.event)).toMatchObject({ kind: 'post' });
    expect(filteredBy('tag.added')).toMatchObject({ kind: 'leave out' });
  });

  it.each(['delivered', 'failed', 'cancelled', 'blocked', 'held'] as const)(
    'is skipped if its delivery is %s',
    (status) => {
      expect(decided({ delivery: deliveryOf({ status }) })).toEqual({ kind: 'skip' });
    },
  );

  it('is skipped if it is not for the next attempt of its delivery', () => {
    const delivery = deliveryOf({ status: 'retrying', attempts: 2 });
    for (const attempt of [1, 2, 4]) expect(decided({ delivery, attempt })).toEqual({ kind: 'skip' });
  });
});

describe('a delivery ends without an attempt if', () => {
  const last_error = 'timeout';

  it('its event is more than seven days old, because receivers keep ids for eight days', () => {
    const created = (ms: number) => new Date(now - 7 * 86_400_000 - ms).toISOString();
    const late = { created_at: created(1) };
    expect(decided({ delivery: deliveryOf({ created_at: created(0) }) })).toMatchObject({ kind: 'post' });
    expect(decided({ delivery: deliveryOf(late) })).toEqual({ kind: 'end', status: 'failed', error: 'expired' });
    const retried = deliveryOf({ ...late, status: 'retrying', attempts: 2, last_error });
    expect(decided({ delivery: retried })).toEqual({ kind: 'end', status: 'failed', error: last_error });
    expect(decided({ delivery: deliveryOf(late, 'redelivery') })).toMatchObject({ status: 'failed' });
  });

  it('its webhook was deleted or now subscribes to another event', () => {
    const cancelled = { kind: 'end', status: 'cancelled', error: last_error };
    expect(decided({ delivery: deliveryOf({ last_error }), webhook: undefined })).toEqual(cancelled);
    const moved = failingWebhook({ event: 'tag.added' });
    expect(decided({ delivery: deliveryOf({ last_error }), webhook: moved })).toEqual(cancelled);
  });

  it('its event is no longer stored: it is cancelled before a first attempt, and failed after one', () => {
    const end = (attempts: number) => decided({ delivery: deliveryOf({ attempts }), event: undefined });
    expect(end(0)).toEqual({ kind: 'end', status: 'cancelled', error: 'expired' });
    expect(end(1)).toEqual({ kind: 'end', status: 'failed', error: 'expired' });
  });

  it('its webhook is disabled, unless someone requested the delivery', () => {
    const disabled = failingWebhook({ status: 'disabled' });
    const end = { kind: 'end', status: 'held', error: last_error };
    expect(decided({ delivery: deliveryOf({ last_error }), webhook: disabled })).toEqual(end);
    for (const trigger of ['redelivery', 'replay', 'ping'] as const)
      expect(decided({ delivery: deliveryOf({}, trigger), webhook: disabled })).toMatchObject({ kind: 'post' });
  });
});

describe('a delivery to a slow webhook', () => {
  const slow = failingWebhook({ health: { slow_until: now + 1 } });

  it('moves from the normal lane to the slow lane, where it is posted, even if it is a ping', () => {
    expect(decided({ webhook: slow })).toEqual({ kind: 'move to slow lane' });
    const ping = deliveryOf({ event: 'webhook.ping' }, 'ping');
    expect(decided({ webhook: slow, delivery: ping })).toEqual({ kind: 'move to slow lane' });
    expect(decided({ webhook: slow, lane: 'slow' })).toMatchObject({ kind: 'post' });
  });
});

describe('a delivery to a webhook that may hang, like many others of its integration', () => {
  it('moves from the normal lane to the slow lane, and is posted there', () => {
    expect(decided({ isSuspect: true })).toMatchObject({ kind: 'move to slow lane' });
    expect(decided({ isSuspect: true, lane: 'slow' })).toMatchObject({ kind: 'post' });
  });
});

describe('a delivery, depending on the health of its webhook,', () => {
  const paused = failingWebhook({ health: { not_before: now + 1 } });
  const opened = failingWebhook({ health: { openings: 1, open_until: now } });

  it('waits until a pause ends that the receiver asked for', () => {
    expect(decided({ webhook: paused })).toMatchObject({ kind: 'wait', reason: 'retry_after', until: now + 1 });
  });

  it('may be a probe once the circuit breaker has been open long enough', () => {
    expect(decided({ webhook: opened, lane: 'slow' })).toMatchObject({ kind: 'probe' });
  });

  it('is posted at once if it is a ping, even during a pause', () => {
    const ping = deliveryOf({ event: 'webhook.ping' }, 'ping');
    for (const refusing of [paused, opened])
      expect(decided({ delivery: ping, webhook: refusing, lane: 'slow' })).toMatchObject({ kind: 'post' });
  });

  it('is posted from either lane if the webhook is healthy', () => {
    expect(decided({ lane: 'slow' })).toMatchObject({ kind: 'post' });
  });
});
