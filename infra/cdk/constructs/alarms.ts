/** The alarms of a stage, each with its section of the runbook, and a topic for each of the two severities. */
import { Aws, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { contract, type QueueName } from '../../../shared/contract.ts';
import { type Severity, topicOf } from '../alarm-topics.ts';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { arnOf } from './arns.ts';
import { StageMetrics } from './stage-metrics.ts';

/** Minutes at which the age of a queue's oldest message raises an alarm. The slow lane may wait for receivers. */
const oldestMinutes = {
  events: 5,
  // The wait before the first attempt (`retryAfterSeconds`) delays messages in this queue by up to 15 minutes.
  deliveries: 30,
  // At the sandbox's rate of one mail a second, an hour is 3,600 invitations.
  mail: 60,
} as const satisfies Partial<Record<QueueName, number>>;

/**
 * The oldest message's age omits messages received more than three times, and mail also waits in the table.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
const late = {
  deliveries: 'LateDelivery',
  mail: 'LateMail',
} as const satisfies Partial<Record<keyof typeof oldestMinutes, string>>;

/** The sweep runs every minute and takes what is due then: older items are a backlog. */
const oldestDueMinutes = 10;

const keysOf = <Key extends string>(values: Readonly<Record<Key, unknown>>): Key[] => Object.keys(values) as Key[];

interface Condition {
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  /** How many of the last periods must exceed the threshold. Default: 1 of 1. */
  readonly periods?: readonly [bad: number, of: number];
  /** Whether missing data means that something has stopped. A new alarm has no data yet, and notifies nobody. */
  readonly tellsSilence?: true;
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
  private readonly topics: Readonly<Record<Severity, readonly ITopic[]>>;

  constructor(scope: Construct, id: string, { config, key }: AlarmsProps) {
    super(scope, id);
    this.config = config;
    this.topics = { urgent: this.topicsFor('urgent', key), notice: this.topicsFor('notice', key) };

    this.notifyOfPausedMail();
    const metrics = new StageMetrics(config);
    const schedules = contract.filter((line) => line.kind === 'schedule');
    this.all = [
      // Short periods, so that they fire while a canary deployment still shifts traffic.
      this.alarm('urgent', 'faults', 'faults', { metric: metrics.faults(), threshold: 1, periods: [2, 5] }),
      this.alarm('urgent', 'api-errors', 'api-errors', {
        metric: metrics.apiErrorRate(),
        threshold: 0.02,
        periods: [2, 5],
      }),
      this.alarm('notice', 'near-timeout', 'near-timeout', { metric: metrics.nearTimeout(), threshold: 5 }),
      this.alarm('notice', 'throttles', 'throttles', { metric: metrics.throttles(), threshold: 1, periods: [2, 3] }),
      // A request that is throttled once is repeated by the SDK: only many in a row are noticed.
      this.alarm('urgent', 'table-throttles', 'table-throttles', {
        metric: metrics.tableThrottled(),
        threshold: 10,
        periods: [2, 3],
      }),
      ...schedules.map((line) =>
        // A running schedule writes a zero each time.
        this.alarm('urgent', line.function, 'schedules', {
          metric: metrics.errorsOf(line),
          threshold: 1,
          periods: [2, 3],
          tellsSilence: true,
        }),
      ),
      this.alarm('urgent', 'oldest-due', 'oldest-due-item', {
        metric: metrics.counted('OldestDue', 'Maximum'),
        threshold: oldestDueMinutes * 60_000,
        periods: [2, 3],
      }),
      this.alarm(
        'notice',
        'dead-letters',
        'dead-letters',
        { metric: metrics.counted('DeadLetters', 'Maximum'), threshold: 1 },
        ` Then: npm run ops -- redrive --stage ${config.name}`,
      ),
      ...keysOf(oldestMinutes).map((queue) =>
        this.alarm('urgent', `oldest-${queue}`, 'oldest-message', {
          metric: metrics.oldestMessage(queue),
          threshold: oldestMinutes[queue] * 60,
        }),
      ),
      ...keysOf(late).map((queue) =>
        this.alarm('urgent', `late-${queue}`, 'oldest-message', {
          metric: metrics.counted(late[queue], 'Maximum'),
          threshold: oldestMinutes[queue] * 60_000,
          // What waits is tried, and measured, at least every 15 minutes.
          periods: [1, 4],
        }),
      ),
      ...(config.features.relays ? this.ofRelays(metrics) : []),
      // SES reviews an account at 5 % and 0.1 %, and may pause it at 10 % and 0.5 %. This is the stage's share of it.
      this.alarm('notice', 'bounces', 'bounces-and-complaints', { metric: metrics.bounceRate(), threshold: 0.04 }),
      this.alarm('notice', 'complaints', 'bounces-and-complaints', {
        metric: metrics.complaintRate(),
        threshold: 0.0008,
      }),
    ];
  }

  private ofRelays(metrics: StageMetrics): cloudwatch.Alarm[] {
    // Checked every six minutes.
    const silent = { metric: metrics.counted('RelaysSilent', 'Maximum'), threshold: 1, periods: [2, 4] } as const;
    return [
      this.alarm('notice', 'relay-silent', 'relay-silent', silent),
      ...(this.config.features.accessLogs
        ? [this.alarm('urgent', 'relay-lost', 'relay-lost', { metric: metrics.lostAtGateway(), threshold: 1 })]
        : []),
    ];
  }

  /** Notifies when SES stops sending for the account: nothing else notices before staff ask for their mail. */
  private notifyOfPausedMail() {
    const rule = new Rule(this, 'MailPaused', {
      description: 'SES has stopped sending',
      // https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-ses.html
      eventPattern: { source: ['aws.ses'], detailType: ['Sending Status Disabled'] },
      targets: this.topics.urgent.map((topic) => new SnsTopic(topic, { message: this.textOfPausedMail() })),
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless::Serverless-EventBusDLQ',
      reason: 'A notification that could not be sent adds nothing to the alarm on late mail, which follows.',
    });
  }

  private textOfPausedMail(): RuleTargetInput {
    const { name, runbookUrl } = this.config;
    return RuleTargetInput.fromText(
      `SES has stopped sending mail for ${EventField.fromPath('$.resources')} (Masthead, ${name}). What to do: ` +
        `${runbookUrl}#ses-is-paused`,
    );
  }

  /** Returns what alarms of this severity notify: a topic of the stage, with its mails, and topics that exist. */
  private topicsFor(severity: Severity, key: IKey | undefined): readonly ITopic[] {
    const targets = this.config.alarmTargets.filter(({ severities }) => severity === 'urgent' || severities === 'all');
    const own = new Topic(this, severity === 'urgent' ? 'Topic' : 'Notices', {
      topicName: physicalName(this.config, topicOf[severity]),
      enforceSSL: true,
      ...(key && { masterKey: key }),
    });
    // `enforceSSL` gives the topic a policy, which replaces SNS's default one, and `SnsAction` adds no grant:
    // https://repost.aws/knowledge-center/cloudwatch-receive-sns-for-alarm-trigger
    own.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowAlarmsOfThisStage',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [own.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': arnOf('cloudwatch', `alarm:${physicalName(this.config, '*')}`),
          },
        },
      }),
    );
    for (const target of targets) if ('email' in target) own.addSubscription(new EmailSubscription(target.email));
    Validations.of(own).acknowledge({
      id: 'Serverless::Serverless-SNSRedrivePolicy',
      reason: 'A notification that SNS could not send adds nothing to the alarm itself, which the console shows.',
    });
    const existing = targets.flatMap((target) => ('topicArn' in target ? [target.topicArn] : []));
    return [own, ...existing.map((arn, index) => Topic.fromTopicArn(this, `${severity}-${index}`, arn))];
  }

  private alarm(
    severity: Severity,
    name: string,
    runbook: string,
    { metric, threshold, periods = [1, 1], tellsSilence }: Condition,
    command = '',
  ): cloudwatch.Alarm {
    const { MISSING, NOT_BREACHING } = cloudwatch.TreatMissingData;
    const alarm = new cloudwatch.Alarm(this, name, {
      alarmName: physicalName(this.config, name),
      alarmDescription: `What to do: ${this.config.runbookUrl}#${runbook}${command}`,
      metric,
      threshold,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      datapointsToAlarm: periods[0],
      evaluationPeriods: periods[1],
      treatMissingData: tellsSilence ? MISSING : NOT_BREACHING,
    });
    const actions = this.topics[severity].map((topic) => new SnsAction(topic));
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    // `missing`: an alarm begins in INSUFFICIENT_DATA, so this notifies only when data stops coming.
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
    if (tellsSilence) alarm.addInsufficientDataAction(...actions);
    return alarm;
  }
}
