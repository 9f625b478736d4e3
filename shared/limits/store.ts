/** Where limits lie in the table, and how they are changed: read, count, write if nobody else has written meanwhile. */
import { createHash } from 'node:crypto';
import { getMany } from '../table/batch.ts';
import { type Condition, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put } from '../table/item.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { Key } from '../table/table-key.ts';
import { transact } from '../table/transaction.ts';
import { type Given, giveTurns, type SendingRate, type Turns } from './rate.ts';
import { type Taken, takeFromWindow, type Window } from './window.ts';

/** What is counted together: a mail address, a key, a source address. Hashed, since names may be personal. */
const limitKey = (name: string): Key => ({
  pk: `LIMIT#${createHash('sha256').update(name).digest('hex')}`,
  sk: 'LIMIT',
});

interface Versioned {
  readonly version: number;
}

const unchanged = (found: Versioned | undefined): Condition =>
  found === undefined ? missing() : is('version', found.version);

/** So much is wanted of the counter of this name. */
export interface Take {
  readonly name: string;
  readonly count: number;
  readonly window: Window;
}

/** Positions in the list of what was over its limit, with the milliseconds after which it would not be. */
export type Refused = readonly { readonly position: number; readonly retryAfterMs: number }[];

/**
 * Takes from several counters, from all or from none; at most 100, each name once. Gives what was over its limit: nothing
 * where all went well. `now` in epoch ms.
 * @throws ServiceUnavailableError where others were always quicker
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
    const { written } = await tryWrite(
      transact(
        takes.flatMap(({ window }, position) => {
          const key = keys[position];
          const outcome = outcomes[position];
          if (key === undefined || outcome === undefined || 'retryAfterMs' in outcome) return [];
          const before = found.get(key.pk);
          return {
            kind: 'put',
            item: {
              ...key,
              taken: outcome.taken,
              version: (before?.version ?? 0) + 1,
              expires_at: Math.ceil((now + window.windowMs) / 1000),
            },
            condition: unchanged(before),
          };
        }),
      ),
    );
    return written ? [] : undefined;
  });
};

const turnsKey = limitKey('mail turns');

/**
 * Gives turns to send mail, which all environments share; see `giveTurns`.
 * @throws ServiceUnavailableError where others were always quicker
 */
export const takeTurns = async (wanted: number, now: number, horizonMs: number, rate: SendingRate): Promise<Given> => {
  let found = await get<Turns & Versioned>(turnsKey);
  return untilWritten('the turns to send mail', async () => {
    const given = giveTurns(found, wanted, now, horizonMs, rate);
    if (given.state === undefined) return given;
    const item = { ...turnsKey, ...given.state, version: (found?.version ?? 0) + 1 };
    const { written, refusal } = await tryWrite(put(item, unchanged(found)));
    if (written) return given;
    found = refusal.found();
    return undefined;
  });
};
