/** The item of a relay's day. */
import type { Key } from '../../table/table-key.ts';
import { type RelayDay, refusedName } from './history.ts';
import { refusalReasons } from './resource.ts';

export type DayItem = Key & Readonly<Record<string, unknown>>;

/** Returns the day of an item. */
export const dayOf = ({ sk, last_event_at, ...attributes }: DayItem): RelayDay => ({
  date: sk.slice('DAY#'.length),
  ...(typeof last_event_at === 'string' && { last_event_at }),
  counts: Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      /^(?:h\d\d|refused_)/.test(name) && typeof value === 'number' ? [[name, value]] : [],
    ),
  ),
  refused: Object.fromEntries(
    refusalReasons.flatMap((reason) => {
      const at = attributes[`${refusedName(reason)}_at`];
      return typeof at === 'string' ? [[reason, at]] : [];
    }),
  ),
});
