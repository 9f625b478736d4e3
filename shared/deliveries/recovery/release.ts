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
import { readWebhook } from '../../webhooks/store.ts';
import { type Delivery, isUnfinished } from '../delivery.ts';
import { nextMessageOf, sendToLanes } from '../lanes.ts';
import { readOwnItems, recordStep, unfinishedSince } from '../records/store.ts';
import type { WaitingFor } from '../resource.ts';
import { spreadAfter } from '../schedule.ts';
import { type RecoveryMessage, sendRecovery } from './message.ts';

/** The sizes of the first and of the largest chunk. A run can read, write and send the largest one in a few seconds. */
const chunk = { first: 20, max: 4000 } as const;
/** As many deliveries as one request reads. */
const maxSample = 100;
const nextChunkSeconds = 1;
/** A second pass finds deliveries that were deferred while the breaker was closing. */
const secondPassSeconds = 5;
/** A delivery that is due this soon is not released: until its record is written, its earlier message would be valid too. */
const soonMs = 10 * second;
/** Concurrent writes. */
const limited = semaphore(32);

/** Processes one message: releases the next chunk if the webhook still works and the lane has room. */
export const releaseWaiting = async (message: RecoveryMessage): Promise<void> => {
  const { recovered, recovered_at, after, size = chunk.first, sample = [], isSecond = false } = message;
  const now = systemClock();
  const webhook = await readWebhook(recovered);
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
  const reasons = webhook.backlog === undefined ? ofThrottle : ofBreaker;
  const sent = deliveries.filter((one) => isReleased(one, reasons, recovered_at, now)).map((one) => released(one, now));
  // Sent before it is recorded, as each step is (`attempt/deliver.ts`).
  const messages = sent.map((one) => nextMessageOf(one, now));
  await sendToLanes(messages.filter((message) => message !== undefined));
  await settleAll(
    sent.map((one, at) => limited(() => recordStep(one, { due: messages[at] ? undefined : dueOf(one) }))),
  );

  if (next !== undefined) {
    const chunkIds = spreadOver(sent.filter((one) => isDue(one, now)).map(({ id }) => id));
    await sendNext({ after: next, size: Math.min(chunk.max, 2 * size), sample: chunkIds, isSecond }, nextChunkSeconds);
  } else if (isSecond) await endRelease(webhook);
  else await sendNext({ size, isSecond: true }, secondPassSeconds);
};

/** What deliveries wait for that are released when the receiver works again, and when the throttle of the webhook has changed. */
const ofBreaker: readonly WaitingFor['reason'][] = ['schedule', 'circuit_breaker'];
const ofThrottle: typeof ofBreaker = ['throttle'];

/**
 * Returns whether a delivery waits for one of these reasons, has not been attempted since the recovery, and would not come soon by itself. A wait that
 * the receiver asked for is respected.
 */
const isReleased = (
  { next_attempt_at, last_attempt_at, waiting_for }: Delivery,
  reasons: typeof ofBreaker,
  recoveredAt: number,
  now: number,
): boolean =>
  next_attempt_at !== null &&
  Date.parse(next_attempt_at) > now + soonMs &&
  (last_attempt_at === null || Date.parse(last_attempt_at) < recoveredAt) &&
  waiting_for !== null &&
  reasons.includes(waiting_for.reason);

/** Returns a sample of a chunk, evenly from its beginning to its end, because the lane processes it roughly in this order. */
const spreadOver = <T>(ids: readonly T[]): T[] => {
  const every = Math.ceil(ids.length / maxSample);
  return ids.filter((_, position) => position % every === 0);
};

/** Returns whether a delivery may be attempted now. If not, its receiver asked for a later time. */
const isDue = ({ asked_until }: Delivery, now: number): boolean =>
  asked_until === undefined || Date.parse(asked_until) <= now;

/** Returns a delivery that is due now, or at the time that its receiver asked for. */
const released = (delivery: Delivery, now: number): Delivery => {
  const { asked_until, waits } = delivery;
  const next =
    asked_until === undefined || isDue(delivery, now) ? now : spreadAfter(Date.parse(asked_until), now, Math.random);
  return {
    ...delivery,
    waits: waits + 1,
    next_attempt_at: timestamp(next),
    waiting_for: isDue(delivery, now) ? null : { reason: 'retry_after', until: asked_until ?? null },
  };
};

/** Returns when the sweep sends a delivery that has no message, in epoch ms. */
const dueOf = ({ next_attempt_at }: Delivery): number => Date.parse(next_attempt_at ?? '');

/** Returns the released deliveries that have not been attempted yet: they wait for nothing. */
const stillInLane = async (webhook: WebhookId, ids: readonly DeliveryId[]): Promise<Delivery[]> =>
  (await readOwnItems(webhook, ids)).filter((delivery) => isUnfinished(delivery) && delivery.waiting_for === null);
