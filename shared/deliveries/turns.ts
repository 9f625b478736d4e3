/**
 * Turns in the slow lane: a slow webhook occupies a few environments at a time and no more, however much waits for it, so that it
 * cannot fill the lane. One turn is for all of a webhook's deliveries in one batch, which wait for their answers at the same time.
 */
import { second } from '../foundation/clock.ts';
import { allOf, exists, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { webhookKey } from '../webhooks/table-keys.ts';
import type { Webhook } from '../webhooks/webhook.ts';

/** Environments that one webhook may keep waiting: a tenth of the slow lane where it has 20, and never less than two. */
const slots = 2;

/**
 * No turn is given further ahead: what finds none within this time asks again. A webhook that answers quickly again is served at
 * once then, also what had to wait.
 */
const horizonMs = 15 * second;

export interface Turn {
  /** Epoch ms. */
  readonly at: number;
  /** False where no turn was free within the horizon: `at` is then the time to ask again. */
  readonly isTaken: boolean;
}

/**
 * Returns the next turn (GCRA): `slots` at once, then one each time an answer usually takes, divided by the slots.
 * @param nextAt when the next turn is free, epoch ms; undefined at first
 * @param usualMs how long a turn takes
 */
export const nextTurn = (
  nextAt: number | undefined,
  usualMs: number,
  now: number,
): { readonly turn: Turn; readonly nextAt: number | undefined } => {
  const interval = usualMs / slots;
  const arrival = Math.max(nextAt ?? 0, now);
  const at = Math.round(Math.max(now, arrival - interval * (slots - 1)));
  if (at > now + horizonMs) return { turn: { at: now + horizonMs, isTaken: false }, nextAt: undefined };
  return { turn: { at, isTaken: true }, nextAt: Math.round(arrival + interval) };
};

/** Rivals are the environments that serve one webhook at the same time. */
const maxTries = 10;

/** Takes the next turn of a webhook. @param usualMs how long its answers take where nothing is known of it */
export const takeTurn = async (webhook: Webhook, usualMs: number, now: number): Promise<Turn> => {
  let { turn_at } = webhook;
  for (let tries = 0; tries < maxTries; tries++) {
    const { turn, nextAt } = nextTurn(turn_at, webhook.health?.usual_ms ?? usualMs, now);
    if (nextAt === undefined) return turn;
    const isAsRead = turn_at === undefined ? missing('turn_at') : is('turn_at', turn_at);
    const { written, refusal } = await tryWrite(
      update(webhookKey(webhook.id), { set: { turn_at: nextAt } }, allOf(exists(), isAsRead)),
    );
    if (written) return turn;
    const found = refusal.found<Webhook>();
    // Gone: nothing can be sent to it, as the next look at it finds.
    if (found === undefined) return { at: now, isTaken: false };
    turn_at = found.turn_at;
  }
  // All of the others have a turn: the lane is as busy with this webhook as it may be.
  return { at: now + usualMs, isTaken: false };
};
