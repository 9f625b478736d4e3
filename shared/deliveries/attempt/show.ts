/** Shows in the log what a long attempt waits for: first one of our own connections, then the answer of its receiver. */
import { second, systemClock } from '../../foundation/clock.ts';
import { type Delivery, expiresAt } from '../delivery.ts';
import { overdueMs } from '../records/overdue.ts';
import { recordStep } from '../records/store.ts';
import type { WaitingFor } from '../resource.ts';
import type { Waiting } from './wait.ts';

/** An attempt that has waited for so long is shown; nearly all end earlier, without a write for it. */
const shownAfterMs = 1.5 * second;

/** What shows an attempt. */
interface Shown {
  /** A connection is free: from now on the receiver is waited for. */
  readonly begin: () => void;
  /** The attempt has ended: returns its delivery as it is in the table. */
  readonly end: () => Promise<Delivery>;
}

/** Shows an attempt that starts now. */
export const showWhileWaiting = (work: Waiting, delivery: Delivery): Shown => {
  let shown = Promise.resolve(delivery);
  let reason: WaitingFor['reason'] = 'turn';
  let isShown = false;
  const show = (): void => {
    isShown = true;
    // What is shown is no reason to lose a result.
    shown = shown.then((before) => recordWait(work, before, reason).catch(() => before));
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

/** Records what a delivery waits for during its attempt. Returns it as it then is in the table. */
const recordWait = async ({ options }: Waiting, before: Delivery, reason: WaitingFor['reason']): Promise<Delivery> => {
  const now = systemClock();
  const after: Delivery = {
    ...before,
    waiting_for: { reason, until: null },
    expires_at: expiresAt(now, options.settings),
  };
  return (await recordStep(before, after, now + overdueMs)) ? { ...after, unrecorded: undefined } : before;
};
