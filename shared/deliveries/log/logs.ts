/** Chooses where deliveries are read: in the logs of their webhooks, or in the index of those not delivered. */
import type { Webhook } from '../../webhooks/webhook.ts';
import type { Delivery } from '../delivery.ts';
import { inOrder, type ReadLog, rangeOf } from '../records/log-page.ts';
import { logOf } from '../records/store.ts';
import { undeliveredLogs } from '../records/undelivered.ts';
import type { DeliveryFilter } from './filter.ts';

/** Returns the logs that have every delivery of these webhooks that the filter can match. */
export const logsOf = (
  webhooks: readonly Pick<Webhook, 'id' | 'integration_id'>[],
  { status }: DeliveryFilter,
): ReadLog[] =>
  status === undefined || status === 'delivered'
    ? webhooks.map(({ id }) => logOf(id))
    : undeliveredLogs(webhooks, status);

/** Returns deliveries that were read already as a log. */
export const logOfRead = (deliveries: readonly Delivery[]): ReadLog => {
  const read: ReadLog = async (options) => {
    const range = rangeOf(options);
    const within = deliveries.filter(({ id }) => range !== undefined && id >= range.from && id <= range.to);
    return { deliveries: inOrder(within, options.newestFirst), next: undefined };
  };
  return read;
};
