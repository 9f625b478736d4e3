/** The one way to log and to count: JSON lines and EMF metrics. Callers pass ids and numbers, never secrets, tokens or addresses. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

export const log = new Logger();

const metrics = new Metrics();

/** The metrics that the dashboard and the alarms read; `docs/operations.md` explains each. */
export type Metric =
  | 'EventsAccepted'
  | 'DeliveriesDelivered'
  | 'DeliveriesFailed'
  | 'DeliveriesRetrying'
  | 'DeliveryLatency'
  | 'BreakersOpened'
  | 'InvitesAccepted'
  | 'MailsSent'
  | 'MailsBounced'
  | 'MailsComplained';

/** Adds to a metric; what is added in one invocation goes out with `flushMetrics`. */
export const count = (metric: Metric, amount = 1): void => {
  metrics.addMetric(metric, MetricUnit.Count, amount);
};

/** Adds a duration in milliseconds to a metric. */
export const measure = (metric: Metric, ms: number): void => {
  metrics.addMetric(metric, MetricUnit.Milliseconds, ms);
};

/** Writes the metrics of this invocation as one log line; nothing where there are none. */
export const flushMetrics = (): void => {
  // Powertools warns about an invocation without metrics, which is nothing to warn about here.
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
};
