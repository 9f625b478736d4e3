/** Stores deliveries in the table, in the partition of their webhook and in the order of acceptance. */
import { randomBytes } from 'node:crypto';
import { type DeliveryId, idTime, type WebhookId } from '../foundation/ids.ts';
import { putMany } from '../table/batch.ts';
import { allOf, anyOf, below, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put } from '../table/item.ts';
import { query } from '../table/query.ts';
import type { Delivery } from './delivery.ts';
import { deliveryKey, deliveryOf, itemOf } from './row.ts';

export const readDelivery = async (webhook: WebhookId, id: DeliveryId): Promise<Delivery | undefined> => {
  const item = await get(deliveryKey(webhook, id));
  return item && deliveryOf(item);
};

/** Records first attempts that succeeded, in one request and without a condition, because a success is final (ADR 3). */
export const recordSuccesses = (deliveries: readonly Delivery[]): Promise<void> =>
  putMany(deliveries.map((delivery) => itemOf(delivery)));

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Whether more follow the last of them. */
  readonly more: boolean;
}

/** A page of a webhook's deliveries in the order of their ids; times in epoch ms, `since` included, `until` not. */
export type PageOfDeliveries = (
  webhook: WebhookId,
  options: {
    readonly since: number | undefined;
    readonly until: number | undefined;
    readonly newestFirst: boolean;
    readonly limit: number;
    readonly after: DeliveryId | undefined;
  },
) => Promise<DeliveryPage>;

export const pageOfDeliveries: PageOfDeliveries = async (webhook, { since, until, newestFirst, limit, after }) => {
  const { pk } = deliveryKey(webhook, '' as DeliveryId);
  const from = since === undefined ? '' : idTime(since);
  // Ids are longer than their time, so that those of exactly this time are excluded.
  const to = until === undefined ? '~' : idTime(until);
  const { items, next } = await query(pk, {
    between: [`DELIVERY#${from}`, `DELIVERY#${to}`],
    newestFirst,
    limit,
    after: after && deliveryKey(webhook, after),
  });
  return { deliveries: items.map(deliveryOf), more: next !== undefined };
};

/** Reads the newest deliveries of a webhook. */
export const newestDeliveries = async (webhook: WebhookId, limit: number): Promise<readonly Delivery[]> => {
  const all = { since: undefined, until: undefined, after: undefined };
  return (await pageOfDeliveries(webhook, { ...all, newestFirst: true, limit })).deliveries;
};

/**
 * Records any other step of a delivery, and returns false if another message has advanced it meanwhile: it has ended,
 * has as many attempts, or, if the step is a wait, already waits for something else. So of two messages
 * for one attempt only one continues. A step whose answer was lost is recognised by its name.
 * @param due when the sweep should check it, in epoch ms
 */
export const recordStep = async (before: Delivery, after: Delivery, due?: number): Promise<boolean> => {
  const step = randomBytes(6).toString('hex');
  const isUnfinished = anyOf(is('status', 'pending'), is('status', 'retrying'));
  const isAsItWas = allOf(is('attempts', after.attempts), is('next_attempt_at', before.next_attempt_at));
  const hasNotGoneFurther = allOf(isUnfinished, anyOf(below('attempts', after.attempts), isAsItWas));
  const { written, refusal } = await tryWrite(
    put({ ...itemOf(after, due), step }, anyOf(missing(), hasNotGoneFurther)),
  );
  return written || refusal.found<Delivery>()?.step === step;
};

/** Puts a new delivery, or returns the existing one. */
export const addDelivery = async (delivery: Delivery, due?: number): Promise<Delivery> => {
  const { refusal } = await tryWrite(put(itemOf(delivery, due), missing()));
  const found = refusal?.found();
  return found === undefined ? delivery : deliveryOf(found);
};
