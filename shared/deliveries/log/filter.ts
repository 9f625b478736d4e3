/** The filters of the list of deliveries. */
import { ValidationError } from '../../foundation/errors.ts';
import type { DeliveryId } from '../../foundation/ids.ts';
import { readTime } from '../../http/parameters.ts';
import type { Delivery } from '../delivery.ts';
import { type DeliveryState, deliveryStates } from '../resource.ts';

/** Times in epoch ms; `since` is included, `until` is not. */
export interface DeliveryFilter {
  readonly status?: DeliveryState;
  readonly event?: string;
  readonly event_id?: string;
  readonly id?: DeliveryId;
  readonly since?: number;
  readonly until?: number;
}

type Query = Readonly<Record<string, string | undefined>>;

/** Reads `?status=&event=&since=&until=`. @throws ValidationError */
export const readFilter = ({ status, event, since, until }: Query): DeliveryFilter => {
  if (status !== undefined && !isState(status))
    throw refusal('status', status, 'known', `must be one of ${deliveryStates.join(', ')}`);
  const from = readTime('since', since);
  const to = readTime('until', until);
  if (until !== undefined && from !== undefined && to !== undefined && to <= from)
    throw refusal('until', until, 'after_since', `is not after \`since\`, ${since}`);
  return {
    ...(status !== undefined && { status }),
    ...(event !== undefined && { event }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
};

/** Returns whether a delivery matches the filters that its key does not cover. */
export const matches = (delivery: Delivery, { status, event, event_id, id }: DeliveryFilter): boolean =>
  (status === undefined || delivery.status === status) &&
  (event === undefined || delivery.event === event) &&
  (event_id === undefined || delivery.event_id === event_id) &&
  (id === undefined || delivery.id === id);

const isState = (text: string): text is DeliveryState => deliveryStates.some((state) => state === text);

const refusal = (field: string, value: string, rule: string, reason: string): ValidationError =>
  new ValidationError(`\`${field}=${value.slice(0, 50)}\` ${reason}.`, {
    property: field,
    help: 'Correct it, or omit it.',
    details: [{ index: null, field, rule, limit: null, received: `a string of ${value.length} characters` }],
  });
