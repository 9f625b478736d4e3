/** Where receivers lie in the table, and the memory of them that each environment keeps for a moment. */

import { second, systemClock } from '../../foundation/clock.ts';
import { getMany } from '../../table/batch.ts';
import { anyOf, type Change, is, missing } from '../../table/condition.ts';
import { tryWrite } from '../../table/conditional.ts';
import { update } from '../../table/item.ts';
import type { Key } from '../../table/table-key.ts';
import { failuresToOpen, isFast, newReceiver, opened, probeMs, type Receiver } from './receiver.ts';

const receiverKey = (origin: string): Key => ({ pk: `RECEIVER#${origin}`, sk: 'RECEIVER' });

/** What is kept in the table; quick answers are counted by each environment for itself. */
type Stored = Partial<Omit<Receiver, 'quick'>> & { readonly origin: string };

const kept = new Map<string, { readonly until: number; readonly receiver: Receiver }>();
/** Whoever has not earned the fast lane yet is looked at more often, since earning it is what changes most. */
const keptMs = { fast: 2 * second, slow: second / 2 };
const keptReceivers = 5000;

const keep = (receiver: Receiver): Receiver => {
  const [oldest] = kept.keys();
  if (kept.size >= keptReceivers && oldest !== undefined) kept.delete(oldest);
  const now = systemClock();
  kept.set(receiver.origin, { until: now + (isFast(receiver, now) ? keptMs.fast : keptMs.slow), receiver });
  return receiver;
};

/** What the table says, with what only this environment knows. */
const merged = (stored: Stored): Receiver => {
  const known = kept.get(stored.origin)?.receiver;
  const fresh = { ...newReceiver(stored.origin), ...stored };
  return known === undefined ? fresh : { ...fresh, quick: known.quick, usual_ms: known.usual_ms };
};

/** The receivers of these origins, as they were a moment ago; those never seen are new ones. */
export const readReceivers = async (origins: Iterable<string>): Promise<Map<string, Receiver>> => {
  const found = new Map<string, Receiver>();
  const unknown: string[] = [];
  const now = systemClock();
  for (const origin of new Set(origins)) {
    const known = kept.get(origin);
    if (known !== undefined && known.until > now) found.set(origin, known.receiver);
    else unknown.push(origin);
  }
  if (unknown.length > 0) {
    const stored = await getMany<Stored>(unknown.map(receiverKey));
    const byOrigin = new Map(stored.map((receiver) => [receiver.origin, receiver]));
    for (const origin of unknown) found.set(origin, keep(merged(byOrigin.get(origin) ?? { origin })));
  }
  return found;
};

/**
 * Writes what was learned: only what has changed, and failures as a sum, since other environments learn at the same time.
 * Gives whether the breaker opened.
 */
export const writeReceiver = async (before: Receiver, after: Receiver): Promise<boolean> => {
  const { origin } = after;
  const change = changeOf(before, after);
  if (change === undefined) {
    keep(after);
    return false;
  }
  kept.set(origin, { until: 0, receiver: after });
  const written = keep(merged(await update<Stored>(receiverKey(origin), change)));
  if (after.openings > before.openings) return true;
  const now = systemClock();
  // No environment has seen enough failures alone, but all of them together have.
  return written.failures >= failuresToOpen && written.open_until === 0 && openTogether(opened(written, now));
};

const changeOf = (before: Receiver, after: Receiver): Change | undefined => {
  const set = {
    fast_until: after.fast_until !== before.fast_until ? after.fast_until : undefined,
    usual_ms: after.fast_until > before.fast_until ? Math.round(after.usual_ms) : undefined,
    open_until: after.open_until !== before.open_until ? after.open_until : undefined,
    openings: after.openings !== before.openings ? after.openings : undefined,
    slow_until: after.slow_until !== before.slow_until ? after.slow_until : undefined,
    failures: after.failures === 0 && before.failures > 0 ? 0 : undefined,
  };
  const failures = Math.max(0, after.failures - before.failures);
  if (failures === 0 && Object.values(set).every((value) => value === undefined)) return undefined;
  return { set: { origin: after.origin, ...set }, ...(failures > 0 && { add: { failures } }) };
};

const openTogether = async ({ origin, open_until, openings }: Receiver): Promise<boolean> => {
  const isClosed = anyOf(missing('open_until'), is('open_until', 0));
  const { written, value } = await tryWrite(
    update<Stored>(receiverKey(origin), { set: { open_until, openings } }, isClosed),
  );
  if (written) keep(merged(value));
  return written;
};

/** Wins the right to probe a receiver whose breaker was open; everybody else keeps waiting meanwhile. */
export const claimProbe = async (receiver: Receiver): Promise<boolean> => {
  const open_until = systemClock() + probeMs;
  const isOpen = is('open_until', receiver.open_until);
  try {
    return (await tryWrite(update(receiverKey(receiver.origin), { set: { open_until } }, isOpen))).written;
  } finally {
    keep({ ...receiver, open_until });
  }
};
