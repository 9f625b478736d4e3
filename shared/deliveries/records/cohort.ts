/**
 * A cohort: about ten webhooks whose ids share a group. Deliveries of one event to a cohort share an item if they succeed at their first attempt: one
 * write costs as much as ten (docs/adr/0016-one-item-for-a-cohort.md). Any other delivery gets an item of its own (`row.ts`), and a mark in the
 * shared one.
 */
import {
  type DeliveryId,
  groupOf,
  idTime,
  isId,
  timeOfId,
  type WebhookGroup,
  type WebhookId,
} from '../../foundation/ids.ts';
import type { Key } from '../../table/table-key.ts';
import { type Delivery, deliveryId } from '../delivery.ts';
import { afterSuccess, successOf } from './row.ts';

export type Cohort = WebhookGroup;

/** Returns the cohort of a webhook; it is part of the webhook's id. */
export const cohortOf = (webhook: WebhookId): Cohort => groupOf(webhook);

const prefix = 'SUCCESSES#';
/** The hex characters of a time at the beginning of an id. */
const timeLength = 12;

/** The partition of a cohort's items, which are in the order of acceptance. */
export const cohortPartition = (cohort: Cohort): string => `DELIVERIES#${cohort}`;

/** The lower bound of the sort keys of a time in epoch ms, which are longer. */
export const cohortTime = (ms: number): string => `${prefix}${idTime(ms)}`;

/** Sorts after the keys of all items. */
export const afterLastTime = `${prefix}~`;

/** The key of the item that records an event's deliveries to a cohort if their first attempts succeed. */
export const cohortKey = (delivery: Pick<Delivery, 'id' | 'webhook_id' | 'body_hash'>): Key => ({
  pk: cohortPartition(cohortOf(delivery.webhook_id)),
  sk: `${prefix}${delivery.id.slice(0, timeLength)}${delivery.body_hash}`,
});

/** An item of a cohort. Each delivery is an attribute named after its webhook's id: `ownItem`, or its success and the response. */
export interface CohortItem extends Key {
  readonly event: string;
  readonly event_id: string;
  readonly expires_at: number;
  readonly [attribute: string]: string | number;
}

/** Returns whether an item belongs to a cohort and an event. A delivery's own item has a different sort key. */
export const isCohortItem = (item: Key): item is CohortItem => item.sk.startsWith(prefix);

/** Marks a delivery that has, or is about to get, its own item. */
export const ownItem = 'own item';

/**
 * The maximum characters of a response in a cohort's item. A write is billed for the whole item, so a longer response would cost the other members
 * more than a separate item.
 */
const longestResponse = 256;

/** Returns the attribute of a first attempt that succeeded; `ownItem` if it does not fit. */
export const memberOf = (delivery: Delivery): string => {
  const success = successOf(delivery);
  if (success === undefined || delivery.trigger !== 'event') return ownItem;
  const { delivered, response } = success;
  if (response === null) return delivered;
  return response.length > longestResponse ? ownItem : `${delivered} ${response}`;
};

/** The number of words that describe a success before its response, which may have any number of words. */
const successWords = 8;

/** Returns a webhook's delivery from its cohort's item: `ownItem` if it has its own, undefined if nothing is recorded. */
export const inCohort = (item: CohortItem, webhook: WebhookId): Delivery | typeof ownItem | undefined => {
  const member = item[webhook];
  if (typeof member !== 'string') return undefined;
  if (member === ownItem) return ownItem;
  const response = member.split(' ').slice(successWords);
  const body_hash = item.sk.slice(prefix.length + timeLength);
  return afterSuccess({
    id: deliveryId(timeOfItem(item), body_hash, webhook),
    webhook_id: webhook,
    event: item.event,
    event_id: item.event_id,
    body_hash,
    expires_at: item.expires_at,
    trigger: 'event',
    delivered: member,
    response: response.length > 0 ? response.join(' ') : null,
  });
};

/** Returns the webhooks that a cohort's item has an entry for. */
export const membersOf = (item: CohortItem): WebhookId[] => Object.keys(item).filter((name) => isId<WebhookId>(name));

/** Returns when the event of an item was accepted, in epoch ms. */
export const timeOfItem = ({ sk }: Key): number => timeOfId(sk.slice(prefix.length) as DeliveryId);
