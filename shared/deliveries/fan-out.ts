/** Fan-out: from one event to a delivery for each of its subscribers, done once however often it is tried. */

import { type AcceptedEvent, bodyHash, bodyOf, type EventBody, type EventMessage } from '../events/event.ts';
import { readPayload } from '../events/schema.ts';
import type { Clock } from '../foundation/clock.ts';
import type { WebhookId } from '../foundation/ids.ts';
import type { Subscriber } from '../webhooks/subscriptions.ts';
import { type DeliveryMessage, deliveryId } from './delivery.ts';

/** So many subscribers are read at a time, and as many pages done by one run, before the rest goes back to the queue. */
const pageSize = 500;
const pagesInOneRun = 10;

interface Ports {
  readonly keepEventBody: (hash: string, body: EventBody) => Promise<EventBody>;
  readonly readEventBody: (hash: string) => Promise<EventBody | undefined>;
  readonly listSubscribers: (
    event: string,
    limit: number,
    after: WebhookId | undefined,
  ) => Promise<{ subscribers: readonly Subscriber[]; next: WebhookId | undefined }>;
  /** Sends deliveries on their way, each to the lane of its receiver. */
  readonly sendDeliveries: (deliveries: readonly (DeliveryMessage & { receiver: string })[]) => Promise<void>;
  /** Puts the rest of a long fan-out back. */
  readonly sendRest: (rest: Extract<EventMessage, { kind: 'rest' }>) => Promise<void>;
  readonly keepDays: number;
  readonly clock: Clock;
}

/**
 * Works on one message of the events queue.
 *
 * The body is kept first, with the request that published it as its owner: the same message, shown again after a crash, goes
 * on; another message with the same event is a repetition and is dropped, because the first one is durable. Deliveries have
 * ids made of event and webhook, so that sending them twice makes no second delivery.
 * @throws Error where an event that came over the bus has no payload that its webhooks could get
 */
export const fanOut = async (ports: Ports, message: EventMessage): Promise<void> => {
  const start = message.kind === 'event' ? await begin(ports, message) : await resume(ports, message);
  if (start === undefined) return;
  const { body, hash } = start;
  let { after } = start;
  for (let page = 0; page < pagesInOneRun; page++) {
    const { subscribers, next } = await ports.listSubscribers(body.event, pageSize, after);
    await ports.sendDeliveries(subscribers.map((subscriber) => deliveryFor(body, hash, subscriber)));
    if (next === undefined) return;
    after = next;
  }
  if (after !== undefined) await ports.sendRest({ kind: 'rest', body_hash: hash, after });
};

interface Start {
  readonly body: EventBody;
  readonly hash: string;
  readonly after: WebhookId | undefined;
}

const begin = async ({ keepEventBody, keepDays, clock }: Ports, event: AcceptedEvent): Promise<Start | undefined> => {
  const payload = readPayload(event.event, event.payload);
  if (!payload.ok) throw new Error(`The event ${event.id} of ${event.publisher} is not delivered: ${payload.message}`);
  const hash = bodyHash(event.publisher, event.id);
  const wanted = bodyOf(event, payload.payload, keepDays, clock());
  const body = await keepEventBody(hash, wanted);
  return body.owner === wanted.owner ? { body, hash, after: undefined } : undefined;
};

const resume = async (
  { readEventBody }: Ports,
  rest: Extract<EventMessage, { kind: 'rest' }>,
): Promise<Start | undefined> => {
  const body = await readEventBody(rest.body_hash);
  return body === undefined ? undefined : { body, hash: rest.body_hash, after: rest.after };
};

const deliveryFor = (
  body: EventBody,
  hash: string,
  subscriber: Subscriber,
): DeliveryMessage & { receiver: string } => ({
  delivery_id: deliveryId(Date.parse(body.created_at), hash, subscriber.webhook_id),
  webhook_id: subscriber.webhook_id,
  body_hash: hash,
  event: body.event,
  event_id: body.id,
  created_at: body.created_at,
  attempt: 1,
  trigger: 'event',
  receiver: subscriber.receiver,
});
