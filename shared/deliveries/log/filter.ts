/** The filters of the lists of deliveries. */
import { hasId, publishersIds } from '../../events/event.ts';
import { listsOf } from '../../foundation/event-selection.ts';
import type { DeliveryId } from '../../foundation/ids.ts';
import { choice, textParameter, timeRange } from '../../http/query.ts';
import { allOf, anyOf, below, type Condition, exists, is, notBelow } from '../../table/condition.ts';
import type { Delivery } from '../delivery.ts';
import { isResolved } from '../records/row.ts';
import { type DeliveryState, deliveryStates } from '../resource.ts';
import type { Trigger } from '../triggers.ts';

export const filterParameters = {
  status: choice(deliveryStates, 'Only deliveries with this status.', 'it is not a status of deliveries'),
  event: textParameter('Only deliveries of this event, or of a pattern such as `post.*`.'),
  ...timeRange('Only events accepted at this time or later.', 'Only events accepted before this time.'),
};

export interface DeliveryFilter {
  readonly status?: DeliveryState | undefined;
  /** A name or a pattern. */
  readonly event?: string | undefined;
  readonly event_id?: string | undefined;
  readonly trigger?: Trigger | undefined;
  readonly id?: DeliveryId | undefined;
  /** Epoch ms, included. */
  readonly since?: number | undefined;
  /** Epoch ms, not included. */
  readonly until?: number | undefined;
}

/** Returns the condition that matching items fulfil; undefined if all do. The index has only undelivered ones. */
export const conditionOf = ({ status, event, event_id }: DeliveryFilter): Condition | undefined => {
  const conditions = [
    // A success has a short form (`records/row.ts`).
    ...(status === 'delivered' ? [anyOf(exists('delivered'), is('status', status))] : []),
    ...(event === undefined || event === '*' ? [] : [isEvent(event)]),
    ...(event_id === undefined ? [] : [hasEventId(event_id)]),
  ];
  return conditions.length === 0 ? undefined : allOf(...conditions);
};

const hasEventId = (wanted: string): Condition => {
  const conditions = publishersIds(wanted).map((id) => is('event_id', id));
  // DynamoDB refuses two pairs of parentheses around one comparison.
  return conditions.length === 1 ? is('event_id', wanted) : anyOf(...conditions);
};

const isEvent = (name: string): Condition => {
  if (!name.endsWith('.*')) return is('event', name);
  const group = name.slice(0, -2);
  // The character after the dot.
  return allOf(notBelow('event', `${group}.`), below('event', `${group}/`));
};

/** Returns whether a delivery matches the filters that its key does not cover. */
export const matches = (delivery: Delivery, { status, event, event_id, trigger, id }: DeliveryFilter): boolean =>
  (status === undefined || delivery.status === status) &&
  (status !== 'held' || !isResolved(delivery)) &&
  (event === undefined || listsOf(delivery.event).includes(event)) &&
  (event_id === undefined || hasId(delivery.event_id, delivery.body_hash, event_id)) &&
  (trigger === undefined || delivery.trigger === trigger) &&
  (id === undefined || delivery.id === id);
