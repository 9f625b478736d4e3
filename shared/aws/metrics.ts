/** Counts and durations of an invocation in CloudWatch's Embedded Metric Format: in its log line, or in their own. */
import { minute } from '../foundation/clock.ts';

/** The metrics that the dashboard and the alarms read; `docs/operations.md` explains each. */
export type Metric =
  | 'EventsAccepted'
  | 'EventIdsReused'
  | 'DeliveriesDelivered'
  | 'DeliveriesFailed'
  | 'DeliveriesRetrying'
  | 'DeliveryLatency'
  | 'BreakersOpened'
  | 'OldestDue'
  | 'DeadLetters'
  | 'RelaysSilent'
  | 'InvitesAccepted'
  | 'InvitesRefused'
  | 'LateDelivery'
  | 'LateMail'
  | 'MailsSent'
  | 'MailsBounced'
  | 'MailsComplained';

/** Without a namespace no metrics are written. */
const namespace = process.env.METRICS_NAMESPACE;
/** The one dimension: all functions of a stage. */
const service = process.env.SERVICE_NAME;

let counts = new Map<Metric, number>();
let durations = new Map<Metric, number[]>();
/** Values of a metric in one line (limit of the EMF specification, "Metric values"). */
const maxValues = 100;

/** Adds to a metric; `flushMetrics` writes the sum of an invocation. */
export const count = (metric: Metric, amount = 1): void => {
  counts.set(metric, (counts.get(metric) ?? 0) + amount);
};

/** Adds a duration in milliseconds to a metric. */
export const measure = (metric: Metric, ms: number): void => {
  const known = durations.get(metric) ?? [];
  known.push(ms);
  durations.set(metric, known);
  if (known.length === maxValues) flushMetrics();
};

/** The longest wait that is normal: SQS delays a message by up to 15 minutes. */
const normalWaitMs = 20 * minute;

/** Measures a wait in ms that is longer than normal: a stage that keeps up has no such metric to pay for. */
export const measureLate = (metric: Metric, ms: number): void => {
  if (ms > normalWaitMs) measure(metric, ms);
};

/** Writes the metrics of this invocation as a separate log line, or nothing if there are none. */
export const flushMetrics = (): void => {
  const fields = metricFields();
  // Not through the console: Lambda would wrap the line in another JSON object.
  if (fields !== undefined) process.stdout.write(`${JSON.stringify({ service, ...fields })}\n`);
};

/** Returns and resets the metrics of this invocation, as fields for a line that has the field `service`. */
export const metricFields = (): object | undefined => {
  const hasMetrics = namespace !== undefined && counts.size + durations.size > 0;
  const fields = hasMetrics
    ? {
        _aws: {
          Timestamp: Date.now(),
          CloudWatchMetrics: [
            {
              Namespace: namespace,
              Dimensions: [['service']],
              // No unit for a count: it would only make the line longer.
              Metrics: [
                ...[...counts.keys()].map((name) => ({ Name: name })),
                ...[...durations.keys()].map((name) => ({ Name: name, Unit: 'Milliseconds' })),
              ],
            },
          ],
        },
        ...Object.fromEntries(counts),
        ...Object.fromEntries(durations),
      }
    : undefined;
  counts = new Map();
  durations = new Map();
  return fields;
};
