/** Reads and writes the items of cohorts. */
import { withFormat } from '../../foundation/format.ts';
import { type DeliveryId, idTime, timeOfId, type WebhookId } from '../../foundation/ids.ts';
import { settleAll } from '../../foundation/settle.ts';
import { anyOf, is, missing } from '../../table/condition.ts';
import { tryWrite } from '../../table/conditional.ts';
import { update, write } from '../../table/item.ts';
import { query, queryAll } from '../../table/query.ts';
import type { Delivery } from '../delivery.ts';
import {
  afterLastTime,
  type Cohort,
  type CohortItem,
  cohortKey,
  cohortOf,
  cohortPartition,
  cohortTime,
  inCohort,
  memberOf,
  membersOf,
  ownItem,
  timeOfItem,
} from './cohort.ts';
import type { ReadLog } from './log-page.ts';

const sharedBy = ({ event, event_id, expires_at }: Delivery) => withFormat({ event, event_id, expires_at });

/**
 * Records successful first attempts in one write for each cohort and event, without a condition, because a success is final (ADR 3). A success that
 * does not fit gets a mark here, and `putOwn` writes its own item after the mark, without which the item would not be found. A mark never replaces
 * the success of another message for the same attempt, because the function can stop before the item exists.
 */
export const recordInCohorts = async (
  deliveries: readonly Delivery[],
  putOwn: (unfit: readonly Delivery[]) => Promise<void>,
): Promise<void> => {
  const items = [...Map.groupBy(deliveries, keyText).values()];
  await settleAll(
    items.map(async (ofItem) => {
      await writeItem(ofItem);
      await putOwn(ofItem.filter((delivery) => memberOf(delivery) === ownItem));
    }),
  );
};

/** Writes the item that deliveries of one event and cohort share. */
const writeItem = async (deliveries: readonly Delivery[]): Promise<void> => {
  const [first] = deliveries;
  if (first === undefined) return;
  const members = deliveries.map((delivery) => [delivery.webhook_id, memberOf(delivery)] as const);
  const [unfit, fit] = [true, false].map((isUnfit) =>
    Object.fromEntries(members.filter(([, member]) => (member === ownItem) === isUnfit)),
  );
  await write(cohortKey(first), { set: { ...sharedBy(first), ...fit }, setMissing: { ...unfit } });
};

const keyText = (delivery: Delivery): string => {
  const { pk, sk } = cohortKey(delivery);
  return `${pk} ${sk}`;
};

/** Marks a delivery before it gets its own item. Returns false if it has succeeded in the meantime. */
export const markOwnItem = async (delivery: Delivery): Promise<boolean> => {
  const { webhook_id } = delivery;
  const change = { set: { ...sharedBy(delivery), [webhook_id]: ownItem } };
  return (await tryWrite(update(cohortKey(delivery), change, anyOf(missing(webhook_id), is(webhook_id, ownItem)))))
    .written;
};

/** Finds a success by its id. */
export const findInCohort = async (webhook: WebhookId, id: DeliveryId): Promise<Delivery | undefined> => {
  const found = (await itemsAt(cohortOf(webhook), timeOfId(id))).map((item) => inCohort(item, webhook));
  return found.find((one): one is Delivery => typeof one === 'object' && one.id === id);
};

/** Reads the items of a millisecond. */
const itemsAt = (cohort: Cohort, ms: number): Promise<CohortItem[]> =>
  queryAll<CohortItem>(cohortPartition(cohort), { between: [cohortTime(ms), endOf(ms)] });

/** Returns the upper bound of the sort keys of a millisecond. */
const endOf = (ms: number): string => `${cohortTime(ms)}~`;

/** Returns the successes of the chosen webhooks of a cohort. */
export const cohortLog =
  (cohort: Cohort, isChosen: (webhook: WebhookId) => boolean): ReadLog =>
  async ({ since = 0, until, newestFirst, limit, after }) => {
    // The previous page may have ended within a millisecond.
    const place = after && timeOfId(after);
    const from = cohortTime(newestFirst || place === undefined ? since : Math.max(since, place));
    const end = until === undefined ? afterLastTime : cohortTime(until);
    const to = newestFirst && place !== undefined ? endOf(place) : end;
    // If a page ends at the first or the last millisecond of the range, an empty page follows.
    if (from > to) return { deliveries: [], next: undefined };
    const page = await query<CohortItem>(cohortPartition(cohort), { between: [from, to], newestFirst, limit });
    const last = page.next && timeOfItem(page.next);
    // A page must end between two milliseconds, because within one the items are in a different order than the deliveries.
    let items = page.items.filter((item) => timeOfItem(item) !== last);
    let next = last;
    if (last !== undefined && items.length === 0) {
      items = await itemsAt(cohort, last);
      next = newestFirst ? last - 1 : last + 1;
    }
    const isBehind = (id: DeliveryId) => after === undefined || (newestFirst ? id < after : id > after);
    return {
      deliveries: items.flatMap((item) => successesOf(item, isChosen)).filter(({ id }) => isBehind(id)),
      next: next === undefined ? undefined : placeBefore(next, newestFirst),
    };
  };

/** Returns the place before the first id of a millisecond, in reading order. */
const placeBefore = (ms: number, newestFirst: boolean): DeliveryId =>
  `${idTime(ms)}${(newestFirst ? 'f' : '0').repeat(12)}` as DeliveryId;

const successesOf = (item: CohortItem, isChosen: (webhook: WebhookId) => boolean): Delivery[] =>
  membersOf(item).flatMap((webhook) => {
    const found = isChosen(webhook) ? inCohort(item, webhook) : undefined;
    return found === undefined || found === ownItem ? [] : [found];
  });
