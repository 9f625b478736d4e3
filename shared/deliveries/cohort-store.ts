/** Reads and writes the items of cohorts. */
import { withFormat } from '../foundation/format.ts';
import { type CohortId, type DeliveryId, idTime, timeOfId, type WebhookId } from '../foundation/ids.ts';
import { anyOf, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { query, queryAll } from '../table/query.ts';
import {
  afterLastTime,
  apart,
  type CohortItem,
  cohortKey,
  cohortPartition,
  cohortTime,
  inCohort,
  memberOf,
  membersOf,
  timeOfItem,
} from './cohort.ts';
import type { Delivery } from './delivery.ts';
import type { ReadLog } from './log-page.ts';

/** A delivery whose webhook is in a cohort. */
export type InCohort = Delivery & { readonly cohort: CohortId };

const keyOf = ({ cohort, id, body_hash }: InCohort) => cohortKey(cohort, id, body_hash);

const sharedBy = ({ event, event_id, expires_at }: InCohort) => withFormat({ event, event_id, expires_at });

/**
 * Records first attempts that succeeded, in one write for each cohort and event, and without a condition, because a success is final (ADR 3).
 * Returns those that do not fit, which are marked only.
 */
export const recordInCohorts = async (deliveries: readonly InCohort[]): Promise<readonly Delivery[]> => {
  const items = Map.groupBy(deliveries, ({ cohort, body_hash }) => `${cohort} ${body_hash}`);
  const left: Delivery[] = [];
  const writes: Promise<unknown>[] = [];
  for (const [first, ...others] of items.values()) {
    if (first === undefined) continue;
    const set: Record<string, string | number> = sharedBy(first);
    for (const delivery of [first, ...others]) {
      const member = memberOf(delivery);
      set[delivery.webhook_id] = member;
      if (member === apart) left.push(delivery);
    }
    writes.push(update(keyOf(first), { set }));
  }
  await Promise.all(writes);
  return left;
};

/** Marks a delivery before it gets an item of its own; returns false if it has succeeded meanwhile. */
export const setApart = async (delivery: InCohort): Promise<boolean> => {
  const { webhook_id } = delivery;
  const change = { set: { ...sharedBy(delivery), [webhook_id]: apart } };
  return (await tryWrite(update(keyOf(delivery), change, anyOf(missing(webhook_id), is(webhook_id, apart))))).written;
};

/** Finds a success by its id. */
export const findInCohort = async (
  cohort: CohortId,
  webhook: WebhookId,
  id: DeliveryId,
): Promise<Delivery | undefined> => {
  const time = timeOfId(id);
  const items = await queryAll<CohortItem>(cohortPartition(cohort), { between: between(time, time + 1) });
  return items.flatMap((item) => successesOf(item, (one) => one === webhook)).find((delivery) => delivery.id === id);
};

/** Returns the log of a cohort's successes, those of the chosen webhooks. */
export const cohortLog =
  (cohort: CohortId, isChosen: (webhook: WebhookId) => boolean): ReadLog =>
  async ({ since, until, newestFirst, limit, after }) => {
    const pk = cohortPartition(cohort);
    const place = after && timeOfId(after);
    const from = newestFirst ? since : latest(since, place);
    const to = newestFirst ? earliest(until, place === undefined ? undefined : place + 1) : until;
    if (from !== undefined && to !== undefined && from >= to) return { deliveries: [], next: undefined };
    const page = await query<CohortItem>(pk, { between: between(from, to), newestFirst, limit });
    const last = page.next && timeOfItem(page.next);
    // A page ends between two milliseconds, because items are in another order than the deliveries within one.
    let items = page.items.filter((item) => timeOfItem(item) !== last);
    let next = last;
    if (last !== undefined && items.length === 0) {
      items = await queryAll<CohortItem>(pk, { between: between(last, last + 1) });
      next = newestFirst ? last - 1 : last + 1;
    }
    const isBehind = (id: DeliveryId) => after === undefined || (newestFirst ? id < after : id > after);
    return {
      deliveries: items.flatMap((item) => successesOf(item, isChosen)).filter(({ id }) => isBehind(id)),
      next: next === undefined ? undefined : edgeOf(next, newestFirst),
    };
  };

const latest = (one = 0, other = 0): number => Math.max(one, other);
const earliest = (one = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY): number | undefined => {
  const found = Math.min(one, other);
  return found === Number.POSITIVE_INFINITY ? undefined : found;
};

/** From one time to another, which is not included, in epoch ms. */
const between = (from: number | undefined, to: number | undefined) =>
  [cohortTime(from ?? 0), to === undefined ? afterLastTime : cohortTime(to)] as const;

/** Returns the place before the first id of a millisecond in this order. */
const edgeOf = (ms: number, newestFirst: boolean): DeliveryId =>
  `${idTime(ms)}${(newestFirst ? 'f' : '0').repeat(12)}` as DeliveryId;

const successesOf = (item: CohortItem, isChosen: (webhook: WebhookId) => boolean): Delivery[] =>
  membersOf(item).flatMap((webhook) => {
    const found = isChosen(webhook) ? inCohort(item, webhook) : undefined;
    return found === undefined || found === apart ? [] : [found];
  });
