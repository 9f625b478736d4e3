/**
 * Limits on requests per minute that cost a fraction of a write: an environment counts in memory, and adds to the
 * shared counter once for every 300th part of the limit. It can exceed the limit by that part; at most 300 is exact.
 */
import { log } from '../aws/log.ts';
import { createCache } from '../foundation/cache.ts';
import { minute } from '../foundation/clock.ts';
import { withFormat } from '../foundation/format.ts';
import { update } from '../table/item.ts';
import { limitKey } from './store.ts';

interface Counted {
  /** Beginning of the minute, in epoch ms. */
  readonly since: number;
  /** The count of all environments, as far as this one knows. */
  total: number;
  /** Counted here, and not yet added to the shared counter. */
  unsent: number;
}

const maxCounters = 1000;

/** The counters of one environment. */
export const sampledLimits = () => {
  const counters = createCache<string, Counted>({ max: maxCounters });
  const current = (name: string, since: number): Counted => {
    const known = counters.get(name);
    if (known?.since === since) return known;
    const fresh = { since, total: 0, unsent: 0 };
    counters.set(name, fresh);
    return fresh;
  };

  /**
   * Takes one from the current minute's counter. Returns 0 or, beyond the limit, the ms until the next minute. Without
   * the table it counts in this environment only.
   */
  return async (name: string, limit: number, now: number): Promise<number> => {
    const since = now - (now % minute);
    const waitMs = since + minute - now;
    const counter = current(name, since);
    if (counter.total >= limit) return waitMs;
    counter.total += 1;
    counter.unsent += 1;
    if (counter.unsent < limit / 300) return 0;
    const count = counter.unsent;
    counter.unsent = 0;
    try {
      counter.total = Math.max(counter.total, await addToCounter(`${name} in ${since}`, count, since + 2 * minute));
    } catch (error) {
      log.warn('A limit counts in this environment only: the table did not answer', { error: error as Error });
    }
    return counter.total > limit ? waitMs : 0;
  };
};

/** Adds to a counter, which is deleted after `until` (epoch ms), and returns its value. */
const addToCounter = async (name: string, count: number, until: number): Promise<number> => {
  const set = withFormat({ expires_at: Math.ceil(until / 1000) });
  return (await update<{ count: number }>(limitKey(name), { add: { count }, set })).count;
};
