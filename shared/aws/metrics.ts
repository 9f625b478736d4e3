/** Counts and durations: one line an invocation in CloudWatch's Embedded Metric Format. */

/** The metrics that the dashboard and the alarms read; `docs/operations.md` explains each. */
export type Metric =
  | 'EventsAccepted'
  | 'EventIdsReused'
  | 'DeliveriesDelivered'
  | 'DeliveriesFailed'
  | 'DeliveriesRetrying'
  | 'DeliveryLatency'
  | 'BreakersOpened'
  | 'InvitesAccepted'
  | 'MailsSent'
  | 'MailsBounced'
  | 'MailsComplained';

/** Where there is no namespace nobody reads metrics, and none are written. */
const namespace = process.env.METRICS_NAMESPACE;
/** The one dimension: a stage's functions together. */
const service = process.env.SERVICE_NAME;

const counts = new Map<Metric, number>();
const durations = new Map<Metric, number[]>();
/** CloudWatch takes no more values of a metric in a line (EMF specification, "Metric values"). */
const mostValues = 100;

/** Adds to a metric; what is added in one invocation goes out with `flushMetrics`. */
export const count = (metric: Metric, amount = 1): void => {
  counts.set(metric, (counts.get(metric) ?? 0) + amount);
};

/** Adds a duration in milliseconds to a metric. */
export const measure = (metric: Metric, ms: number): void => {
  const known = durations.get(metric) ?? [];
  known.push(ms);
  durations.set(metric, known);
  if (known.length === mostValues) flushMetrics();
};

/** Writes the metrics of this invocation as one log line; nothing where there are none. */
export const flushMetrics = (): void => {
  if (namespace !== undefined && counts.size + durations.size > 0) {
    const metrics = [
      ...[...counts.keys()].map((name) => ({ Name: name, Unit: 'Count' })),
      ...[...durations.keys()].map((name) => ({ Name: name, Unit: 'Milliseconds' })),
    ];
    const line = {
      _aws: {
        Timestamp: Date.now(),
        CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [['service']], Metrics: metrics }],
      },
      service,
      ...Object.fromEntries(counts),
      ...Object.fromEntries(durations),
    };
    // Past the console, into whose lines Lambda would wrap it.
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  counts.clear();
  durations.clear();
};
