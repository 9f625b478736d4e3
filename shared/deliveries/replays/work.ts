/**
 * Works on a replay: page by page, each of which is in the table and in the queue before the cursor moves. Killed anywhere,
 * the next run does the page again, and makes the same deliveries.
 */
import { type Clock, second, timestamp } from '../../foundation/clock.ts';
import type { JobId, WebhookId } from '../../foundation/ids.ts';
import type { Settings } from '../../foundation/settings.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, type DeliveryMessage, deliveryId, isUnfinished, messageOf, newDelivery } from '../delivery.ts';
import type { PageOfDeliveries } from '../store.ts';
import { isReplayed, type Replay } from './replay.ts';

export interface ReplayPorts {
  readonly readReplay: (id: JobId) => Promise<Replay | undefined>;
  readonly advanceReplay: (before: Replay, after: Replay) => Promise<boolean>;
  readonly readWebhook: (id: WebhookId) => Promise<Webhook | undefined>;
  readonly pageOfDeliveries: PageOfDeliveries;
  /** Puts a delivery that is new; gives the one that is there already where it is not. */
  readonly addDelivery: (delivery: Delivery) => Promise<Delivery>;
  /** Sends deliveries by the slow lane, so that fresh events do not wait behind them. */
  readonly sendDeliveries: (messages: readonly DeliveryMessage[]) => Promise<void>;
  /** Puts the rest of a long replay back into the queue. */
  readonly sendRest: (id: JobId) => Promise<void>;
  readonly clock: Clock;
  readonly settings: Settings['deliveries'];
}

const pageSize = 100;
/** Then the rest goes back to the queue: the worker has other messages in its batch. */
const workMs = 8 * second;

/** Goes on with a replay until it is done or its time is over; does nothing where it is done already. */
export const workOnReplay = async (ports: ReplayPorts, id: JobId): Promise<void> => {
  const deadline = ports.clock() + workMs;
  let replay = await ports.readReplay(id);
  while (replay?.state === 'running') {
    const after = await step(ports, replay);
    // Whoever has gone on meanwhile goes on.
    if (!(await ports.advanceReplay(replay, after))) return;
    replay = after;
    if (replay.state === 'running' && ports.clock() >= deadline) return ports.sendRest(id);
  }
};

const step = async (ports: ReplayPorts, replay: Replay): Promise<Replay> => {
  const webhook = await ports.readWebhook(replay.webhook_id);
  if (webhook === undefined) return { ...replay, state: 'cancelled', updated_at: timestamp(ports.clock()) };
  const { deliveries, more } = await ports.pageOfDeliveries(replay.webhook_id, {
    since: Date.parse(replay.since),
    until: Date.parse(replay.until),
    newestFirst: false,
    limit: pageSize,
    after: replay.cursor ?? undefined,
  });
  // What the webhook does not subscribe to any more would only be cancelled.
  const chosen = deliveries.filter((delivery) => isReplayed(replay, delivery) && delivery.event === webhook.event);
  const added = await Promise.all(chosen.map((delivery) => ports.addDelivery(onceMore(ports, replay, delivery))));
  await ports.sendDeliveries(added.filter(isUnfinished).map(messageOf));
  return {
    ...replay,
    state: more ? 'running' : 'finished',
    cursor: deliveries.at(-1)?.id ?? replay.cursor,
    checked: replay.checked + deliveries.length,
    replayed: replay.replayed + chosen.length,
    updated_at: timestamp(ports.clock()),
  };
};

const onceMore = ({ settings }: ReplayPorts, replay: Replay, delivery: Delivery): Delivery =>
  newDelivery(
    {
      delivery_id: deliveryId(Date.parse(replay.created_at), delivery.body_hash, delivery.webhook_id, replay.id),
      webhook_id: delivery.webhook_id,
      body_hash: delivery.body_hash,
      event: delivery.event,
      event_id: delivery.event_id,
      created_at: replay.created_at,
      attempt: 1,
      trigger: 'replay',
    },
    settings,
  );
