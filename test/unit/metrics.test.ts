/** Metrics as CloudWatch reads them out of a log line (Embedded Metric Format). */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

process.env.METRICS_NAMESPACE = 'Masthead';
process.env.SERVICE_NAME = 'masthead-test';
const { count, flushMetrics, measure } = await import('../../shared/aws/metrics.ts');

let written: string[] = [];
beforeEach(() => {
  written = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());
const lines = () => written.map((line) => JSON.parse(line));

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
    expect(written[0]).toMatch(/\n$/);
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
