/** The dashboard: are webhooks delivered and invitations sent, and if not, where do they wait? */
import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { StageMetrics } from './stage-metrics.ts';

const lanes = ['deliveries', 'slow-deliveries'] as const;
const queues = ['events', ...lanes, 'mail'] as const;

/** Adds the stage's dashboard, with `alarms` at the top. */
export const dashboard = (scope: Construct, config: StageConfig, alarms: readonly cloudwatch.Alarm[]): void => {
  const figures = (title: string, names: readonly string[]) => {
    return new cloudwatch.SingleValueWidget({
      title,
      metrics: names.map((name) => metrics.counted(name)),
      setPeriodToTimeRange: true,
      width: 8,
      height: 6,
    });
  };

  const metrics = new StageMetrics(config);
  const board = new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: physicalName(config),
    defaultInterval: Duration.hours(24),
  });
  const heading = (markdown: string) => new cloudwatch.TextWidget({ markdown, width: 24, height: 1 });

  if (alarms.length > 0) {
    board.addWidgets(new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 }));
  }
  board.addWidgets(heading('## Are webhooks delivered?'));
  board.addWidgets(
    figures('In this period', [
      'EventsAccepted',
      'DeliveriesDelivered',
      'DeliveriesRetrying',
      'DeliveriesFailed',
      'BreakersOpened',
    ]),
    graph('Events and deliveries', [
      metrics.counted('EventsAccepted'),
      metrics.counted('EventIdsReused'),
      metrics.counted('DeliveriesDelivered'),
      metrics.counted('DeliveriesRetrying'),
      metrics.counted('DeliveriesFailed'),
    ]),
    graph(
      'From publishing to delivery, ms',
      ['p50', 'p95', 'p99'].map((statistic) => metrics.counted('DeliveryLatency', statistic)),
    ),
  );
  board.addWidgets(
    graph(
      'Waiting',
      ['events' as const, ...lanes].map((queue) => metrics.waiting(queue)),
    ),
    graph(
      'Oldest message, s; late deliveries, ms',
      ['events' as const, ...lanes].map((queue) => metrics.oldestMessage(queue)),
      [metrics.counted('LateDelivery', 'Maximum')],
    ),
    graph('Breakers opened', [metrics.counted('BreakersOpened')]),
    graph('Oldest due item (ms)', [metrics.counted('OldestDue', 'Maximum')]),
    graph('Silent relays', [metrics.counted('RelaysSilent', 'Maximum')]),
  );
  board.addWidgets(heading('## Are invitations sent?'));
  board.addWidgets(
    figures('In this period', ['InvitesAccepted', 'InvitesRefused', 'MailsSent', 'MailsBounced', 'MailsComplained']),
    graph('Mails', [metrics.counted('MailsSent'), metrics.counted('MailsBounced'), metrics.counted('MailsComplained')]),
    graph('Waiting mails; longest wait, ms', [metrics.waiting('mail')], [metrics.counted('LateMail', 'Maximum')]),
  );
  board.addWidgets(
    graph('Bounce and complaint rate of the stage', [metrics.bounceRate()], [metrics.complaintRate()]),
    graph('API requests', [
      metrics.api('Count', 'Sum', 'requests'),
      metrics.api('4XXError', 'Sum', '4xx'),
      metrics.api('5XXError', 'Sum', '5xx'),
    ]),
    graph(
      'API latency, ms',
      ['p50', 'p95', 'p99'].map((statistic) => metrics.api('Latency', statistic, statistic)),
    ),
  );
  board.addWidgets(heading('## Is anything broken?'));
  board.addWidgets(
    graph('Faults', [metrics.faults(), metrics.nearTimeout(), metrics.throttles()]),
    graph('Dead letters', [
      metrics.counted('DeadLetters', 'Maximum'),
      ...queues.map((queue) => metrics.deadLetters(queue)),
    ]),
    graph('Throttled by the table and its indexes', [...metrics.tableThrottles()]),
  );
  board.addWidgets(heading('## What does it cost?'));
  board.addWidgets(
    graph(
      'Functions: invocations, and seconds',
      [metrics.allFunctions('Invocations', 'Sum', 'invocations')],
      [seconds(metrics.allFunctions('Duration', 'Sum', 'ms'))],
    ),
    graph('Table: units', [
      metrics.table('ConsumedWriteCapacityUnits', 'write'),
      metrics.table('ConsumedReadCapacityUnits', 'read'),
    ]),
    graph(
      'Queues: messages sent, and empty polls',
      queues.map((queue) => metrics.queue(queue, 'NumberOfMessagesSent', 'Sum', queue)),
      queues.map((queue) => metrics.queue(queue, 'NumberOfEmptyReceives', 'Sum', `${queue}, empty`)),
    ),
  );
};

const graph = (title: string, left: cloudwatch.IMetric[], right: cloudwatch.IMetric[] = []) =>
  new cloudwatch.GraphWidget({ title, left, right, width: 8, height: 6, leftYAxis: { min: 0 } });

const seconds = (ms: cloudwatch.IMetric): cloudwatch.IMetric =>
  new cloudwatch.MathExpression({ expression: 'ms / 1000', usingMetrics: { ms }, label: 'seconds' });
