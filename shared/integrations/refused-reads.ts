/**
 * Limits how often wrong signatures cause reads. An integration's secrets are in one partition, which allows 3,000
 * reads a second (DynamoDB): a flood that uses them up would block its Ghost site.
 */
import { createCache } from '../foundation/cache.ts';
import { second } from '../foundation/clock.ts';
import type { IntegrationId } from '../foundation/ids.ts';

/** Unsuccessful reads for one integration in a window, in each environment. */
const maxReads = 10;
const windowMs = second;
/** The maximum number of integrations; beyond it, the oldest window is dropped. */
const maxWindows = 1000;

/**
 * Returns a function that reads an integration's value and judges it; undefined is a refusal. After ten in a second,
 * the last value judges first, and only if it accepts is the value read and judged again.
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
    // Another request may have opened a window or counted in the meantime.
    const window = openAt(id, now);
    if (window === undefined) windows.set(id, { since: now, reads: 1, last: value });
    else {
      window.reads += 1;
      window.last = value;
    }
    return undefined;
  };
};
