/** The items of a relay, one per day and one to watch it, and the state that follows. `ops doctor` reads them, too. */
import { writableFields } from '../../foundation/resource.ts';
import type { Key } from '../../table/table-key.ts';
import { type RelayDay, refusedName, stateOf } from './history.ts';
import { type Compared, type RelayResource, refusalReasons, relayResource } from './resource.ts';

export const dayPrefix = 'DAY#';
export const watchName = 'WATCH';

/** The item by which a relay is watched, from its first inbound secret on. */
export interface WatchItem extends Partial<Compared> {
  /** The silence that was announced: the time of the last event before it. */
  readonly announced?: string;
  /** The last comparison with the site. */
  readonly compared_at?: string;
}

export type RelayItem = Key & WatchItem & Readonly<Record<string, unknown>>;

/** Returns the item by which a relay is watched. */
export const watchIn = (items: readonly RelayItem[]): WatchItem => items.find(({ sk }) => sk === watchName) ?? {};

/** Returns what follows from the items of a relay. `now` in epoch ms. */
export const stateIn = (items: readonly RelayItem[], now: number): Omit<RelayResource, 'integration_id' | 'site'> => {
  const watch = { unmoved: [], ...watchIn(items) };
  const days = items.filter(({ sk }) => sk.startsWith(dayPrefix)).map(dayOf);
  return { ...stateOf(days, now), compared_at: watch.compared_at ?? null, ...writableFields(relayResource, watch) };
};

const dayOf = ({ sk, last_event_at, ...attributes }: RelayItem): RelayDay => ({
  date: sk.slice(dayPrefix.length),
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
