/** A replay: the job of delivering once more what events brought to one webhook in a range of time. */
import { type Clock, day, second, timestamp } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import type { DeliveryId, Ids, JobId, WebhookId } from '../../foundation/ids.ts';
import { isUnfinished } from '../delivery.ts';
import type { DeliveryState } from '../resource.ts';
import type { ReplayResponse } from './response.ts';
import type { NewReplay } from './schema.ts';

/** `cancelled`: the webhook was deleted meanwhile. */
export const replayStates = ['running', 'finished', 'cancelled'] as const;
export type ReplayState = (typeof replayStates)[number];

/** What a replay may be limited to: what has ended. The rest is on its way by itself. */
export const replayable = ['delivered', 'failed', 'cancelled', 'blocked', 'held'] as const satisfies DeliveryState[];

export interface Replay {
  readonly id: JobId;
  readonly webhook_id: WebhookId;
  /** ISO; what was accepted at `since` is in, at `until` is not. */
  readonly since: string;
  readonly until: string;
  /** Only deliveries of this status; null for all. */
  readonly status: (typeof replayable)[number] | null;
  readonly state: ReplayState;
  /** The delivery that was looked at last. */
  readonly cursor: DeliveryId | null;
  /** How many deliveries were looked at, and how many of them sent once more. */
  readonly checked: number;
  readonly replayed: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

/** Jobs are shown for so long after their beginning. */
const keptMs = 30 * day;

interface Ports {
  readonly addReplay: (replay: Replay) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Begins a replay. It ends where it began, so that it does not replay itself. */
export const beginReplay = async (ports: Ports, webhook: WebhookId, input: NewReplay): Promise<Replay> => {
  const now = ports.clock();
  const replay: Replay = {
    id: ports.ids<JobId>(),
    webhook_id: webhook,
    since: timestamp(input.since),
    until: timestamp(Math.max(input.since, Math.min(input.until, now))),
    status: input.status,
    state: 'running',
    cursor: null,
    checked: 0,
    replayed: 0,
    created_at: timestamp(now),
    updated_at: timestamp(now),
    expires_at: Math.floor((now + keptMs) / second),
  };
  await ports.addReplay(replay);
  return replay;
};

/** Finds a replay of a webhook. @throws NotFoundError */
export const findReplay = async (
  { readReplay, clock }: { readonly readReplay: (id: JobId) => Promise<Replay | undefined>; readonly clock: Clock },
  webhook: WebhookId,
  id: JobId,
): Promise<Replay> => {
  const replay = await readReplay(id);
  if (replay === undefined || replay.webhook_id !== webhook || replay.expires_at * second <= clock())
    throw new NotFoundError(`This webhook has no replay with the id \`${id}\`.`, {
      help: 'A replay is shown for 30 days.',
    });
  return replay;
};

/** Whether a delivery is one that this replay sends once more. */
export const isReplayed = (
  { status }: Pick<Replay, 'status'>,
  delivery: { readonly status: DeliveryState; readonly trigger: string },
): boolean =>
  delivery.trigger === 'event' && !isUnfinished(delivery) && (status === null || delivery.status === status);

/** What clients see of it. */
export const presentReplay = (replay: Replay): ReplayResponse => ({
  id: replay.id,
  webhook_id: replay.webhook_id,
  since: replay.since,
  until: replay.until,
  status: replay.status,
  state: replay.state,
  progress: { checked: replay.checked, replayed: replay.replayed },
  created_at: replay.created_at,
  updated_at: replay.updated_at,
});
