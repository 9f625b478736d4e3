/** The effect on a delivery of not being attempted: it waits, or it ends. */
import { maxDelaySeconds } from '../../aws/queues.ts';
import { minute, second, timestamp } from '../../foundation/clock.ts';
import type { Settings } from '../../foundation/settings.ts';
import { type Delivery, expiresAt } from '../delivery.ts';
import type { WaitingFor } from '../resource.ts';
import { endOfAttempts, type Random, scheduleMs, spreadAfter } from '../schedule.ts';

/** The error of a delivery whose webhook failed for its whole schedule. */
const unreachable = 'unreachable';

type End = 'cancelled' | 'failed' | 'held' | 'superseded';

/** Returns a delivery that ends without an attempt. `heldFor` is what a held one waits for. */
export const ended = (
  delivery: Delivery,
  status: End,
  error: string | null,
  heldFor: WaitingFor['reason'] = 'disabled',
): Delivery => ({
  ...delivery,
  status,
  waits: delivery.waits + 1,
  last_error: error,
  next_attempt_at: null,
  waiting_for: status === 'held' ? { reason: heldFor, until: null } : null,
});

type Rules = Pick<Settings['deliveries'], 'retryAfterSeconds' | 'keepDays'>;

/** The sweep, which sends what waits for longer than a message can, is exact to a minute only: so the last part of a wait is a message. */
const exactMs = 10 * minute;

/**
 * Returns a delivery that waits for its place in a row, at `until` (epoch ms). Its receiver has not failed, so its schedule does not begin; if its
 * place is beyond its last possible attempt, it is held.
 */
export const queued = (delivery: Delivery, until: number, rules: Rules, now: number): Delivery =>
  until > endOfAttempts(delivery)
    ? ended(delivery, 'held', delivery.last_error, 'throttle')
    : {
        ...delivery,
        waits: delivery.waits + 1,
        next_attempt_at: timestamp(until - now > maxDelaySeconds * second ? until - exactMs : until),
        waiting_for: { reason: 'throttle', until: timestamp(until) },
        expires_at: expiresAt(now, rules),
      };

/**
 * Returns a delivery that waits until a time in epoch ms. Waiting is not an attempt: only the time of the next one moves, with jitter, so that
 * deliveries do not come back at once. A delivery whose time would be over by then is held, so that a replay can send it.
 */
export const deferred = (
  delivery: Delivery,
  { reason, until }: { readonly reason: WaitingFor['reason']; readonly until: number },
  rules: Rules,
  now: number,
  random: Random,
): Delivery => {
  const schedule_from = delivery.schedule_from ?? timestamp(now);
  const end = Math.min(Date.parse(schedule_from) + scheduleMs(rules.retryAfterSeconds), endOfAttempts(delivery));
  if (until > end) return ended(delivery, 'held', unreachable, reason);
  return {
    ...delivery,
    waits: delivery.waits + 1,
    schedule_from,
    next_attempt_at: timestamp(spreadAfter(until, now, random)),
    waiting_for: { reason, until: timestamp(until) },
    expires_at: expiresAt(now, rules),
  };
};
