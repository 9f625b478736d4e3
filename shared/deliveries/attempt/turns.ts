/**
 * Turns in the slow lane. A slow webhook occupies at most a few environments at a time, however many of its deliveries wait, so that it cannot fill
 * the lane; a few more while nobody else waits. All deliveries of a webhook in a batch share one turn, because they wait for their responses at the
 * same time.
 */
import { isLongerThan } from '../../aws/queues.ts';
import { second } from '../../foundation/clock.ts';
import { allOf, is, missing } from '../../table/condition.ts';
import { tryWrite } from '../../table/conditional.ts';
import { update } from '../../table/item.ts';
import { webhookKey } from '../../webhooks/table-keys.ts';
import type { Webhook } from '../../webhooks/webhook.ts';

/** The environments that may wait for one webhook. Two are a tenth of `prod`'s slow lane; eight may wait while the lane is idle. */
export const slots = { busy: 2, idle: 8 } as const;
/** The maximum number of messages in an idle lane: those of one batch. */
const idleLane = 10;
/** How long one reading of the lane's length is used. */
const readEveryMs = 5 * second;

let reading: { readonly at: number; readonly slots: Promise<number> } | undefined;

/** Returns how many environments may wait for one webhook now. If the queue does not answer, the lane counts as busy. */
const slotsNow = (now: number): Promise<number> => {
  if (reading === undefined || now - reading.at >= readEveryMs) reading = { at: now, slots: readSlots() };
  return reading.slots;
};

const readSlots = async (): Promise<number> =>
  (await isLongerThan('slow-deliveries', idleLane, true)) ? slots.busy : slots.idle;

/**
 * The horizon of turns: a delivery without a turn within this time asks again. A webhook that has become fast again is then served at
 * once, including waiting deliveries.
 */
const horizonMs = 15 * second;

export interface Turn {
  /** Epoch ms. */
  readonly at: number;
  /** False if no turn was free within the horizon: `at` is then the time to ask again. */
  readonly isTaken: boolean;
}

/**
 * Returns the next turn (GCRA): as many at once as there are slots, then one per usual response time divided by the number of slots.
 * @param nextAt when the next turn is free, epoch ms; undefined at first
 * @param usualMs how long a turn takes
 */
export const nextTurn = (
  nextAt: number | undefined,
  usualMs: number,
  now: number,
  count: number,
): { readonly turn: Turn; readonly nextAt: number | undefined } => {
  const interval = usualMs / count;
  const arrival = Math.max(nextAt ?? 0, now);
  const at = Math.round(Math.max(now, arrival - interval * (count - 1)));
  if (at > now + horizonMs) return { turn: { at: now + horizonMs, isTaken: false }, nextAt: undefined };
  return { turn: { at, isTaken: true }, nextAt: Math.round(arrival + interval) };
};

/** How often a write is tried again after losing to another environment that serves this webhook. */
const maxTries = 10;

/** Takes the next turn of a webhook. @param usualMs the assumed response time of a webhook without findings */
export const takeTurn = async (webhook: Webhook, usualMs: number, now: number): Promise<Turn> => {
  let { turn_at } = webhook;
  const { target_url, status } = webhook;
  const count = await slotsNow(now);
  for (let tries = 0; tries < maxTries; tries++) {
    const { turn, nextAt } = nextTurn(turn_at, webhook.health?.usual_ms ?? usualMs, now, count);
    if (nextAt === undefined) return turn;
    const isAsRead = turn_at === undefined ? missing('turn_at') : is('turn_at', turn_at);
    const { written, refusal } = await tryWrite(
      update(
        webhookKey(webhook.id),
        { set: { turn_at: nextAt } },
        allOf(is('target_url', target_url), is('status', status), isAsRead),
      ),
    );
    if (written) return turn;
    const found = refusal.found<Webhook>();
    // The webhook was deleted or changed meanwhile: the next check decides anew.
    if (found === undefined || found.target_url !== target_url || found.status !== status)
      return { at: now, isTaken: false };
    turn_at = found.turn_at;
  }
  // All others got a turn, so the lane has its maximum of environments for this webhook.
  return { at: now + usualMs, isTaken: false };
};
