/** Records the results of deliveries in the table, the log and the metrics. */
import { log } from '../aws/log.ts';
import { count, measure } from '../aws/metrics.ts';
import { systemClock } from '../foundation/clock.ts';
import type { Delivery } from './delivery.ts';
import * as store from './store.ts';

/** Records first attempts that succeeded. */
export const recordSuccesses = async (delivered: readonly Delivery[]): Promise<void> => {
  await store.recordSuccesses(delivered);
  countDelivered(delivered);
  log.info('delivered', { deliveries: delivered.map(storyOf) });
};

/** Records any other step (`store.ts`). */
export const recordStep: typeof store.recordStep = async (before, after, due) => {
  const isRecorded = await store.recordStep(before, after, due);
  if (isRecorded) {
    countStep(after);
    const { status, last_status, last_error, next_attempt_at } = after;
    log.info('not delivered', { ...storyOf(after), status, last_status, last_error, next_attempt_at });
  }
  return isRecorded;
};

/** Measures the slowest of the deliveries that were recorded together. */
const countDelivered = (delivered: readonly Delivery[]): void => {
  count('DeliveriesDelivered', delivered.length);
  const first = delivered
    .filter(({ trigger }) => trigger === 'event')
    .reduce((earliest, { created_at }) => (created_at < earliest ? created_at : earliest), '~');
  if (first !== '~') measure('DeliveryLatency', systemClock() - Date.parse(first));
};

const countStep = ({ status }: Delivery): void => {
  if (status === 'failed' || status === 'blocked') count('DeliveriesFailed');
  else if (status === 'retrying') count('DeliveriesRetrying');
};

/** The log fields of a step: ids, which connect it with the request that published the event, and never a URL or a body. */
const storyOf = (delivery: Delivery) => ({
  event_id: delivery.event_id,
  delivery_id: delivery.id,
  webhook_id: delivery.webhook_id,
  attempts: delivery.attempts,
});
