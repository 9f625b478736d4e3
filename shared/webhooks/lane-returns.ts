/**
 * The return of an integration's slow webhooks to the normal lane: one after another, and few of them at a time, because receivers that hang
 * again hold environments of the lane until their deadlines, and those of one integration can do so together.
 */
import { day, hour, second } from '../foundation/clock.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import { is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';

/** A receiver has ten seconds to answer. */
const everyMs = 10 * second;
/** How many of an integration's webhooks may have returned within `recentMs`: what they can hold of the lane if all of them hang again. */
const maxRecent = 10;
/** Returns longer ago than this no longer count towards `maxRecent`. */
const recentMs = hour;

const returnsKey = (integration: IntegrationId): Key => ({ pk: `WEBHOOK#${integration}`, sk: 'RETURNS' });

/** How often a write is tried again after another webhook of the integration has returned at the same time. */
const maxTries = 20;

interface Returns {
  /** When the last webhooks returned, in epoch ms. */
  readonly returned: readonly number[];
}

/** Returns when the next webhook may return, after those that returned at these times. */
const nextReturn = (returned: readonly number[]): number => {
  const last = returned.at(-1);
  const first = returned.length < maxRecent ? undefined : returned[0];
  return Math.max((last ?? -everyMs) + everyMs, (first ?? -recentMs) + recentMs);
};

/**
 * Lets a webhook of an integration return to the normal lane: then `now` is returned. Otherwise nothing is reserved, because the webhook may be
 * slow again by then, and the time at which to ask again is returned.
 */
export const takeReturn = async (integration: IntegrationId, now: number): Promise<number> => {
  let returned: readonly number[] | undefined;
  for (let tries = 0; tries < maxTries; tries++) {
    const at = nextReturn(returned ?? []);
    if (at > now) return at;
    const set = {
      returned: [...(returned ?? []), now].slice(-maxRecent),
      expires_at: Math.floor((now + day) / second),
    };
    const isAsRead = returned === undefined ? missing('returned') : is('returned', returned);
    const { written, refusal } = await tryWrite(update(returnsKey(integration), { set }, isAsRead));
    if (written) return now;
    returned = refusal.found<Returns>()?.returned;
  }
  return now + everyMs;
};
