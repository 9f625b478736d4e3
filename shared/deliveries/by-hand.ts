/** Deliveries that somebody asks for: once more what is in the log, or a ping. They are marked so, and in the table before they are on their way. */

import { bodyHash, bodyOf, type EventBody } from '../events/event.ts';
import { type Clock, minute, timestamp } from '../foundation/clock.ts';
import { NotFoundError, TooManyRequestsError } from '../foundation/errors.ts';
import type { DeliveryId, EventId, Ids, JobId, WebhookId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { isKept } from './browse.ts';
import { type Delivery, type DeliveryMessage, deliveryId, messageOf, newDelivery } from './delivery.ts';
import type { Trigger } from './resource.ts';

interface Ports {
  readonly addDelivery: (delivery: Delivery, due: number) => Promise<Delivery>;
  /** Puts it into the slow lane. May fail without harm: the delivery is due then. */
  readonly sendNow: (message: DeliveryMessage) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings['deliveries'];
}

/** When the sweep looks whether the message got lost. */
const dueMs = 3 * minute;

const begin = async (
  { addDelivery, sendNow, clock, ids, settings }: Ports,
  of: Pick<Delivery, 'webhook_id' | 'event' | 'event_id' | 'body_hash'>,
  trigger: Trigger,
): Promise<Delivery> => {
  const now = clock();
  const delivery = newDelivery(
    {
      delivery_id: deliveryId(now, of.body_hash, of.webhook_id, ids<JobId>()),
      webhook_id: of.webhook_id,
      body_hash: of.body_hash,
      event: of.event,
      event_id: of.event_id,
      created_at: timestamp(now),
      attempt: 1,
      trigger,
    },
    settings,
  );
  await addDelivery(delivery, now + dueMs);
  await sendNow(messageOf(delivery));
  return delivery;
};

/** Finds a delivery of a webhook. @throws NotFoundError */
export const findDelivery = async (
  {
    readDelivery,
    clock,
  }: Pick<Ports, 'clock'> & {
    readDelivery: (webhook: WebhookId, id: DeliveryId) => Promise<Delivery | undefined>;
  },
  webhook: WebhookId,
  id: DeliveryId,
): Promise<Delivery> => {
  const delivery = await readDelivery(webhook, id);
  if (delivery === undefined || !isKept(delivery, clock()))
    throw new NotFoundError(`This webhook has no delivery with the id \`${id}\`.`, {
      help: 'GET /admin/webhooks/{id}/deliveries/ lists them; the log is kept for a limited time.',
    });
  return delivery;
};

/** Delivers once more what a delivery carried, as a new delivery. @throws NotFoundError */
export const redeliver = async (
  ports: Ports & { readonly readEventBody: (hash: string) => Promise<EventBody | undefined> },
  delivery: Delivery,
): Promise<Delivery> => {
  if ((await ports.readEventBody(delivery.body_hash)) === undefined)
    throw new NotFoundError('The event of this delivery is not kept any more.', {
      help: 'Publish it again.',
    });
  return begin(ports, delivery, 'redelivery');
};

/** So many pings a webhook. */
const pings = { limit: 5, windowMs: minute };

interface PingPorts extends Ports {
  readonly keepEventBody: (hash: string, body: EventBody) => Promise<EventBody>;
  readonly takeAll: (
    takes: readonly { name: string; count: number; window: typeof pings }[],
    now: number,
  ) => Promise<readonly { readonly retryAfterMs: number }[]>;
}

/** Delivers a `webhook.ping` to one webhook, whatever it subscribes to. @throws TooManyRequestsError */
export const ping = async (ports: PingPorts, webhook: Webhook): Promise<Delivery> => {
  const now = ports.clock();
  const [refused] = await ports.takeAll([{ name: `ping ${webhook.id}`, count: 1, window: pings }], now);
  if (refused !== undefined)
    throw new TooManyRequestsError(
      `A webhook may be pinged ${pings.limit} times a minute.`,
      Math.ceil(refused.retryAfterMs / 1000),
      { help: 'Look at the deliveries of the pings that were sent.' },
    );
  const publisher = `webhook:${webhook.id}`;
  const { id, event, target_url, name, api_version } = webhook;
  const body = bodyOf(
    {
      kind: 'event',
      id: ports.ids<EventId>(),
      publisher,
      event: 'webhook.ping',
      accepted_at: timestamp(now),
      payload: {},
    },
    { webhook: { current: { id, event, target_url, name, api_version }, previous: {} } },
    ports.settings.keepDays,
    now,
  );
  const hash = bodyHash(publisher, body.id);
  await ports.keepEventBody(hash, body);
  return begin(ports, { webhook_id: id, event: body.event, event_id: body.id, body_hash: hash }, 'ping');
};
