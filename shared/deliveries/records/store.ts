/** Stores deliveries in the table, in the order of acceptance: in the partition of their webhook, or with others of its cohort. */
import { type OutboxMessage, storeMessage } from '../../due/outbox.ts';
import { type DeliveryId, idTime, type WebhookId } from '../../foundation/ids.ts';
import { newRevision } from '../../foundation/new-id.ts';
import { settleAll } from '../../foundation/settle.ts';
import { getMany, putMany } from '../../table/batch.ts';
import { allOf, anyOf, below, is, missing } from '../../table/condition.ts';
import { tryWrite } from '../../table/conditional.ts';
import { get, put } from '../../table/item.ts';
import { query } from '../../table/query.ts';
import { transact } from '../../table/transaction.ts';
import { type Delivery, isUnfinished } from '../delivery.ts';
import { cohortOf } from './cohort.ts';
import { cohortLog, findInCohort, markOwnItem, recordInCohorts } from './cohort-store.ts';
import { type LogOptions, type LogPage, mergedLog, type ReadLog } from './log-page.ts';
import { deliveryKey, deliveryOf, itemOf } from './row.ts';

/** Reads a delivery; undefined for an unknown one. */
export const readDelivery = async (webhook: WebhookId, id: DeliveryId): Promise<Delivery | undefined> => {
  const [shared, item] = await Promise.all([findInCohort(webhook, id), get(deliveryKey(webhook, id))]);
  return shared ?? (item && deliveryOf(item));
};

/** Returns whether the cohort's item can hold the delivery, which has no item of its own yet. */
const sharesItem = ({ unrecorded, trigger }: Delivery): boolean => unrecorded === true && trigger === 'event';

/**
 * Records successes without a condition, because a success is final (ADR 3). A failed write does not prevent the others: whatever was delivered but
 * not recorded would be delivered again.
 */
export const recordSuccesses = async (deliveries: readonly Delivery[]): Promise<void> => {
  const own = deliveries.filter((delivery) => !sharesItem(delivery));
  await settleAll([putOwn(own), recordInCohorts(deliveries.filter(sharesItem), putOwn)]);
};

const putOwn = (deliveries: readonly Delivery[]): Promise<void> =>
  putMany(deliveries.map((delivery) => itemOf(delivery)));

const ownLog =
  (webhook: WebhookId): ReadLog =>
  async ({ since, until, newestFirst, limit, after }) => {
    const { pk, sk } = deliveryKey(webhook, '' as DeliveryId);
    // Ids are longer than their time prefix, so ids of exactly this time are excluded.
    const [first, last] = [since === undefined ? '' : idTime(since), until === undefined ? '~' : idTime(until)];
    const from = after === undefined || newestFirst ? first : latest(first, `${after}~`);
    const to = after === undefined || !newestFirst ? last : earliest(last, textBefore(after));
    if (from > to) return { deliveries: [], next: undefined };
    const { items, next } = await query(pk, { between: [`${sk}${from}`, `${sk}${to}`], newestFirst, limit });
    const deliveries = items.map(deliveryOf);
    return { deliveries, next: next && deliveries.at(-1)?.id };
  };

const latest = (one: string, other: string): string => (one > other ? one : other);
const earliest = (one: string, other: string): string => (one < other ? one : other);

/** Returns the last text that sorts before an id. DynamoDB refuses a start outside the range that is read. */
const textBefore = (id: DeliveryId): string =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;

/** Returns the logs that have the deliveries of these webhooks. */
export const logsOf = (webhooks: readonly WebhookId[]): readonly ReadLog[] => {
  const chosen = new Set(webhooks);
  const cohorts = new Set(webhooks.map(cohortOf));
  return [
    ...webhooks.map(ownLog),
    ...Array.from(cohorts, (cohort) => cohortLog(cohort, (webhook) => chosen.has(webhook))),
  ];
};

/** Reads deliveries from their own items; omits those without one. */
export const readOwnItems = async (webhook: WebhookId, ids: readonly DeliveryId[]): Promise<Delivery[]> =>
  (await getMany(ids.map((id) => deliveryKey(webhook, id)))).map(deliveryOf);

/** Pages of the log that one call reads, because many ended deliveries can lie between two unfinished ones. */
const maxPages = 20;
const pageSize = 200;

/**
 * Reads a webhook's unfinished deliveries, oldest first, that were accepted at or after `since` (epoch ms): about `limit`, or none before the end.
 * `next` is the place up to which the log was read; undefined at its end.
 */
export const unfinishedSince = async (
  webhook: WebhookId,
  { since, after, limit }: { readonly since: number; readonly after: DeliveryId | undefined; readonly limit: number },
): Promise<LogPage> => {
  const read = ownLog(webhook);
  const found: Delivery[] = [];
  let place = after;
  for (let pages = 0; pages < maxPages; pages++) {
    const options = { since, until: undefined, newestFirst: false, limit: Math.min(pageSize, limit), after: place };
    const { deliveries, next } = await read(options);
    found.push(...deliveries.filter(isUnfinished));
    place = next;
    if (place === undefined || found.length >= limit) break;
  }
  return { deliveries: found, next: place };
};

/** Reads the newest deliveries of a webhook in a range; empty only if there are none. */
export const newestDeliveries = async (
  webhook: WebhookId,
  limit: number,
  range: Pick<LogOptions, 'since' | 'until'> = { since: undefined, until: undefined },
): Promise<readonly Delivery[]> => {
  const read = mergedLog(logsOf([webhook]));
  const options = { ...range, newestFirst: true, limit };
  let page = await read({ ...options, after: undefined });
  while (page.deliveries.length === 0 && page.next !== undefined) page = await read({ ...options, after: page.next });
  return page.deliveries;
};

/**
 * Records any other step of a delivery in its own item. Returns false if another message has advanced the delivery: it has ended, has as many
 * attempts, or, for a wait, already waits for something else. So only one of two messages for the same attempt continues. If the answer to a write is
 * lost, the step's name shows whether the write was carried out.
 * @param due when the sweep should check it, in epoch ms
 * @param messages what the step causes: stored with it, all or nothing
 */
export const recordStep = async (
  before: Delivery,
  after: Delivery,
  due?: number,
  messages: readonly OutboxMessage[] = [],
): Promise<boolean> => {
  if (sharesItem(after) && !(await markOwnItem(after))) return false;
  const step = newRevision();
  const isUnfinished = anyOf(is('status', 'pending'), is('status', 'retrying'));
  const isAsItWas = allOf(is('attempts', after.attempts), is('next_attempt_at', before.next_attempt_at));
  const hasNotGoneFurther = allOf(isUnfinished, anyOf(below('attempts', after.attempts), isAsItWas));
  const item = { ...itemOf(after, due), step };
  const condition = anyOf(missing(), hasNotGoneFurther);
  const { written, refusal } = await tryWrite(
    messages.length === 0
      ? put(item, condition)
      : transact([{ kind: 'put', item, condition }, ...messages.map(storeMessage)]),
  );
  return written || refusal.found<Delivery>()?.step === step;
};

/** Puts a new delivery, or returns the existing one. */
export const addDelivery = async (delivery: Delivery, due?: number): Promise<Delivery> => {
  const { refusal } = await tryWrite(put(itemOf(delivery, due), missing()));
  const found = refusal?.found();
  return found === undefined ? delivery : deliveryOf(found);
};
