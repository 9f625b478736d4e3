/**
 * Bounds what wrong signatures make an environment read: all secrets of an integration are in one partition of the table, which bears 3,000
 * reads a second (DynamoDB), and a flood that uses them up would be in the way of the integration's Ghost site.
 */
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
  const windows = new Map<IntegrationId, { readonly since: number; reads: number; last: Value }>();
  const note = (id: IntegrationId, now: number, last: Value): void => {
    const window = windows.get(id);
    if (window !== undefined && now - window.since < windowMs) {
      window.reads += 1;
      window.last = last;
      return;
    }
    windows.delete(id);
    const [oldest] = windows.keys();
    if (windows.size >= maxWindows && oldest !== undefined) windows.delete(oldest);
    windows.set(id, { since: now, reads: 1, last });
  };
  /** @param now in epoch ms */
  return async <T>(id: IntegrationId, now: number, judge: (value: Value) => T | undefined): Promise<T | undefined> => {
    const window = windows.get(id);
    const isUsedUp = window !== undefined && now - window.since < windowMs && window.reads >= maxReads;
    if (isUsedUp && judge(window.last) === undefined) return undefined;
    const value = await read(id);
    const judged = judge(value);
    if (judged === undefined) note(id, now, value);
    return judged;
  };
};
