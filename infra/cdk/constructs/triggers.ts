/** What starts a function that no client calls: queues, schedules, and events of SES. */
import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { BusLine, QueueLine, ScheduleLine } from '../../../shared/contract.ts';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { queueOf, type Reachable } from './access.ts';

/** Feeds a function from each of its queues; a batch fails message by message. */
export function readQueues(
  scope: Construct,
  line: QueueLine,
  target: IFunction,
  queues: Reachable['queues'],
  config: StageConfig,
): void {
  for (const { queue, batchSize, concurrency } of line.sources) {
    const ofStage = config.concurrency[queue];
    const atATime = ofStage === undefined ? concurrency : ofStage;
    new EventSourceMapping(scope, `From-${queue}`, {
      target,
      eventSourceArn: queueOf(queues, queue).queueArn,
      batchSize,
      ...(atATime !== null && { maxConcurrency: atATime }),
      reportBatchItemFailures: true,
    });
  }
}

/** Runs a function on a schedule. A run that could not start within its interval is dropped: the next one does its work. */
export function runEvery(scope: Construct, line: ScheduleLine, target: IFunction, config: StageConfig): void {
  const every = Duration.minutes(config.everyMinutes[line.function] ?? line.everyMinutes);
  const rule = new Rule(scope, 'Schedule', {
    description: `functions/${line.function}.ts, every ${every.toMinutes()} min`,
    schedule: Schedule.rate(every),
    targets: [new LambdaFunction(target, { retryAttempts: 0, maxEventAge: every })],
  });
  Validations.of(rule).acknowledge({
    id: 'Serverless::Serverless-EventBusDLQ',
    reason: 'A tick that came to nothing is worth nothing: the next one does all that is due.',
  });
}

/** Hands a function what SES says of the mails of this stage, which go through its configuration set. */
export function hearOfMails(scope: Construct, line: BusLine, target: IFunction, config: StageConfig): void {
  // Of the default bus, the only one that SES knows; other stages and other senders of the account are heard there too.
  const rule = new Rule(scope, 'Feedback', {
    description: `functions/${line.function}.ts: bounces and complaints`,
    eventPattern: {
      source: ['aws.ses'],
      detailType: [...line.detailTypes],
      detail: { mail: { tags: { 'ses:configuration-set': [physicalName(config)] } } },
    },
    targets: [new LambdaFunction(target)],
  });
  Validations.of(rule).acknowledge({
    id: 'Serverless::Serverless-EventBusDLQ',
    reason:
      'SES itself sends these events on best effort. EventBridge tries for a day to hand one to Lambda, which then runs the function up to ' +
      'three times; what is lost all the same leaves an invite shown as sent, which is what it was, and the address on the suppression list.',
  });
}
