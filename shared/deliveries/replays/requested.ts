/** Requested deliveries: redeliveries and pings. They are in the table before their messages are sent. */
import { trySending } from '../../aws/queues.ts';
import { bodyHash, bodyOf } from '../../events/event.ts';
import { keepEventBody, readEventBody } from '../../events/store.ts';
import { minute, systemClock, timestamp } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import type { EventId, ReplayId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';
import type { Settings } from '../../foundation/settings.ts';
import { takeOne } from '../../limits/store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, deliveryId, messageOf, newDelivery } from '../delivery.ts';
import { sendToLanes } from '../lanes.ts';
import { overdueMs } from '../records/overdue.ts';
import { addDelivery } from '../records/store.ts';
import type { Trigger } from '../resource.ts';

type Rules = Settings['deliveries'];

/** Creates a new delivery of the event of an earlier one. @throws NotFoundError */
export const redeliver = async (webhook: Webhook, delivery: Delivery, rules: Rules): Promise<Delivery> => {
  if ((await readEventBody(delivery.body_hash)) === undefined)
    throw new NotFoundError('The event of this delivery is no longer stored.', { help: 'Publish it again.' });
  return begin(webhook, delivery, 'redelivery', rules);
};

/** The limit of pings per webhook. */
const pings = { limit: 5, windowMs: minute };

/** Delivers a `webhook.ping` to one webhook, whatever it subscribes to. @throws TooManyRequestsError */
export const ping = async (webhook: Webhook, rules: Rules): Promise<Delivery> => {
  const now = systemClock();
  const message = `A webhook can be pinged ${pings.limit} times a minute.`;
  await takeOne(`ping ${webhook.id}`, pings, now, message, 'Read the deliveries of the pings that were sent.');
  const publisher = `webhook:${webhook.id}`;
  const { id, event, target_url, name, api_version } = webhook;
  const accepted = {
    id: newId<EventId>(),
    publisher,
    event: 'webhook.ping',
    accepted_at: timestamp(now),
  } as const;
  const payload = { webhook: { current: { id, event, target_url, name, api_version }, previous: {} } };
  const body = bodyOf(accepted, { payload: JSON.stringify(payload) }, rules.keepDays, now);
  const body_hash = bodyHash(publisher, body.id);
  await keepEventBody(body_hash, body);
  return begin(webhook, { event: body.event, event_id: body.id, body_hash }, 'ping', rules);
};

const begin = async (
  webhook: Webhook,
  { event, event_id, body_hash }: Pick<Delivery, 'event' | 'event_id' | 'body_hash'>,
  trigger: Trigger,
  rules: Rules,
): Promise<Delivery> => {
  const now = systemClock();
  const delivery_id = deliveryId(now, body_hash, webhook.id, newId<ReplayId>());
  const created_at = timestamp(now);
  const delivery = newDelivery(
    { delivery_id, webhook_id: webhook.id, body_hash, event, event_id, created_at, attempt: 1, trigger },
    rules,
    now,
  );
  await addDelivery(delivery, now + overdueMs);
  const lane = webhook.health?.lane ?? 'normal';
  await trySending(`the delivery ${delivery.id}`, sendToLanes([{ message: messageOf(delivery), lane }]));
  return delivery;
};
