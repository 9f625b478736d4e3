/** The alarms of a stage, each with its section of the runbook, and the topic that they notify. */
import { Aws, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { contract, type QueueName, queueNames } from '../../../shared/contract.ts';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { arnOf } from './arns.ts';
import { StageMetrics } from './stage-metrics.ts';

/** Age in minutes at which the oldest message of a queue raises an alarm. The slow lane has none: it may wait for its receivers. */
const oldestMinutes: Partial<Record<QueueName, number>> = {
  events: 5,
  // Retries wait in this queue for up to 15 minutes.
  deliveries: 30,
  // At the sandbox's rate of one mail a second, an hour is 3,600 invitations.
  mail: 60,
};

/** The sweep runs every minute and takes what is due then: older items are a backlog. */
const oldestDueMinutes = 10;

interface Condition {
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  /** How many of the last periods must exceed the threshold. Default: 1 of 1. */
  readonly periods?: readonly [bad: number, of: number];
  readonly missingData?: cloudwatch.TreatMissingData;
}

/** Returns the names of the alarms that roll back a canary deployment. */
export const rollbackAlarmNames = (config: StageConfig): string[] =>
  ['faults', 'api-errors'].map((name) => physicalName(config, name));

interface AlarmsProps {
  readonly config: StageConfig;
  readonly key: IKey | undefined;
}

export class Alarms extends Construct {
  readonly all: readonly cloudwatch.Alarm[];
  private readonly config: StageConfig;
  private readonly topic: Topic;

  constructor(scope: Construct, id: string, { config, key }: AlarmsProps) {
    super(scope, id);
    this.config = config;
    this.topic = new Topic(this, 'Topic', {
      topicName: physicalName(config, 'alarms'),
      enforceSSL: true,
      ...(key && { masterKey: key }),
    });
    // `enforceSSL` gives the topic a policy, which replaces SNS's default one, and `SnsAction` adds no grant:
    // https://repost.aws/knowledge-center/cloudwatch-receive-sns-for-alarm-trigger
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowAlarmsOfThisStage',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': arnOf('cloudwatch', `alarm:${physicalName(config, '*')}`),
          },
        },
      }),
    );
    if (config.alarmEmail) {
      this.topic.addSubscription(new EmailSubscription(config.alarmEmail));
      Validations.of(this.topic).acknowledge({
        id: 'Serverless::Serverless-SNSRedrivePolicy',
        reason: 'A notification that SNS could not send adds nothing to the alarm itself, which the console shows.',
      });
    }

    const metrics = new StageMetrics(config);
    const schedules = contract.filter((line) => line.kind === 'schedule');
    this.all = [
      // Short periods, so that they fire while a canary deployment still shifts traffic.
      this.alarm('faults', 'faults', { metric: metrics.faults(), threshold: 1, periods: [2, 5] }),
      this.alarm('api-errors', 'api-errors', { metric: metrics.apiErrorRate(), threshold: 0.02, periods: [2, 5] }),
      this.alarm('near-timeout', 'near-timeout', { metric: metrics.nearTimeout(), threshold: 5 }),
      this.alarm('throttles', 'throttles', { metric: metrics.throttles(), threshold: 1, periods: [2, 3] }),
      ...schedules.map((line) =>
        // A running schedule writes a zero each time: missing data means that it does not run.
        this.alarm(line.function, 'schedules', {
          metric: metrics.errorsOf(line),
          threshold: 1,
          periods: [2, 3],
          missingData: cloudwatch.TreatMissingData.BREACHING,
        }),
      ),
      this.alarm('oldest-due', 'oldest-due-item', {
        metric: metrics.counted('OldestDue', 'Maximum'),
        threshold: oldestDueMinutes * 60_000,
        periods: [2, 3],
      }),
      ...queueNames.map((queue) =>
        this.alarm(`dead-letters-${queue}`, 'dead-letters', { metric: metrics.deadLetters(queue), threshold: 1 }),
      ),
      ...queueNames.flatMap((queue) => {
        const minutes = oldestMinutes[queue];
        const metric = metrics.oldestMessage(queue);
        return minutes ? [this.alarm(`oldest-${queue}`, 'oldest-message', { metric, threshold: minutes * 60 })] : [];
      }),
      // SES reviews an account at 5 % and 0.1 %, and may pause it at 10 % and 0.5 %.
      this.alarm('bounces', 'bounces-and-complaints', { metric: metrics.bounceRate(), threshold: 0.04 }),
      this.alarm('complaints', 'bounces-and-complaints', { metric: metrics.complaintRate(), threshold: 0.0008 }),
    ];
  }

  private alarm(name: string, runbook: string, condition: Condition): cloudwatch.Alarm {
    const { metric, threshold, periods = [1, 1], missingData = cloudwatch.TreatMissingData.NOT_BREACHING } = condition;
    const alarm = new cloudwatch.Alarm(this, name, {
      alarmName: physicalName(this.config, name),
      alarmDescription: `What to do: ${this.config.runbookUrl}#${runbook}`,
      metric,
      threshold,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      datapointsToAlarm: periods[0],
      evaluationPeriods: periods[1],
      treatMissingData: missingData,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    return alarm;
  }
}
