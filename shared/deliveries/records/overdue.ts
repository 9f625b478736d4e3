/**
 * Finds due deliveries that have lost their message. A message that has not arrived may also wait behind a backlog of the slow lane, where a second
 * one would only make the backlog longer. So a message counts as lost only if the lane was short after its time.
 */
import { hour, minute, second } from '../../foundation/clock.ts';
import type { Delivery } from '../delivery.ts';

/** The time after which a delivery with a message in a queue is due for the sweep: a visibility timeout. */
export const overdueMs = 3 * minute;
/** The maximum number of messages in a short lane: two environments receive them within a minute, however slow the receivers are. */
const shortLane = 100;
/** The time after which a message counts as lost, however long the lane is. */
const lostAfterMs = 6 * hour;
/** How long one reading of the lane is used by the concurrent pages of a sweep. */
const readEveryMs = 10 * second;

/** A due delivery; `due_at` is the ISO time at which it became due. */
export type DueDelivery = Pick<Delivery, 'created_at' | 'next_attempt_at'> & { readonly due_at: string };

/** Returns the due deliveries without a message in the queue; `now` in epoch ms. */
export type LostMessages = <T extends DueDelivery>(due: readonly T[], now: number) => Promise<readonly T[]>;

interface Lane {
  /** Returns the number of visible messages in the slow lane. */
  readonly waiting: () => Promise<number>;
  /** The time after which a checked delivery is due again. */
  readonly lookAgainMs: number;
}

/** Creates a watch of the slow lane that remembers when the lane was last short. If the length cannot be read, it assumes a backlog. */
export const watchLane = ({ waiting, lookAgainMs }: Lane): LostMessages => {
  let shortAt = Number.NEGATIVE_INFINITY;
  let reading: { readonly at: number; readonly end: Promise<void> } | undefined;
  const read = (now: number): Promise<void> => {
    if (reading === undefined || now - reading.at >= readEveryMs) {
      const look = async () => {
        if ((await waiting()) <= shortLane) shortAt = now;
      };
      reading = { at: now, end: look() };
      reading.end.catch(() => {
        reading = undefined;
      });
    }
    return reading.end;
  };
  return async (due, now) => {
    const judged = due.map((delivery) => ({ delivery, ...timesOf(delivery) }));
    if (judged.some(({ dueAt, messageAt }) => dueAt > messageAt)) await read(now);
    return judged.flatMap(({ delivery, dueAt, messageAt }) => {
      const periods = (at: number) => Math.floor(Math.max(0, at - messageAt) / lostAfterMs);
      const isLost =
        // Its attempt was too far away for the maximum delay of a message.
        dueAt <= messageAt || shortAt >= dueAt - overdueMs || periods(now) > periods(dueAt - lookAgainMs);
      return isLost ? [delivery] : [];
    });
  };
};

/** Returns when it became due, and when the first message for its next attempt could have been received, in epoch ms. */
const timesOf = ({ due_at, next_attempt_at, created_at }: DueDelivery) => ({
  dueAt: Date.parse(due_at),
  messageAt: Date.parse(next_attempt_at ?? created_at),
});
