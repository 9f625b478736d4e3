/** Stores what arrives from Ghost sites: one item per day and site, to which counts are added. */
import { day, second, timestamp } from '../../foundation/clock.ts';
import { withFormat } from '../../foundation/format.ts';
import type { IntegrationId } from '../../foundation/ids.ts';
import { write } from '../../table/item.ts';
import { queryAll } from '../../table/query.ts';
import type { Key } from '../../table/table-key.ts';
import { dateOf, hourName, judgedDays, refusedName } from './history.ts';
import { dayPrefix, type RelayItem, watchName } from './item.ts';
import type { RefusalReason } from './resource.ts';

const partitionOf = (id: IntegrationId): string => `RELAY#${id}`;

const keyOf = (id: IntegrationId, date: string): Key => ({ pk: partitionOf(id), sk: `${dayPrefix}${date}` });

/** Returns the key of the item by which a relay is watched. */
export const watchKey = (id: IntegrationId): Key => ({ pk: partitionOf(id), sk: watchName });

const expiryOf = (now: number): number => Math.floor((now + (judgedDays + 1) * day) / second);

/** Counts an accepted event. @throws ServiceUnavailableError */
export const addArrival = (id: IntegrationId, now: number): Promise<void> =>
  write(keyOf(id, dateOf(now)), {
    add: { [hourName(now)]: 1 },
    set: withFormat({ last_event_at: timestamp(now), expires_at: expiryOf(now) }),
  });

/** Counts refused requests. @throws ServiceUnavailableError */
export const addRefusals = (
  id: IntegrationId,
  counts: ReadonlyMap<RefusalReason, number>,
  now: number,
): Promise<void> =>
  write(keyOf(id, dateOf(now)), {
    add: Object.fromEntries([...counts].map(([reason, count]) => [refusedName(reason), count])),
    set: withFormat({
      ...Object.fromEntries([...counts].map(([reason]) => [`${refusedName(reason)}_at`, timestamp(now)])),
      expires_at: expiryOf(now),
    }),
  });

/** Reads the items of a relay. */
export const readRelay = (id: IntegrationId): Promise<RelayItem[]> => queryAll<RelayItem>(partitionOf(id));
