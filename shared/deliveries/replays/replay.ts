/** A replay: sends the deliveries of one webhook in a time range again. */

import { day, second, systemClock, timestamp } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import { covers } from '../../foundation/event-selection.ts';
import { type DeliveryId, type ReplayId, timeOfId, type WebhookId } from '../../foundation/ids.ts';
import { present } from '../../foundation/resource.ts';
import { isUnfinished } from '../delivery.ts';
import type { DeliveryResource } from '../resource.ts';
import { type ReplayResource, replayResource } from './resource.ts';
import type { NewReplay } from './schema.ts';

/** Which deliveries are sent again. Times in epoch ms. */
export interface Selection extends NewReplay {
  /** Only those of these events: names and patterns, as in a webhook's `event`. */
  readonly event?: string | undefined;
  /** Without a status: what did not reach its receiver, instead of everything. */
  readonly missed?: true | undefined;
}

/** The record of a replay. Events accepted at `since` are included, those at `until` are not. */
export interface Replay extends Omit<ReplayResource, 'progress'>, Pick<Selection, 'event' | 'missed'> {
  readonly checked: number;
  readonly replayed: number;
  /** ISO time at which the next chunk's deliveries count as requested; the same if a kill repeats the chunk. */
  readonly chunk_at: string;
  readonly cursor: DeliveryId | null;
  /** The first and the last delivery of the range, from the first chunk on. */
  readonly span?: undefined | readonly [first: DeliveryId, last: DeliveryId];
  /** The new deliveries that had no first attempt at the last check. */
  readonly in_lane: readonly DeliveryId[];
  /** The maximum number of replayed deliveries in the lane (`run.ts`). */
  readonly window: number;
  /** Identifies the last run that saved its progress. */
  readonly run?: string;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

export const keptMs = 30 * day;
/** The size of the first window, which grows while the lane keeps up. */
const firstWindow = 50;

/** Creates a replay requested `now`. It covers nothing later, so that it does not replay itself. */
export const newReplayOf = (id: ReplayId, webhook_id: WebhookId, input: Selection, now: number): Replay => ({
  id,
  webhook_id,
  since: timestamp(input.since),
  until: timestamp(Math.max(input.since, Math.min(input.until, now))),
  status: input.status,
  ...(input.event !== undefined && { event: input.event }),
  ...(input.missed && { missed: true }),
  state: 'running',
  chunk_at: timestamp(now),
  cursor: null,
  checked: 0,
  replayed: 0,
  in_lane: [],
  window: firstWindow,
  created_at: timestamp(now),
  updated_at: timestamp(now),
  expires_at: Math.floor((now + keptMs) / second),
});

/** Returns the replay if it belongs to this webhook. @throws NotFoundError */
export const checkReplay = (replay: Replay | undefined, webhook: WebhookId, id: ReplayId): Replay => {
  if (replay === undefined || replay.webhook_id !== webhook || replay.expires_at * second <= systemClock())
    throw new NotFoundError(`This webhook has no replay with the id \`${id}\`.`, {
      help: 'A replay is stored for 30 days.',
    });
  return replay;
};

/** What did not reach its receiver. A cancelled delivery was no longer meant to. */
export const undeliveredStates: readonly DeliveryResource['status'][] = ['failed', 'held', 'blocked'];

/**
 * Returns whether a replay resends this delivery. With a status: one that has it and was not sent again since, also
 * that of an earlier replay or redelivery. Without a status: every event, of a burst the last one.
 */
export const isReplayed = (
  { status, event, missed }: Pick<Selection, 'status' | 'event' | 'missed'>,
  delivery: Pick<DeliveryResource, 'status' | 'trigger' | 'replayed_by' | 'event'>,
): boolean => {
  if (event !== undefined && !covers(event, delivery.event)) return false;
  if (status === null && !missed)
    return delivery.trigger === 'event' && !isUnfinished(delivery) && delivery.status !== 'superseded';
  const isWanted = status === null ? undeliveredStates.includes(delivery.status) : delivery.status === status;
  return isWanted && delivery.trigger !== 'ping' && delivery.replayed_by === null;
};

/** Presents a replay to clients. */
export const presentReplay = (replay: Replay): ReplayResource => {
  const { checked, replayed } = replay;
  return present(replayResource, { ...replay, progress: { checked, replayed, percent: percentOf(replay) } });
};

/** Returns the cursor's place between the times of the first and last delivery in percent; at most 99 while it runs. */
const percentOf = ({ state, cursor, span }: Replay): number => {
  if (state === 'finished') return 100;
  if (cursor === null || span === undefined) return 0;
  const [first, last] = span.map(timeOfId) as [number, number];
  return Math.floor(Math.min(99, ((timeOfId(cursor) - first) / Math.max(1, last - first)) * 100));
};
