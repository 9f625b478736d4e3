/** Pings: one attempt at one webhook with a chosen event, regardless of the webhook's subscription and health. */
import * as v from 'valibot';
import { eventName, knownEvents } from '../../events/catalogue.ts';
import { bodyHash, bodyOf } from '../../events/event.ts';
import { examplePayload } from '../../events/example-payload.ts';
import { pingPublisher } from '../../events/publisher.ts';
import { keepEventBody } from '../../events/store.ts';
import { minute, systemClock, timestamp } from '../../foundation/clock.ts';
import { settings } from '../../foundation/environment.ts';
import { eventsIn } from '../../foundation/event-selection.ts';
import { requestItem } from '../../foundation/fields.ts';
import type { EventId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';
import type { Settings } from '../../foundation/settings.ts';
import { takeOne } from '../../limits/store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { Delivery } from '../delivery.ts';
import { earlierDelivery, earlierId } from '../log/earlier.ts';
import { begin } from './requested.ts';

/** Returns the schema of a ping: of an example, of an event that the webhook has had, or of `webhook.ping`. */
export const newPing = ({ ownEvents }: Pick<Settings, 'ownEvents'>) =>
  requestItem('NewPing', {
    event: v.exactOptional(eventName(knownEvents(ownEvents), 'does not exist')),
    example: v.exactOptional(v.boolean('must be true or false.')),
    event_id: v.exactOptional(earlierId),
  });

export type NewPing = v.InferOutput<ReturnType<typeof newPing>>;

const pings = { limit: 5, windowMs: minute };

const instead = 'Or send an example: {"example": true}.';

/** Sends a ping. @throws TooManyRequestsError, NotFoundError for an event that the webhook has not had */
export const ping = async (webhook: Webhook, wanted: NewPing, rules: Settings['deliveries']): Promise<Delivery> => {
  const now = systemClock();
  const message = `A webhook can be pinged ${pings.limit} times a minute.`;
  await takeOne(`ping ${webhook.id}`, pings, now, message, 'Read the deliveries of the pings that were sent.');
  const { event_id } = wanted;
  if (event_id !== undefined)
    return begin(webhook, await earlierDelivery([webhook.id], { event_id }, instead), 'ping', rules);
  const publisher = pingPublisher(webhook.id);
  const { id, event, target_url, name, api_version } = webhook;
  const isExample = wanted.example === true || wanted.event !== undefined;
  const example = isExample ? (wanted.event ?? eventsIn(event, settings().ownEvents)[0]) : undefined;
  const sent = example ?? 'webhook.ping';
  const payload =
    example === undefined
      ? { webhook: { current: { id, event, target_url, name, api_version }, previous: {} } }
      : examplePayload(example);
  const accepted = { id: newId<EventId>(), publisher, event: sent, accepted_at: timestamp(now) } as const;
  const body = bodyOf(accepted, { payload: JSON.stringify(payload) }, rules.keepDays, now);
  const body_hash = bodyHash(publisher, body.id);
  await keepEventBody(body_hash, body);
  return begin(webhook, { event: body.event, event_id: body.id, body_hash }, 'ping', rules);
};
