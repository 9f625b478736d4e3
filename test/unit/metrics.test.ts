/** Metrics as CloudWatch reads them out of a log line (Embedded Metric Format). */
import { describe, expect, it } from 'vitest';
import { takeLog } from '../support/log-lines.ts';

process.env.METRICS_NAMESPACE = 'Masthead';
process.env.SERVICE_NAME = 'masthead-test';
const { count, flushMetrics, measure } = await import('../../shared/aws/metrics.ts');

const { text, lines } = takeLog();

describe('the metrics of an invocation', () => {
  it('are one line, with counts summed and each duration kept', () => {
    count('DeliveriesDelivered', 9);
    count('DeliveriesDelivered');
    measure('DeliveryLatency', 40);
    measure('DeliveryLatency', 12);
    flushMetrics();
    expect(lines()).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'Masthead',
              Dimensions: [['service']],
              Metrics: [
                { Name: 'DeliveriesDelivered', Unit: 'Count' },
                { Name: 'DeliveryLatency', Unit: 'Milliseconds' },
              ],
            },
          ],
        },
        service: 'masthead-test',
        DeliveriesDelivered: 10,
        DeliveryLatency: [40, 12],
      },
    ]);
    expect(text()).toMatch(/\n$/);
  });

  it('are gone with their line: the next invocation begins with none', () => {
    count('MailsSent');
    flushMetrics();
    flushMetrics();
    expect(lines()).toHaveLength(1);
  });

  it('go out early where a metric has a hundred values, which is all that a line may have of one', () => {
    for (let ms = 1; ms <= 101; ms++) measure('DeliveryLatency', ms);
    flushMetrics();
    expect(lines().map(({ DeliveryLatency }) => DeliveryLatency.length)).toEqual([100, 1]);
  });
});
