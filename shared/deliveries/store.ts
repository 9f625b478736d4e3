/** Where deliveries lie in the table: beneath their webhook, in the order of acceptance. */

import { dueAt } from '../due/due-index.ts';
import { type DeliveryId, idTime, type WebhookId } from '../foundation/ids.ts';
import { putMany } from '../table/batch.ts';
import { allOf, anyOf, below, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put } from '../table/item.ts';
import { query } from '../table/query.ts';
import type { Item, Key } from '../table/table-key.ts';
import type { PageOfDeliveries } from './browse.ts';
import type { Delivery } from './delivery.ts';

export const deliveryKey = (webhook: WebhookId, id: DeliveryId): Key => ({
  pk: `WEBHOOK#${webhook}`,
  sk: `DELIVERY#${id}`,
});

/** `due` is when the sweep should look at it, in epoch ms; without it what was read with an old one loses that. */
const itemOf = (delivery: Delivery, due?: number): Item => {
  const key = deliveryKey(delivery.webhook_id, delivery.id);
  return { ...delivery, ...key, due: undefined, due_at: undefined, ...(due !== undefined && dueAt(key, due)) };
};

export const readDelivery = (webhook: WebhookId, id: DeliveryId): Promise<Delivery | undefined> =>
  get<Delivery>(deliveryKey(webhook, id));

/** Records first attempts that succeeded, in one request; nothing can be truer than a success, so there is no condition. */
export const recordSuccesses = (deliveries: readonly Delivery[]): Promise<void> =>
  putMany(deliveries.map((delivery) => itemOf(delivery)));

export const pageOfDeliveries: PageOfDeliveries = async (webhook, { since, until, newestFirst, limit, after }) => {
  const { pk } = deliveryKey(webhook, '' as DeliveryId);
  const from = since === undefined ? '' : idTime(since);
  // Ids go on behind their time, so that those of this very moment are left out.
  const to = until === undefined ? '~' : idTime(until);
  const { items, next } = await query<Delivery>(pk, {
    between: [`DELIVERY#${from}`, `DELIVERY#${to}`],
    newestFirst,
    limit,
    after: after && deliveryKey(webhook, after),
  });
  return { deliveries: items, more: next !== undefined };
};

/** The newest of a webhook, at most `limit`. */
export const newestDeliveries = async (webhook: WebhookId, limit: number): Promise<readonly Delivery[]> => {
  const all = { since: undefined, until: undefined, after: undefined };
  return (await pageOfDeliveries(webhook, { ...all, newestFirst: true, limit })).deliveries;
};

/**
 * Records any other step of a delivery, and gives false where somebody else has taken it further meanwhile: it has ended,
 * has as many attempts, or, where the step is no attempt but a wait, waits for something else already. So of two messages
 * for one attempt only one goes on. `due` is when the sweep should look at it, in epoch ms.
 */
export const recordStep = async (before: Delivery, after: Delivery, due?: number): Promise<boolean> => {
  const isUnfinished = anyOf(is('status', 'pending'), is('status', 'retrying'));
  const isAsItWas = allOf(is('attempts', after.attempts), is('next_attempt_at', before.next_attempt_at));
  const hasNotGoneFurther = allOf(isUnfinished, anyOf(below('attempts', after.attempts), isAsItWas));
  return (await tryWrite(put(itemOf(after, due), anyOf(missing(), hasNotGoneFurther)))).written;
};

/** Puts a delivery by hand that is new; gives the one that is there already where it is not. */
export const addDelivery = async (delivery: Delivery, due?: number): Promise<Delivery> => {
  const { refusal } = await tryWrite(put(itemOf(delivery, due), missing()));
  return refusal?.found<Delivery>() ?? delivery;
};
