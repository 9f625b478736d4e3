/** Requested deliveries, such as redeliveries. */
import { readEventBody } from '../../events/store.ts';
import { systemClock, timestamp } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import type { ReplayId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';
import type { Settings } from '../../foundation/settings.ts';
import { isSlow } from '../../webhooks/health.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, deliveryId, isUnfinished, messageOf, newDelivery } from '../delivery.ts';
import { sendToLanes } from '../lanes.ts';
import { addDelivery, markReplayed } from '../records/store.ts';
import type { Trigger } from '../triggers.ts';

type Rules = Settings['deliveries'];

/** Creates a new delivery of the event of an earlier one. @throws NotFoundError */
export const redeliver = async (webhook: Webhook, delivery: Delivery, rules: Rules): Promise<Delivery> => {
  if ((await readEventBody(delivery.body_hash)) === undefined)
    throw new NotFoundError('The event of this delivery is no longer stored.', { help: 'Publish it again.' });
  const again = await begin(webhook, delivery, 'redelivery', rules);
  // One that still has attempts left is written by them.
  if (!isUnfinished(delivery)) await markReplayed(delivery, again.id);
  return again;
};

/** Sends a delivery that was requested. @throws ServiceUnavailableError */
export const begin = async (
  webhook: Webhook,
  { event, event_id, body_hash }: Pick<Delivery, 'event' | 'event_id' | 'body_hash'>,
  trigger: Trigger,
  rules: Rules,
): Promise<Delivery> => {
  const now = systemClock();
  const delivery_id = deliveryId(now, body_hash, webhook.id, newId<ReplayId>());
  const created_at = timestamp(now);
  const { id: webhook_id, integration_id } = webhook;
  const message = { delivery_id, webhook_id, body_hash, event, event_id, created_at, attempt: 1, waits: 0, trigger };
  const delivery = { ...newDelivery(message, rules, now), integration_id };
  await sendToLanes([{ message: messageOf(delivery), lane: isSlow(webhook.health, now) ? 'slow' : 'normal' }]);
  // The log shows it at once. Its message needs no record.
  await addDelivery(delivery);
  return delivery;
};
