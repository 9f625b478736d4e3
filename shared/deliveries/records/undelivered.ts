/**
 * Reads the indexes of the log: `undelivered` by integration and status, and `requested` with redeliveries, replays
 * and pings of an event. They are eventually consistent, so the items themselves tell what a delivery is now.
 */
import { type DeliveryId, idTime, timeOfId, type WebhookId } from '../../foundation/ids.ts';
import { semaphore } from '../../foundation/semaphore.ts';
import { getMany } from '../../table/batch.ts';
import { query } from '../../table/query.ts';
import type { Key } from '../../table/table-key.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryState } from '../resource.ts';
import { inOrder, type ReadLog, rangeOf } from './log-page.ts';
import { deliveryKey, deliveryOf, idsOfKey, undeliveredPartition } from './row.ts';

const concurrency = 25;
/** A page of keys to find those of a few webhooks among: about 200 KB. */
const keysPerPage = 1000;

/** Returns the logs that have the deliveries with a status other than `delivered` of these webhooks. */
export const undeliveredLogs = (
  webhooks: readonly Parameters<typeof undeliveredPartition>[0][],
  status: DeliveryState,
): ReadLog[] => {
  const partitions = Map.groupBy(webhooks, (webhook) => undeliveredPartition(webhook, status));
  return Array.from(partitions, ([partition, ofPartition]) =>
    undeliveredLog(partition, new Set(ofPartition.map(({ id }) => id))),
  );
};

const undeliveredLog =
  (partition: string, webhooks: ReadonlySet<WebhookId>): ReadLog =>
  async (options) => {
    const range = rangeOf(options);
    if (range === undefined) return { deliveries: [], next: undefined };
    const { newestFirst, limit } = options;
    const between = [range.from, range.to] as const;
    const keys = Math.max(keysPerPage, limit);
    const page = await query<Key>(partition, { index: 'undelivered', between, newestFirst, limit: keys });
    const wanted = page.items.filter((key) => webhooks.has(idsOfKey(key).webhook_id));
    const shown = wanted.slice(0, limit);
    const last = shown.length < wanted.length ? shown.at(-1) : page.next && page.items.at(-1);
    return { deliveries: await readInOrder(shown, newestFirst), next: last && idsOfKey(last).id };
  };

/** The states in which a delivery waits: for an attempt, or for somebody who sends it again. */
export const waitingStates = ['pending', 'retrying', 'held'] as const satisfies DeliveryState[];

/** Counts deliveries with these statuses, accepted since `since` (epoch ms), by the index: of many only the oldest. */
export const countUndelivered = async (
  webhooks: readonly Parameters<typeof undeliveredPartition>[0][],
  statuses: readonly DeliveryState[],
  since = 0,
): Promise<{ readonly count: number; readonly hasMore: boolean; readonly oldest: number | undefined }> => {
  const ids = new Set(webhooks.map(({ id }) => id));
  const partitions = new Set(
    statuses.flatMap((status) => webhooks.map((webhook) => undeliveredPartition(webhook, status))),
  );
  const between = [idTime(since), '~'] as const;
  const limited = semaphore(concurrency);
  const pages = await Promise.all(
    Array.from(partitions, (partition) =>
      limited(() => query<Key>(partition, { index: 'undelivered', between, limit: keysPerPage })),
    ),
  );
  const found = pages.flatMap(({ items }) => items.map(idsOfKey)).filter(({ webhook_id }) => ids.has(webhook_id));
  const oldest = found.map(({ id }) => timeOfId(id)).sort((a, b) => a - b)[0];
  return { count: found.length, hasMore: pages.some(({ next }) => next !== undefined), oldest };
};

/** Reads the requested deliveries of an event to these webhooks: the newest thousand, newest first. */
export const requestedDeliveries = async (body_hash: string, webhooks: ReadonlySet<WebhookId>): Promise<Delivery[]> => {
  const between = ['0', '~'] as const;
  const { items } = await query<Key>(body_hash, {
    index: 'requested',
    between,
    newestFirst: true,
    limit: keysPerPage,
  });
  return readInOrder(
    items.filter((key) => webhooks.has(idsOfKey(key).webhook_id)),
    true,
  );
};

/** Reads deliveries by id, each at its webhook or, if none is named, at each of these. Other webhooks are left out. */
export const deliveriesWithId = async (
  places: readonly { readonly id: DeliveryId; readonly webhook_id?: WebhookId }[],
  webhooks: readonly WebhookId[],
): Promise<Delivery[]> =>
  readInOrder(
    places.flatMap(({ id, webhook_id }) =>
      webhooks
        .filter((webhook) => webhook_id === undefined || webhook === webhook_id)
        .map((webhook) => deliveryKey(webhook, id)),
    ),
    true,
  );

const readInOrder = async (keys: readonly Key[], newestFirst: boolean): Promise<Delivery[]> =>
  inOrder((await getMany<object>(keys)).map(deliveryOf), newestFirst);
