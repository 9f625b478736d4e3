/** Stores deliveries in the table, in the partition of their webhook and the order of acceptance. */
import { type OutboxMessage, storeMessage } from '../../due/outbox.ts';
import type { DeliveryId, WebhookId } from '../../foundation/ids.ts';
import { getMany, putMany } from '../../table/batch.ts';
import { allOf, anyOf, below, exists, is, missing } from '../../table/condition.ts';
import { tryWrite } from '../../table/conditional.ts';
import { get, put, update } from '../../table/item.ts';
import { query } from '../../table/query.ts';
import { transact } from '../../table/transaction.ts';
import type { Delivery } from '../delivery.ts';
import { type LogOptions, type ReadLog, rangeOf } from './log-page.ts';
import { deliveryKey, deliveryOf, idsOfKey, isResolved, itemOf } from './row.ts';

/** Reads a delivery; undefined for an unknown one. */
export const readDelivery = async (webhook: WebhookId, id: DeliveryId): Promise<Delivery | undefined> => {
  const item = await get(deliveryKey(webhook, id));
  return item && deliveryOf(item);
};

/** Records successes without a condition, because a success is final (ADR 3). */
export const recordSuccesses = (deliveries: readonly Delivery[]): Promise<void> =>
  putMany(deliveries.map((delivery) => itemOf(delivery)));

/** Returns the log of a webhook. */
export const logOf =
  (webhook: WebhookId): ReadLog =>
  async (options) => {
    const range = rangeOf(options);
    if (range === undefined) return { deliveries: [], next: undefined };
    const { pk, sk } = deliveryKey(webhook, '' as DeliveryId);
    const { newestFirst, limit, where } = options;
    const between = [`${sk}${range.from}`, `${sk}${range.to}`] as const;
    const { items, next } = await query(pk, { between, newestFirst, limit, where });
    return { deliveries: items.map(deliveryOf), next: next && idsOfKey(next).id };
  };

/** Reads deliveries from their own items; omits those without one. */
export const readOwnItems = async (webhook: WebhookId, ids: readonly DeliveryId[]): Promise<Delivery[]> =>
  (await getMany(ids.map((id) => deliveryKey(webhook, id)))).map(deliveryOf);

/** Reads the newest deliveries of a webhook in a range; empty only if there are none. */
export const newestDeliveries = async (
  webhook: WebhookId,
  limit: number,
  range: Pick<LogOptions, 'since' | 'until'> = { since: undefined, until: undefined },
): Promise<readonly Delivery[]> => {
  const read = logOf(webhook);
  const options = { ...range, newestFirst: true, limit };
  let page = await read({ ...options, after: undefined });
  while (page.deliveries.length === 0 && page.next !== undefined) page = await read({ ...options, after: page.next });
  return page.deliveries;
};

export interface StoredWith {
  /** When the sweep sends the delivery's message, in epoch ms. */
  readonly due?: number | undefined;
  /** What the step causes: stored with it, all or nothing. */
  readonly messages?: readonly OutboxMessage[];
}

/**
 * Records any other step. Returns false if the delivery has ended or another message has advanced it as far. If the
 * answer to a write is lost, the record shows whether the write was carried out.
 */
export const recordStep = async (after: Delivery, { due, messages = [] }: StoredWith = {}): Promise<boolean> => {
  const isUnfinished = anyOf(is('status', 'pending'), is('status', 'retrying'));
  const waitsLess = allOf(is('attempts', after.attempts), below('waits', after.waits));
  const isEarlier = allOf(isUnfinished, anyOf(below('attempts', after.attempts), waitsLess));
  const item = itemOf(after, due);
  const condition = anyOf(missing(), isEarlier);
  const { written, refusal } = await tryWrite(
    messages.length === 0
      ? put(item, condition)
      : transact([{ kind: 'put', item, condition }, ...messages.map(storeMessage)]),
  );
  return written || isSameStep(after, refusal.found<Delivery>());
};

const isSameStep = (after: Delivery, found: Delivery | undefined): boolean =>
  (['attempts', 'waits', 'status', 'last_attempt_at', 'next_attempt_at'] as const).every(
    (name) => found?.[name] === after[name],
  );

/** Records which delivery sends the event of an earlier one again; an expired one stays away. */
export const markReplayed = async ({ webhook_id, id, status }: Delivery, replayed_by: DeliveryId): Promise<void> => {
  const remove = isResolved({ status, replayed_by }) ? ['undelivered', 'undelivered_at'] : [];
  await tryWrite(update(deliveryKey(webhook_id, id), { set: { replayed_by }, remove }, exists()));
};

/** Puts a new delivery, unless it has a record already. */
export const addDelivery = async (delivery: Delivery): Promise<void> => {
  await tryWrite(put(itemOf(delivery), missing()));
};
