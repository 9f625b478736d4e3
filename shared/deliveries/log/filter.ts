/** The filters of the list of deliveries. */
import type { DeliveryId } from '../../foundation/ids.ts';
import { invalidParameter, readTimeRange, type TimeRange } from '../../http/parameters.ts';
import type { Delivery } from '../delivery.ts';
import { type DeliveryState, deliveryStates, type Trigger } from '../resource.ts';

export interface DeliveryFilter extends TimeRange {
  readonly status?: DeliveryState;
  readonly event?: string;
  readonly event_id?: string;
  readonly trigger?: Trigger;
  readonly id?: DeliveryId;
}

type Query = Readonly<Record<string, string | undefined>>;

/** Reads `?status=&event=&since=&until=`. @throws ValidationError */
export const readFilter = (query: Query): DeliveryFilter => {
  const { status, event } = query;
  if (status !== undefined && !isState(status))
    throw invalidParameter('status', status, 'known', `must be one of ${deliveryStates.join(', ')}`);
  return {
    ...(status !== undefined && { status }),
    ...(event !== undefined && { event }),
    ...readTimeRange(query),
  };
};

/** Returns whether a delivery matches the filters that its key does not cover. */
export const matches = (delivery: Delivery, { status, event, event_id, trigger, id }: DeliveryFilter): boolean =>
  (status === undefined || delivery.status === status) &&
  (event === undefined || delivery.event === event) &&
  (event_id === undefined || delivery.event_id === event_id) &&
  (trigger === undefined || delivery.trigger === trigger) &&
  (id === undefined || delivery.id === id);

const isState = (text: string): text is DeliveryState => deliveryStates.some((state) => state === text);
