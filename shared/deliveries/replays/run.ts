/**
 * Runs a replay in chunks. Only a window of its deliveries is in the lane: the next chunk follows when most of them
 * have had their first attempt. The window grows while the lane keeps up, so that a long replay uses only spare
 * capacity. A run that repeats a chunk creates the same deliveries, and only one of the runs saves its progress.
 */
import { removedOwners } from '../../accounts/removed-owners.ts';
import { send } from '../../aws/queues.ts';
import { second, systemClock, timestamp } from '../../foundation/clock.ts';
import { covers } from '../../foundation/event-selection.ts';
import type { DeliveryId, ReplayId, WebhookId } from '../../foundation/ids.ts';
import { semaphore } from '../../foundation/semaphore.ts';
import type { Settings } from '../../foundation/settings.ts';
import { readWebhook } from '../../webhooks/store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, deliveryId, isUnfinished, messageOf, newDelivery } from '../delivery.ts';
import { sendToLanes } from '../lanes.ts';
import type { LogOptions } from '../records/log-page.ts';
import { addDelivery, logOf, markReplayed, newestDeliveries, readOwnItems } from '../records/store.ts';
import { isReplayed, type Replay } from './replay.ts';
import type { ReplayMessage } from './schema.ts';
import { readReplay, saveReplay } from './store.ts';

type Rules = Settings['deliveries'];

/** The window's limits: the largest occupies a lane of 40 slots for a second if receivers answer in 200 ms. */
const window = { min: 10, max: 200 } as const;
/** The pause between chunks. A busy lane is checked after 2 s, then after twice as long each time, up to a minute. */
const nextChunkSeconds = 1;
const maxWaitSeconds = 60;
const limited = semaphore(32);

/** Processes one message of the replays queue. Does nothing if the replay has ended. */
export const runReplay = async ({ replay_id }: ReplayMessage, rules: Rules): Promise<void> => {
  const replay = await readReplay(replay_id);
  if (replay?.state !== 'running') return;
  const webhook = await webhookInUse(replay);
  const { after, waitSeconds } =
    webhook === undefined
      ? { after: { ...replay, state: 'cancelled' as const, updated_at: timestamp(systemClock()) }, waitSeconds: 0 }
      : await advance(replay, webhook, rules);
  const now = systemClock();
  const isSaved = await saveReplay({ ...after, chunk_at: timestamp(now) }, now + waitSeconds * second);
  if (isSaved && after.state === 'running') await sendLater(replay_id, waitSeconds);
};

/**
 * Reads the webhook, unless its receiver has asked for no more since, or its integration is being deleted; that
 * deletion may take minutes to reach the webhook.
 */
const webhookInUse = async ({ webhook_id, created_at }: Replay): Promise<Webhook | undefined> => {
  const webhook = await readWebhook(webhook_id);
  if (webhook === undefined || created_at < (webhook.declined_at ?? '')) return undefined;
  const removed = await removedOwners([{ kind: 'integration', integration_id: webhook.integration_id }]);
  return removed.size === 0 ? webhook : undefined;
};

const sendLater = (replay_id: ReplayId, delaySeconds: number): Promise<void> =>
  send('replays', [{ body: { replay_id } satisfies ReplayMessage, delaySeconds }]);

interface Advanced {
  readonly after: Replay;
  readonly waitSeconds: number;
}

const advance = async (replay: Replay, webhook: Webhook, rules: Rules): Promise<Advanced> => {
  const waiting = await stillInLane(replay);
  if (waiting.length > replay.window / 2) {
    const shrunk = Math.max(window.min, Math.floor(replay.window / 2));
    const idleSeconds = (systemClock() - Date.parse(replay.updated_at)) / second;
    return { after: { ...replay, in_lane: waiting, window: shrunk }, waitSeconds: waitFor(idleSeconds) };
  }
  const size = waiting.length === 0 && replay.checked > 0 ? Math.min(window.max, replay.window * 2) : replay.window;
  const range = { since: Date.parse(replay.since), until: Date.parse(replay.until) };
  const { deliveries, next } = await logOf(webhook.id)({
    ...range,
    newestFirst: false,
    limit: size - waiting.length,
    after: replay.cursor ?? undefined,
  });
  // If the webhook no longer subscribes to the event, the delivery would only be cancelled.
  const chosen = deliveries.filter(
    (delivery) => isReplayed(replay, beforeChunk(replay, delivery)) && covers(webhook.event, delivery.event),
  );
  const added = chosen.map((delivery) => again(replay, webhook, delivery, rules));
  // Sent before they are recorded, so that a kill leaves no record without a message; a repeated chunk changes nothing.
  await sendToLanes(added.map((delivery) => ({ message: messageOf(delivery), lane: 'slow' })));
  await Promise.all(added.map((delivery) => limited(() => addDelivery(delivery))));
  await Promise.all(chosen.map((delivery) => limited(() => markReplayed(delivery, againId(replay, delivery)))));
  const after: Replay = {
    ...replay,
    state: next !== undefined ? 'running' : 'finished',
    cursor: next ?? deliveries.at(-1)?.id ?? replay.cursor,
    span: replay.span ?? (next === undefined ? undefined : await spanOf(webhook.id, range, deliveries)),
    checked: replay.checked + deliveries.length,
    replayed: replay.replayed + chosen.length,
    in_lane: [...waiting, ...added.map(({ id }) => id)],
    window: size,
    updated_at: timestamp(systemClock()),
  };
  return { after, waitSeconds: nextChunkSeconds };
};

const spanOf = async (
  webhook: WebhookId,
  range: Pick<LogOptions, 'since' | 'until'>,
  [first]: readonly Delivery[],
): Promise<Replay['span']> => {
  const [last] = await newestDeliveries(webhook, 1, range);
  return first && last && [first.id, last.id];
};

/** How long there was no progress. The pause equals it, and so doubles with each check. */
const waitFor = (idleSeconds: number): number => Math.min(maxWaitSeconds, Math.max(2, Math.ceil(idleSeconds)));

/** Returns the deliveries that wait for their first attempt. Retries wait in the table and occupy no lane. */
const stillInLane = async ({ webhook_id, in_lane }: Replay): Promise<Replay['in_lane']> => {
  const deliveries = await readOwnItems(webhook_id, in_lane);
  return deliveries.filter((row) => isUnfinished(row) && row.attempts === 0).map(({ id }) => id);
};

/** Returns the same id in every chunk: a repeated chunk may differ, because earlier deliveries can still come in. */
const againId = (replay: Replay, { body_hash, webhook_id }: Delivery): DeliveryId =>
  deliveryId(Date.parse(replay.created_at), body_hash, webhook_id, replay.id);

/** Returns a delivery without the mark of this replay, which a killed run may have left. */
const beforeChunk = (replay: Replay, delivery: Delivery): Delivery =>
  delivery.replayed_by === againId(replay, delivery) ? { ...delivery, replayed_by: null } : delivery;

const again = (replay: Replay, { integration_id }: Webhook, delivery: Delivery, rules: Rules): Delivery => {
  const message = {
    delivery_id: againId(replay, delivery),
    webhook_id: delivery.webhook_id,
    body_hash: delivery.body_hash,
    event: delivery.event,
    event_id: delivery.event_id,
    created_at: replay.chunk_at,
    attempt: 1,
    waits: 0,
    trigger: 'replay',
  } as const;
  return { ...newDelivery(message, rules, systemClock()), integration_id };
};
