/** The effect on a delivery of not being attempted: it waits, or it ends. */
import { maxDelaySeconds } from '../../aws/queues.ts';
import { minute, second, timestamp } from '../../foundation/clock.ts';
import type { Settings } from '../../foundation/settings.ts';
import { type Delivery, expiresAt, type RowName } from '../delivery.ts';
import type { WaitingFor } from '../resource.ts';
import { endOfAttempts, type Random, spreadAfter } from '../schedule.ts';

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

type Rules = Pick<Settings['deliveries'], 'keepDays'>;

/** The sweep sends what waits longer than a message can, but only to the minute: so the last part is a message. */
const exactMs = 10 * minute;

/** Returns a delivery that waits in a row, for `until` (epoch ms); held if that is after its last attempt. */
export const queued = (
  delivery: Delivery,
  { until, row }: { readonly until: number; readonly row: RowName | undefined },
  rules: Rules,
  now: number,
): Delivery =>
  until > endOfAttempts(delivery)
    ? ended(delivery, 'held', delivery.last_error, 'throttle')
    : {
        ...delivery,
        row,
        waits: delivery.waits + 1,
        next_attempt_at: timestamp(until - now > maxDelaySeconds * second ? until - exactMs : until),
        waiting_for: { reason: 'throttle', until: timestamp(until) },
        expires_at: expiresAt(now, rules),
      };

/** Returns a delivery that waits until a time (epoch ms, with jitter), or for its webhook; waiting is no attempt. */
export const deferred = (
  delivery: Delivery,
  { reason, until }: { readonly reason: WaitingFor['reason']; readonly until: number | null },
  rules: Rules,
  now: number,
  random: Random,
): Delivery => ({
  ...delivery,
  waits: delivery.waits + 1,
  next_attempt_at: until === null ? null : timestamp(spreadAfter(until, now, random)),
  waiting_for: { reason, until: until === null ? null : timestamp(until) },
  expires_at: expiresAt(now, rules),
});
