/** Shows in the log what a long attempt waits for: first a free connection of ours, then the receiver's response. */
import { log } from '../../aws/log.ts';
import { second, systemClock } from '../../foundation/clock.ts';
import { type Delivery, expiresAt } from '../delivery.ts';
import { overdueMs } from '../records/overdue.ts';
import { recordStep } from '../records/store.ts';
import type { WaitingFor } from '../resource.ts';
import type { Waiting } from './wait.ts';

/** Attempts that last longer than this are shown. Nearly all end earlier, and need no additional write. */
const shownAfterMs = 1.5 * second;

/** Tracks what an attempt shows in the log. */
interface Shown {
  /** Called when a connection is free and the receiver's response is awaited. */
  readonly begin: () => void;
  /** Called when the attempt has ended; returns the delivery as it is in the table. */
  readonly end: () => Promise<Delivery>;
}

/** Starts to track an attempt. */
export const showWhileWaiting = (work: Waiting, delivery: Delivery): Shown => {
  let shown = Promise.resolve(delivery);
  let reason: WaitingFor['reason'] = 'turn';
  let isShown = false;
  const show = (): void => {
    isShown = true;
    // A failure to show progress must not lose the result.
    shown = shown.then((before) =>
      recordWaitingFor(work, before, reason).catch((error: unknown) => {
        log.warn('What an attempt waits for could not be shown', { delivery_id: before.id, error });
        return before;
      }),
    );
  };
  let timer = setTimeout(show, shownAfterMs);
  return {
    begin: () => {
      if (reason === 'turn' && isShown) timer = setTimeout(show, shownAfterMs);
      reason = 'answer';
    },
    end: () => {
      clearTimeout(timer);
      return shown;
    },
  };
};

/** Records what a delivery waits for during its attempt. Returns the delivery as stored. */
const recordWaitingFor = async (
  { options }: Waiting,
  before: Delivery,
  reason: WaitingFor['reason'],
): Promise<Delivery> => {
  const now = systemClock();
  const after: Delivery = {
    ...before,
    waiting_for: { reason, until: null },
    expires_at: expiresAt(now, options.settings),
  };
  return (await recordStep(before, after, now + overdueMs)) ? { ...after, unrecorded: undefined } : before;
};
