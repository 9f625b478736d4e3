/** A replay: sending again what events brought to one webhook in a range of time. */
import { day, second, systemClock, timestamp } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import type { DeliveryId, ReplayId, WebhookId } from '../../foundation/ids.ts';
import { present } from '../../foundation/resource.ts';
import { isUnfinished } from '../delivery.ts';
import type { DeliveryResource } from '../resource.ts';
import { type ReplayResource, replayResource } from './resource.ts';
import type { NewReplay } from './schema.ts';

/** What is stored of a replay. Events accepted at `since` are included, at `until` not. */
export interface Replay extends Omit<ReplayResource, 'progress'> {
  readonly checked: number;
  readonly replayed: number;
  /** The delivery that was read last. */
  readonly cursor: DeliveryId | null;
  /** New deliveries that had not had their first attempt when it last looked. */
  readonly in_lane: readonly DeliveryId[];
  /** How many of them may be in the lane at a time; see `run.ts`. */
  readonly window: number;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

/** Replays are shown for so long after their beginning. */
const keptMs = 30 * day;
/** A replay begins carefully and becomes faster while the lane keeps up. */
const firstWindow = 50;

/** Makes a replay, requested `now` (epoch ms). It covers nothing later, so that it does not replay itself. */
export const newReplayOf = (id: ReplayId, webhook_id: WebhookId, input: NewReplay, now: number): Replay => ({
  id,
  webhook_id,
  since: timestamp(input.since),
  until: timestamp(Math.max(input.since, Math.min(input.until, now))),
  status: input.status,
  state: 'running',
  cursor: null,
  checked: 0,
  replayed: 0,
  in_lane: [],
  window: firstWindow,
  created_at: timestamp(now),
  updated_at: timestamp(now),
  expires_at: Math.floor((now + keptMs) / second),
});

/** Returns a replay as it was read, if it is one of this webhook. @throws NotFoundError */
export const checkReplay = (replay: Replay | undefined, webhook: WebhookId, id: ReplayId): Replay => {
  if (replay === undefined || replay.webhook_id !== webhook || replay.expires_at * second <= systemClock())
    throw new NotFoundError(`This webhook has no replay with the id \`${id}\`.`, {
      help: 'A replay is kept for 30 days.',
    });
  return replay;
};

/** Returns whether a replay sends this delivery again. */
export const isReplayed = (
  { status }: Pick<Replay, 'status'>,
  delivery: Pick<DeliveryResource, 'status' | 'trigger'>,
): boolean =>
  delivery.trigger === 'event' && !isUnfinished(delivery) && (status === null || delivery.status === status);

/** Presents a replay to clients. */
export const presentReplay = ({ checked, replayed, ...replay }: Replay): ReplayResource =>
  present(replayResource, { ...replay, progress: { checked, replayed } });
