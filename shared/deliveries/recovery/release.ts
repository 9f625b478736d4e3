/**
 * Releases a webhook's waiting deliveries when its receiver works again, because a delivery that has failed twice need not wait for its five minutes.
 * Each run sends a chunk to the slow lane, and the next run follows a second later if the lane has processed half of it. To avoid flooding the
 * receiver, chunks double while it keeps up and halve while it does not, and they stop if it fails again. A pause that the receiver asks for only
 * interrupts them.
 */
import { maxDelaySeconds } from '../../aws/queues.ts';
import { day, second, systemClock, timestamp } from '../../foundation/clock.ts';
import { longestDeliveryDays } from '../../foundation/delivery-times.ts';
import type { DeliveryId, WebhookId } from '../../foundation/ids.ts';
import { semaphore } from '../../foundation/semaphore.ts';
import { settleAll } from '../../foundation/settle.ts';
import { endRelease, postponeRelease } from '../../webhooks/backlog.ts';
import { readinessOf } from '../../webhooks/health.ts';
import { webhookStore } from '../../webhooks/store.ts';
import { type Delivery, messageOf } from '../delivery.ts';
import { type LaneMessage, sendToLanes } from '../lanes.ts';
import { overdueMs } from '../records/overdue.ts';
import { readOwnItems, recordStep, unfinishedSince } from '../records/store.ts';
import { spreadAfter } from '../schedule.ts';
import { type RecoveryMessage, sendRecovery } from './message.ts';

/** The sizes of the first and of the largest chunk. A run can read, write and send the largest one in a few seconds. */
const chunk = { first: 20, max: 4000 } as const;
/** As many deliveries as one request reads. */
const maxSample = 100;
const nextChunkSeconds = 1;
/** A second pass finds deliveries that were deferred while the breaker was closing. */
const secondPassSeconds = 5;
/** Concurrent writes. */
const limited = semaphore(32);

/** Processes one message: releases the next chunk if the webhook still works and the lane has room. */
export const releaseWaiting = async (message: RecoveryMessage): Promise<void> => {
  const { recovered, recovered_at, after, size = chunk.first, sample = [], isSecond = false } = message;
  const now = systemClock();
  const webhook = await webhookStore.read(recovered);
  // It has ended, or was broken off: the receiver failed again, the webhook was disabled or moved, or is gone.
  if (webhook?.recovering !== timestamp(recovered_at)) return;
  const sendNext = async (next: Omit<RecoveryMessage, 'recovered' | 'recovered_at'>, delaySeconds: number) => {
    await postponeRelease(webhook, now + delaySeconds * second);
    await sendRecovery({ recovered, recovered_at, ...next }, delaySeconds);
  };
  const readiness = readinessOf(webhook.health, now);
  if (readiness.kind === 'wait')
    return sendNext(message, Math.min(maxDelaySeconds, Math.ceil((readiness.until - now) / second)));
  const inLane = await stillInLane(recovered, sample);
  if (inLane.length > sample.length / 2)
    return sendNext({ ...message, size: Math.max(chunk.first, Math.floor(size / 2)) }, nextChunkSeconds);

  // Deliveries that were accepted earlier have no attempt left.
  const since = now - longestDeliveryDays * day;
  const { deliveries, next } = await unfinishedSince(recovered, { since, after, limit: size });
  const waiting = deliveries.filter((delivery) => isReleased(delivery, recovered_at, now));
  const released = await settleAll(waiting.map((delivery) => limited(() => release(delivery, now))));
  const sent = released.flatMap((one) => one ?? []);
  await sendToLanes(sent.flatMap(({ message: body }) => body ?? []));

  if (next !== undefined) {
    const chunkIds = spreadOver(sent.flatMap(({ id, isDue }) => (isDue ? [id] : [])));
    await sendNext({ after: next, size: Math.min(chunk.max, 2 * size), sample: chunkIds, isSecond }, nextChunkSeconds);
  } else if (isSecond) await endRelease(webhook);
  else await sendNext({ size, isSecond: true }, secondPassSeconds);
};

/**
 * Returns whether a delivery waits for the schedule or the breaker and has not been attempted since the recovery. If its time has come, it has a
 * message in the lane, unless the next sweep would send one. A wait that the receiver asked for is respected.
 */
const isReleased = (
  { next_attempt_at, last_attempt_at, waiting_for, due_at }: Delivery,
  recoveredAt: number,
  now: number,
): boolean =>
  next_attempt_at !== null &&
  (Date.parse(next_attempt_at) > now || due_at === next_attempt_at) &&
  (last_attempt_at === null || Date.parse(last_attempt_at) < recoveredAt) &&
  (waiting_for?.reason === 'schedule' || waiting_for?.reason === 'circuit_breaker');

/** Returns a sample of a chunk, evenly from its beginning to its end, because the lane processes it roughly in this order. */
const spreadOver = <T>(ids: readonly T[]): T[] => {
  const every = Math.ceil(ids.length / maxSample);
  return ids.filter((_, position) => position % every === 0);
};

interface Released {
  readonly id: DeliveryId;
  /** Whether it is due now. If not, it is due at the time that its receiver asked for. */
  readonly isDue: boolean;
  /** Undefined if it waits for longer than a message can be delayed; then the sweep sends it. */
  readonly message: LaneMessage | undefined;
}

/** Makes a delivery due, but not before the time that its receiver asked for; undefined if another message has advanced it in the meantime. */
const release = async (delivery: Delivery, now: number): Promise<Released | undefined> => {
  const { id, asked_until } = delivery;
  const isDue = asked_until === undefined || Date.parse(asked_until) <= now;
  const next = isDue ? now : spreadAfter(Date.parse(asked_until), now, Math.random);
  const due: Delivery = {
    ...delivery,
    next_attempt_at: timestamp(next),
    waiting_for: isDue ? { reason: 'turn', until: null } : { reason: 'retry_after', until: asked_until },
  };
  const delaySeconds = Math.ceil((next - now) / second);
  const fits = delaySeconds <= maxDelaySeconds;
  if (!(await recordStep(delivery, due, fits ? next + overdueMs : next))) return undefined;
  return { id, isDue, message: fits ? { message: messageOf(due), lane: 'slow', delaySeconds } : undefined };
};

/** Returns the released deliveries that have not been attempted yet. */
const stillInLane = async (webhook: WebhookId, ids: readonly DeliveryId[]): Promise<Delivery[]> =>
  (await readOwnItems(webhook, ids)).filter(({ waiting_for }) => waiting_for?.reason === 'turn');
