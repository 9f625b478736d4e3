/**
 * Runs a replay in chunks. Only a window of its deliveries is in the lane at a time: the next chunk follows when most of the
 * last one have had their first attempt. The window grows while the lane keeps up and shrinks while it does not, so that a long
 * replay takes what the others leave. Killed anywhere, the next run repeats the chunk and makes the same deliveries.
 */
import { send } from '../../aws/queues.ts';
import { minute, second, systemClock, timestamp } from '../../foundation/clock.ts';
import { newId, type ReplayId } from '../../foundation/ids.ts';
import { semaphore } from '../../foundation/semaphore.ts';
import type { Settings } from '../../foundation/settings.ts';
import { getMany } from '../../table/batch.ts';
import { webhookStore } from '../../webhooks/store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, deliveryId, isUnfinished, messageOf, newDelivery } from '../delivery.ts';
import { sendToLanes } from '../lanes.ts';
import { addDelivery, deliveryKey, pageOfDeliveries } from '../store.ts';
import { isReplayed, type Replay } from './replay.ts';
import type { ReplayMessage } from './schema.ts';
import { claimReplay, saveReplay } from './store.ts';

type Rules = Settings['deliveries'];

/** A run is dead after so long: longer than the function's timeout. */
const leaseMs = 40 * second;
/** The bounds of the window. At its largest, a chunk takes a lane of 40 slots a second where receivers answer in 200 ms. */
const window = { min: 10, max: 200 } as const;
/** Between two chunks; and between two looks while the lane is busy, doubled from one to the other. */
const nextChunkSeconds = 1;
const maxWaitSeconds = 60;
/** The sweep looks for a delivery whose message was lost. */
const lostMs = 10 * minute;
/** Rows that are written at the same time. */
const limited = semaphore(32);

/** Works on one message of the replays queue; does nothing where the replay has ended or another run works on it. */
export const runReplay = async ({ replay_id }: ReplayMessage, rules: Rules): Promise<void> => {
  const run: string = newId();
  const replay = await claimReplay(replay_id, run, systemClock() + leaseMs);
  if (replay === undefined) return;
  const webhook = await webhookStore.read(replay.webhook_id);
  const { after, waitSeconds } =
    webhook === undefined
      ? { after: { ...replay, state: 'cancelled' as const, updated_at: timestamp(systemClock()) }, waitSeconds: 0 }
      : await advance(replay, webhook, rules);
  const isSaved = await saveReplay(after, run, systemClock() + waitSeconds * second);
  if (isSaved && after.state === 'running') await sendLater(replay_id, waitSeconds);
};

const sendLater = (replay_id: ReplayId, delaySeconds: number): Promise<void> =>
  send('replays', [{ body: { replay_id } satisfies ReplayMessage, delaySeconds }]);

interface Advanced {
  readonly after: Replay;
  readonly waitSeconds: number;
}

/** Sends the next chunk if the lane has room for it. */
const advance = async (replay: Replay, webhook: Webhook, rules: Rules): Promise<Advanced> => {
  const waiting = await stillInLane(replay);
  if (waiting.length > replay.window / 2) {
    const shrunk = Math.max(window.min, Math.floor(replay.window / 2));
    const idleSeconds = (systemClock() - Date.parse(replay.updated_at)) / second;
    return { after: { ...replay, in_lane: waiting, window: shrunk }, waitSeconds: waitFor(idleSeconds) };
  }
  const size = waiting.length === 0 && replay.checked > 0 ? Math.min(window.max, replay.window * 2) : replay.window;
  const chunk = await pageOfDeliveries(webhook.id, {
    since: Date.parse(replay.since),
    until: Date.parse(replay.until),
    newestFirst: false,
    limit: size - waiting.length,
    after: replay.cursor ?? undefined,
  });
  const { deliveries, more } = chunk;
  // What the webhook no longer subscribes to would only be cancelled.
  const chosen = deliveries.filter((delivery) => isReplayed(replay, delivery) && delivery.event === webhook.event);
  const due = systemClock() + lostMs;
  const added = await Promise.all(
    chosen.map((delivery) => limited(() => addDelivery(again(replay, delivery, rules), due))),
  );
  const sent = added.filter(isUnfinished);
  await sendToLanes(sent.map((delivery) => ({ message: messageOf(delivery), lane: 'slow' })));
  const after: Replay = {
    ...replay,
    state: more ? 'running' : 'finished',
    cursor: deliveries.at(-1)?.id ?? replay.cursor,
    checked: replay.checked + deliveries.length,
    replayed: replay.replayed + chosen.length,
    in_lane: [...waiting, ...sent.map(({ id }) => id)],
    window: size,
    updated_at: timestamp(systemClock()),
  };
  return { after, waitSeconds: nextChunkSeconds };
};

/** As long as it has made no progress, which doubles from look to look. */
const waitFor = (idleSeconds: number): number => Math.min(maxWaitSeconds, Math.max(2, Math.ceil(idleSeconds)));

/** Returns the deliveries that still wait for their first attempt. Retries wait in the table, and take no room in the lane. */
const stillInLane = async ({ webhook_id, in_lane }: Replay): Promise<Replay['in_lane']> => {
  const rows = await getMany<Delivery>(in_lane.map((id) => deliveryKey(webhook_id, id)));
  return rows.filter((row) => isUnfinished(row) && row.attempts === 0).map(({ id }) => id);
};

const again = (replay: Replay, delivery: Delivery, rules: Rules): Delivery =>
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
    rules,
  );
