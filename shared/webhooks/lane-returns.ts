/**
 * The places in which an integration's slow webhooks return to the normal lane, one after another: a receiver that hangs again holds
 * environments of the lane until its deadline, and so at most one such webhook of an integration does at a time.
 */
import { day, second } from '../foundation/clock.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import { is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';

/** A receiver has ten seconds to answer. */
const everyMs = 10 * second;

const returnsKey = (integration: IntegrationId): Key => ({ pk: `WEBHOOK#${integration}`, sk: 'RETURNS' });

/** Rivals are the slow webhooks of one integration that have become quick at the same time. */
const maxTries = 20;

interface Returns {
  /** When the next place is free, in epoch ms. */
  readonly next_at: number;
}

/** Takes the next place, and returns its time in epoch ms: `now` if it is free. */
export const takeReturn = async (integration: IntegrationId, now: number): Promise<number> => {
  let next: number | undefined;
  for (let tries = 0; tries < maxTries; tries++) {
    const at = Math.max(now, next ?? 0);
    const set = { next_at: at + everyMs, expires_at: Math.floor((at + day) / second) };
    const isAsRead = next === undefined ? missing('next_at') : is('next_at', next);
    const { written, refusal } = await tryWrite(update(returnsKey(integration), { set }, isAsRead));
    if (written) return at;
    next = refusal.found<Returns>()?.next_at;
  }
  // So many others are before it: it asks again with its next answer.
  return now + everyMs;
};
