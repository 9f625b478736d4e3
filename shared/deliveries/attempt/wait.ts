/** The effect on a delivery of not being attempted: it waits, or it ends. */
import { timestamp } from '../../foundation/clock.ts';
import type { Settings } from '../../foundation/settings.ts';
import { type Delivery, expiresAt } from '../delivery.ts';
import type { WaitingFor } from '../resource.ts';
import { endOfAttempts, type Random, scheduleMs, spreadAfter } from '../schedule.ts';

/** The error of a delivery whose webhook failed for its whole schedule. */
const unreachable = 'unreachable';

type End = 'cancelled' | 'failed' | 'held';

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
