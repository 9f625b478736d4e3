/** Records the results of deliveries in the table, the log, the metrics and the statistics. */
import { log } from '../../aws/log.ts';
import { count, measure } from '../../aws/metrics.ts';
import { systemClock } from '../../foundation/clock.ts';
import { countLatency, countOutcome } from '../../stats/count.ts';
import { type Delivery, isUnfinished } from '../delivery.ts';
import * as store from './store.ts';

/** Records successes. */
export const recordAndCountSuccesses = async (delivered: readonly Delivery[]): Promise<void> => {
  await store.recordSuccesses(delivered);
  countDelivered(delivered);
  log.info('delivered', { deliveries: delivered.map(storyOf) });
};

/** Records any other step (`store.ts`): a failed attempt, an end, or a wait, which is neither. */
export const recordAndCountStep = async (
  before: Delivery,
  after: Delivery,
  stored: store.StoredWith = {},
): Promise<boolean> => {
  if (!(await store.recordStep(after, stored))) return false;
  const { status, last_status, last_error, next_attempt_at, waiting_for } = after;
  if (isUnfinished(after) && after.attempts === before.attempts) {
    log.info('waits', { ...storyOf(after), waiting_for: waiting_for?.reason, next_attempt_at });
    return true;
  }
  countStep(after);
  log.info('not delivered', { ...storyOf(after), status, last_status, last_error, next_attempt_at });
  return true;
};

/** Measures the slowest of the deliveries that were recorded together. */
const countDelivered = (delivered: readonly Delivery[]): void => {
  count('DeliveriesDelivered', delivered.length);
  countOutcome('delivered', delivered.length);
  const now = systemClock();
  const latencies = delivered.flatMap(({ trigger, created_at }) =>
    trigger === 'event' ? [now - Date.parse(created_at)] : [],
  );
  for (const ms of latencies) countLatency(ms, now);
  if (latencies.length > 0) measure('DeliveryLatency', Math.max(...latencies));
};

const countStep = ({ status }: Delivery): void => {
  if (status === 'failed' || status === 'blocked') {
    count('DeliveriesFailed');
    countOutcome('failed');
  } else if (status === 'held') countOutcome('held');
  else if (status === 'retrying') {
    count('DeliveriesRetrying');
    countOutcome('retrying');
  }
};

/** The log fields of a step: ids, which link it with the request that published the event; no URL and no body. */
const storyOf = (delivery: Delivery) => ({
  event_id: delivery.event_id,
  delivery_id: delivery.id,
  webhook_id: delivery.webhook_id,
  attempts: delivery.attempts,
  trace_id: delivery.trace_id,
});
