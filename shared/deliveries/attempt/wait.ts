/** Handles a delivery that is not attempted now: it waits in the queue or for the sweep, changes the lane, or ends. */
import { maxDelaySeconds } from '../../aws/queues.ts';
import { sendStored } from '../../due/outbox.ts';
import { minute, second, systemClock, timestamp } from '../../foundation/clock.ts';
import type { Settings } from '../../foundation/settings.ts';
import { type Delivery, type DeliveryMessage, expiresAt, sentAgain } from '../delivery.ts';
import { failureMessage, mustReport } from '../records/failed.ts';
import { overdueMs } from '../records/overdue.ts';
import { recordAndCountStep } from '../records/record.ts';
import { recordStep } from '../records/store.ts';
import type { WaitingFor } from '../resource.ts';
import { endOfAttempts, scheduleMs, spreadAfter } from '../schedule.ts';
import type { Batch, WebhookState } from './batch.ts';
import type { Subject } from './decide.ts';

/** A message that is not attempted now. */
export interface Waiting {
  readonly options: { readonly settings: Settings['deliveries'] };
  readonly batch: Batch;
  readonly message: DeliveryMessage;
}

/** The maximum delay of a message; longer waits are left to the sweep. */
const maxDelayMs = maxDelaySeconds * second;
/** A delivery in the table that waits longer than this for its turn moves its time too, before the sweep finds it overdue. */
const unrecordedTurnMs = minute;
/** After this time, the subscription's lane must have been written; if it differs, that write was lost. */
const laneWrittenMs = 10 * second;
/** The error of a delivery whose webhook failed for its whole schedule. */
const unreachable = 'unreachable';

/** Ends a delivery without an attempt. */
export const end = (
  delivery: Delivery,
  status: Delivery['status'],
  error: string | null,
  heldFor: WaitingFor['reason'],
): Promise<unknown> =>
  recordEnd(delivery, {
    ...delivery,
    status,
    last_error: error,
    next_attempt_at: null,
    waiting_for: status === 'held' ? { reason: heldFor, until: null } : null,
  });

/** Records the last step of a delivery, and publishes a failure. */
export const recordEnd = async (before: Delivery, after: Delivery): Promise<void> => {
  const messages = (await mustReport(after)) ? [failureMessage(after)] : [];
  if (await recordAndCountStep(before, after, undefined, messages)) await sendStored(messages);
};

/** Sends a delivery to the slow lane. `slowSince`: since when its webhook is slow, in epoch ms; undefined if it is not known to be. */
export const moveToSlowLane = async (
  work: Waiting,
  delivery: Delivery,
  { findings }: WebhookState,
  slowSince: number | undefined,
): Promise<void> => {
  const { batch, message } = work;
  const isOutdated = slowSince !== undefined && Date.parse(message.created_at) > slowSince + laneWrittenMs;
  if (isOutdated && message.attempt === 1 && message.trigger === 'event') findings.correctLane('slow');
  if (!(await showTurn(work, delivery, systemClock(), null))) return;
  await batch.sendLater({ message: sentAgain(message), lane: 'slow' });
};

/**
 * Records that a delivery waits for its turn, unless it already has a record, so that the log shows everything that was accepted. Returns false if
 * another message has advanced it meanwhile. `at` is when it can be attempted, in epoch ms.
 */
const showTurn = async (
  { options, batch, message }: Waiting,
  delivery: Delivery,
  at: number,
  until: string | null,
): Promise<boolean> => {
  if (batch.deliveries.has(message.delivery_id)) return true;
  const after: Delivery = {
    ...delivery,
    next_attempt_at: timestamp(at),
    waiting_for: { reason: 'turn', until },
    expires_at: expiresAt(systemClock(), options.settings),
  };
  return recordStep(delivery, after, at + overdueMs);
};

/** Sends a delivery again for its turn, or to ask for one, at `at` (epoch ms). */
export const waitForTurn = async (
  work: Waiting,
  { delivery }: Subject,
  at: number,
  turn: number | undefined,
  now: number,
): Promise<void> => {
  const { options, batch, message } = work;
  if (!(await showTurn(work, delivery, at, timestamp(at)))) return;
  const isKnown = batch.deliveries.has(message.delivery_id);
  let { next_attempt_at } = message;
  if (isKnown && at > now + unrecordedTurnMs) {
    next_attempt_at = timestamp(at);
    const after: Delivery = {
      ...delivery,
      next_attempt_at,
      waiting_for: { reason: 'turn', until: next_attempt_at },
      expires_at: expiresAt(now, options.settings),
    };
    if (!(await recordStep(delivery, after, at + overdueMs))) return;
  }
  await batch.sendLater({
    message: { ...sentAgain(message), next_attempt_at, ...(turn !== undefined && { turn }) },
    lane: 'slow',
    delaySeconds: Math.ceil(Math.min(maxDelayMs, Math.max(second, at - now)) / second),
  });
};

/**
 * Waiting is not an attempt: only the time of the next one moves, with jitter, so that deliveries do not come back at once. A
 * delivery whose time is over is held, so that a replay can send it.
 */
export const defer = async (
  work: Waiting,
  { delivery }: Pick<Subject, 'delivery'>,
  { reason, until }: { readonly reason: WaitingFor['reason']; readonly until: number },
  now: number,
): Promise<void> => {
  const { settings } = work.options;
  const schedule_from = delivery.schedule_from ?? timestamp(now);
  if (until > Math.min(Date.parse(schedule_from) + scheduleMs(settings.retryAfterSeconds), endOfAttempts(delivery))) {
    await end(delivery, 'held', unreachable, reason);
    return;
  }
  const next = spreadAfter(until, now, Math.random);
  const waiting_for = { reason, until: timestamp(until) };
  const expires_at = expiresAt(now, settings);
  await schedule(
    work,
    delivery,
    { ...delivery, schedule_from, next_attempt_at: timestamp(next), waiting_for, expires_at },
    now,
  );
};

/** Records a delivery for a later attempt, then sends the message of that attempt if the wait is short. */
export const schedule = async (
  { batch, message }: Waiting,
  before: Delivery,
  after: Delivery & { readonly next_attempt_at: string },
  now: number,
): Promise<void> => {
  const next = Date.parse(after.next_attempt_at);
  const fits = next - now <= maxDelayMs;
  if (!(await recordAndCountStep(before, after, fits ? next + overdueMs : next))) return;
  if (!fits) return;
  await batch.sendLater({
    message: { ...sentAgain(message), attempt: after.attempts + 1, next_attempt_at: after.next_attempt_at },
    lane: 'slow',
    delaySeconds: Math.max(0, Math.ceil((next - now) / second)),
  });
};
