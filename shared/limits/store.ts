/** Counts against limits in the table: reads the counter, counts, and writes unless another request was faster. */
import { minute, second } from '../foundation/clock.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import { sha256 } from '../foundation/hash.ts';
import { getMany } from '../table/batch.ts';
import { type Condition, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put } from '../table/item.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { Item, Key } from '../table/table-key.ts';
import { transact } from '../table/transaction.ts';
import { type Reserved, reserveTurns, type SendingRate, type Turns } from './rate.ts';
import { type Pace, type Place, type Row, takePlaces } from './row.ts';
import { type Taken, takeFromWindow, type Window } from './window.ts';

/** The key of a counter, such as of an address or a key. Hashed, because names can be personal data. */
export const limitKey = (name: string): Key => ({
  pk: `LIMIT#${sha256(name)}`,
  sk: 'LIMIT',
});

interface Versioned {
  readonly version: number;
}

const unchanged = (found: Versioned | undefined): Condition =>
  found === undefined ? missing() : is('version', found.version);

export interface Take {
  readonly name: string;
  readonly count: number;
  readonly window: Window;
}

/** The positions of takes over their limit, with the milliseconds after which they would succeed. */
export type Refused = readonly { readonly position: number; readonly retryAfterMs: number }[];

/**
 * Takes from up to 100 counters, each once, all or nothing. Returns the takes over their limit; none after a success.
 * @throws ContentionError after lost races
 */
export const takeAll = async (takes: readonly Take[], now: number): Promise<Refused> => {
  const keys = takes.map(({ name }) => limitKey(name));
  return untilWritten('a limit', async () => {
    const found = new Map(
      (await getMany<Key & Versioned & { taken: readonly Taken[] }>(keys)).map((counter) => [counter.pk, counter]),
    );
    const outcomes = takes.map(({ count, window }, position) =>
      takeFromWindow(found.get(keys[position]?.pk ?? '')?.taken ?? [], count, now, window),
    );
    const refused = outcomes.flatMap((outcome, position) =>
      'retryAfterMs' in outcome ? [{ position, retryAfterMs: outcome.retryAfterMs }] : [],
    );
    if (refused.length > 0) return refused;
    const counters = takes.flatMap(({ window }, position): Counter[] => {
      const key = keys[position];
      const outcome = outcomes[position];
      if (key === undefined || outcome === undefined || 'retryAfterMs' in outcome) return [];
      const before = found.get(key.pk);
      const item = {
        ...key,
        taken: outcome.taken,
        version: (before?.version ?? 0) + 1,
        expires_at: Math.ceil((now + window.windowMs) / 1000),
      };
      return [{ kind: 'put', item, condition: unchanged(before) }];
    });
    const { written } = await tryWrite(writeAll(counters));
    return written ? [] : undefined;
  });
};

interface Counter {
  readonly kind: 'put';
  readonly item: Item;
  readonly condition: Condition;
}

/** One counter needs no transaction, at twice the cost. If its answer is lost, it may count twice, never too little. */
const writeAll = ([first, ...others]: readonly Counter[]): Promise<void> =>
  first !== undefined && others.length === 0
    ? put(first.item, first.condition)
    : transact(first === undefined ? [] : [first, ...others]);

/** Takes one from a counter. @throws TooManyRequestsError with this message, ContentionError after lost races */
export const takeOne = async (
  name: string,
  window: Window,
  now: number,
  message: string,
  help = 'Retry after the seconds in Retry-After.',
): Promise<void> => {
  const [refused] = await takeAll([{ name, count: 1, window }], now);
  if (refused !== undefined) throw new TooManyRequestsError(message, refused.retryAfterMs / second, { help });
};

/** Reserves turns to send mail for all environments, by name (see `reserveTurns`). @throws ContentionError */
export const takeTurns = async (
  wanted: number,
  now: number,
  horizonMs: number,
  rate: SendingRate,
  name = 'mail turns',
): Promise<Reserved> => {
  const turnsKey = limitKey(name);
  let found = await get<Turns & Versioned>(turnsKey);
  return untilWritten('the turns to send mail', async () => {
    const reserved = reserveTurns(found, wanted, now, horizonMs, rate);
    if (reserved.state === undefined) return reserved;
    const item = { ...turnsKey, ...reserved.state, version: (found?.version ?? 0) + 1 };
    const { written, refusal } = await tryWrite(put(item, unchanged(found)));
    if (written) return reserved;
    found = refusal.found();
    return undefined;
  });
};

/** Gives requests places in a named row (`takePlaces`); a lost answer wastes places. @throws ContentionError */
export const standInRow = async (
  name: string,
  asking: readonly boolean[],
  now: number,
  pace: Pace,
  horizonMs: number,
): Promise<readonly Place[]> => {
  const key = limitKey(name);
  let found = await get<Row & Versioned>(key);
  return untilWritten('a place in a row', async () => {
    const { row, places } = takePlaces(found, asking, now, pace, horizonMs);
    const expires_at = Math.ceil(Math.max(row.end, now + 2 * minute) / second);
    const item = { ...key, ...row, version: (found?.version ?? 0) + 1, expires_at };
    const { written, refusal } = await tryWrite(put(item, unchanged(found)));
    if (written) return places;
    found = refusal.found();
    return undefined;
  });
};
