/**
 * A cap on items that many functions create at the same time, without a counter that each creation writes: an environment reserves a
 * block of creations in one write and uses it up in memory. As in `cap.ts`, deletions change nothing, and at the cap the items are
 * counted again, here at most every ten seconds.
 *
 * The cap is exceeded by what is reserved and not yet created while the items are counted: at most nine in each environment that has
 * created items within the last minute, and the requests under way. Blocks become smaller near the cap, down to one.
 */
import { type Clock, minute, second } from '../foundation/clock.ts';
import { newId } from '../foundation/new-id.ts';
import { allOf, below, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put, update } from '../table/item.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { Key } from '../table/table-key.ts';

interface Counter {
  /** What was counted at `counted_at`, and what has been reserved since. */
  readonly count: number;
  readonly counted_at: number;
  /** Names the count that the counter began with. */
  readonly revision: string;
}

interface Counted {
  /** The counter. */
  readonly key: Key;
  /** Counts the items that exist. */
  readonly count: () => Promise<number>;
  readonly clock: Clock;
}

/** The blocks of one environment. */
interface Blocks {
  /** Takes one creation; returns false at the cap. @throws ServiceUnavailableError after lost races */
  take(max: number): Promise<boolean>;
  /** Gives back a place that was taken and is not needed. */
  giveBack(): void;
}

const maxBlock = 10;
const keepMs = minute;
const countAgainAfterMs = 10 * second;

/** Returns the blocks of a counter in this environment, which has reserved none yet. */
export const inBlocks = ({ key, count, clock }: Counted): Blocks => {
  let left = 0;
  let keptUntil = 0;
  /** As the last reservation left it. */
  let known: Counter | undefined;

  /** Reserves a block and returns its size: 0 at the cap, undefined if another environment was faster or the items were counted. */
  const reserve = async (max: number): Promise<number | undefined> => {
    // Near the cap, and after a lost race, what other environments have reserved since matters.
    const isFar = known !== undefined && max - known.count >= 10 * maxBlock;
    const found = isFar && clock() < keptUntil ? known : await get<Counter>(key);
    const now = clock();
    const room = found === undefined ? 0 : max - found.count;
    if (room > 0) {
      const block = Math.max(1, Math.min(maxBlock, Math.floor(room / 10)));
      const fits = below('count', max - block + 1);
      const { written, value } = await tryWrite(update<Counter>(key, { add: { count: block } }, fits));
      known = value;
      return written ? block : undefined;
    }
    if (found !== undefined && now - found.counted_at < countAgainAfterMs) return 0;
    const counted = await count();
    const isSame = found === undefined ? missing() : allOf(is('count', found.count), is('revision', found.revision));
    await tryWrite(put({ ...key, count: counted, counted_at: now, revision: newId() } satisfies Key & Counter, isSame));
    return counted >= max ? 0 : undefined;
  };

  return {
    async take(max) {
      if (clock() >= keptUntil) left = 0;
      if (left === 0) {
        left += await untilWritten('a reservation', () => reserve(max));
        keptUntil = clock() + keepMs;
      }
      if (left === 0) return false;
      left -= 1;
      return true;
    },
    giveBack() {
      left += 1;
    },
  };
};
