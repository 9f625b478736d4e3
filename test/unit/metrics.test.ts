/** Metrics as CloudWatch reads them from a log line (Embedded Metric Format). */
import { describe, expect, it } from 'vitest';
import { takeLog } from '../support/log-lines.ts';

process.env.METRICS_NAMESPACE = 'Masthead';
process.env.SERVICE_NAME = 'masthead-test';
const { count, flushMetrics, measure, measureLate } = await import('../../shared/aws/metrics.ts');

const { text, lines } = takeLog();

describe('the metrics of an invocation', () => {
  it('are written in one line, with summed counts and every duration', () => {
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
              Metrics: [{ Name: 'DeliveriesDelivered' }, { Name: 'DeliveryLatency', Unit: 'Milliseconds' }],
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

  it('are reset when they are written, so that the next invocation starts without any', () => {
    count('MailsSent');
    flushMetrics();
    flushMetrics();
    expect(lines()).toHaveLength(1);
  });

  it('have a wait only if it is longer than the 15 minutes by which SQS can delay a message', () => {
    measureLate('LateMail', 15 * 60_000);
    measureLate('LateMail', 21 * 60_000);
    flushMetrics();
    expect(lines()).toMatchObject([{ LateMail: [21 * 60_000] }]);
  });

  it('are written early if one of them has a hundred values, the maximum of a line', () => {
    for (let ms = 1; ms <= 101; ms++) measure('DeliveryLatency', ms);
    flushMetrics();
    expect(lines().map(({ DeliveryLatency }) => DeliveryLatency.length)).toEqual([100, 1]);
  });
});
