/** Pages of logs: lists of deliveries in the order of their ids, which begin with the time of acceptance. */
import { type DeliveryId, idTime } from '../../foundation/ids.ts';
import type { Condition } from '../../table/condition.ts';
import { type Delivery, isBehind } from '../delivery.ts';

/** Which deliveries to read. Times in epoch ms, `since` included, `until` not. */
export interface LogOptions {
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly newestFirst: boolean;
  readonly limit: number;
  /** Only deliveries after this place: the id of a delivery, or a `next`. */
  readonly after: DeliveryId | undefined;
  /** Only deliveries whose items fulfil it, of the `limit` that are read. */
  readonly where?: Condition | undefined;
}

export interface LogPage {
  readonly deliveries: readonly Delivery[];
  /** All deliveries up to this place were read; undefined at the end of the log. A page before the end may be empty. */
  readonly next: DeliveryId | undefined;
}

/** Returns the range of ids that a page is in, both ends included; undefined if it is empty. */
export const rangeOf = ({
  since,
  until,
  newestFirst,
  after,
}: Pick<LogOptions, 'since' | 'until' | 'newestFirst' | 'after'>):
  | { readonly from: string; readonly to: string }
  | undefined => {
  // Ids are longer than their time prefix, so ids of exactly this time are excluded.
  const [first, last] = [since === undefined ? '0' : idTime(since), until === undefined ? '~' : idTime(until)];
  const from = after === undefined || newestFirst ? first : latest(first, `${after}~`);
  const to = after === undefined || !newestFirst ? last : earliest(last, textBefore(after));
  return from > to ? undefined : { from, to };
};

const latest = (one: string, other: string): string => (one > other ? one : other);
const earliest = (one: string, other: string): string => (one < other ? one : other);

/** Returns the last text that sorts before an id. DynamoDB refuses a start outside the range that is read. */
const textBefore = (id: DeliveryId): string =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;

export type ReadLog = (options: LogOptions) => Promise<LogPage>;

/** Sorts deliveries by id. One that was recorded between the reads of two logs is kept once, in its later form. */
export const inOrder = (deliveries: readonly Delivery[], newestFirst: boolean): Delivery[] => {
  const shown = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    const place = `${delivery.webhook_id} ${delivery.id}`;
    const other = shown.get(place);
    if (other === undefined || isBehind(other, delivery)) shown.set(place, delivery);
  }
  const direction = newestFirst ? -1 : 1;
  return [...shown.values()].sort((one, other) => direction * (Number(one.id > other.id) - Number(one.id < other.id)));
};
