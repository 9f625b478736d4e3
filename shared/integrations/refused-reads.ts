/**
 * Bounds what wrong signatures make an environment read: all secrets of an integration are in one partition of the table, which bears 3,000
 * reads a second (DynamoDB), and a flood that uses them up would be in the way of the integration's Ghost site.
 */
import { createCache } from '../foundation/cache.ts';
import { second } from '../foundation/clock.ts';
import type { IntegrationId } from '../foundation/ids.ts';

/** Reads in vain for one integration in a window, in each environment. */
const maxReads = 10;
const windowMs = second;
/** The maximum number of integrations; beyond it, the oldest window is dropped. */
const maxWindows = 1000;

/**
 * Returns what reads a value of an integration and judges it, undefined for a refusal. Beyond ten refusals in a second, further ones are
 * judged by the last value without reading it; what that value accepts is read and judged again.
 */
export const boundedReader = <Value>(read: (id: IntegrationId) => Promise<Value>) => {
  const windows = createCache<IntegrationId, { readonly since: number; reads: number; last: Value }>({
    max: maxWindows,
  });
  const openAt = (id: IntegrationId, now: number) => {
    const window = windows.get(id);
    return window !== undefined && now - window.since < windowMs ? window : undefined;
  };
  /** @param now in epoch ms */
  return async <T>(id: IntegrationId, now: number, judge: (value: Value) => T | undefined): Promise<T | undefined> => {
    const open = openAt(id, now);
    if (open !== undefined && open.reads >= maxReads && judge(open.last) === undefined) return undefined;
    const value = await read(id);
    const judged = judge(value);
    if (judged !== undefined) return judged;
    // Another request may have opened or counted meanwhile.
    const window = openAt(id, now);
    if (window === undefined) windows.set(id, { since: now, reads: 1, last: value });
    else {
      window.reads += 1;
      window.last = value;
    }
    return undefined;
  };
};
