/** When a webhook was last triggered: from its record, or from one of its newest deliveries if that is newer. */
import type { Webhook } from '../../webhooks/webhook.ts';
import type { Delivery } from '../delivery.ts';
import { newestDeliveries } from '../records/store.ts';

/** The number of deliveries to read: the newest attempt can be a retry of an older delivery. */
const lookedAt = 10;

/** Returns the webhook with current `last_triggered_*`; its record is written far less often than it is triggered. */
export const withLastTriggered = async (webhook: Webhook): Promise<Webhook> =>
  merge(webhook, await newestDeliveries(webhook.id, lookedAt));

/** Redeliveries, replays and pings do not count. */
export const merge = (webhook: Webhook, deliveries: readonly Delivery[]): Webhook => {
  const shown = deliveries
    .filter(({ trigger }) => trigger === 'event')
    .reduce<Shown>((newest, { last_attempt_at, last_status, last_error }) => {
      if (last_attempt_at === null || last_attempt_at <= (newest.last_triggered_at ?? '')) return newest;
      return {
        last_triggered_at: last_attempt_at,
        last_triggered_status: last_status,
        last_triggered_error: last_error,
      };
    }, webhook);
  return {
    ...webhook,
    last_triggered_at: shown.last_triggered_at,
    last_triggered_status: shown.last_triggered_status,
    last_triggered_error: shown.last_triggered_error,
  };
};

type Shown = Pick<Webhook, 'last_triggered_at' | 'last_triggered_status' | 'last_triggered_error'>;
