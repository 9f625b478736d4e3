/** Stores the cursor and the lease of a fan-out with the event's body. */
import type { EventBody } from '../../events/event.ts';
import { eventBodyKey, eventBodyOf } from '../../events/store.ts';
import { second, systemClock } from '../../foundation/clock.ts';
import type { WebhookId } from '../../foundation/ids.ts';
import { type Change, is } from '../../table/condition.ts';
import { updateOnce } from '../../table/once.ts';

/**
 * The lease of a run, in ms; each saved cursor renews it. It covers a page instead of the whole run, so that the rest of a killed run need not wait
 * long. If a page takes longer, a second message of the event may send that page too, which creates the same deliveries.
 */
export const leaseMs = 6 * second;

/** Takes over the lease, provided that everything up to `after` was sent if it is given; undefined if another run was faster. */
export const takeOverFanOut = async (
  hash: string,
  from: string | undefined,
  run: string,
  after?: WebhookId,
): Promise<EventBody | undefined> => {
  const change = { set: { fan_out_run: run, fan_out_until: systemClock() + leaseMs, fan_out_after: after } };
  const { value } = await updateOnce(eventBodyKey(hash), change, is('fan_out_run', from ?? ''));
  return value && eventBodyOf(value);
};

const changed = async (hash: string, run: string, change: Change): Promise<boolean> =>
  (await updateOnce(eventBodyKey(hash), change, is('fan_out_run', run))).written;

/** Saves that all subscribers up to `after` were sent; false if another run has taken over. */
export const saveFanOut = (hash: string, run: string, after: WebhookId): Promise<boolean> =>
  changed(hash, run, { set: { fan_out_after: after, fan_out_until: systemClock() + leaseMs } });

/** Saves the cursor and ends the lease, so that the next run need not wait. */
export const handOverFanOut = (hash: string, run: string, after: WebhookId): Promise<boolean> =>
  changed(hash, run, { set: { fan_out_after: after, fan_out_until: 0 } });

/** Marks a fan-out of several pages as done, so that none of its messages starts it again. */
export const finishFanOut = (hash: string, run: string): Promise<boolean> =>
  changed(hash, run, { set: { fan_out_done: true } });
