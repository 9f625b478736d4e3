/** The triggers of functions that no client calls: queues, schedules, and events from SES. */
import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { BusLine, QueueLine, ScheduleLine } from '../../../shared/contract.ts';
import { physicalName } from '../names.ts';
import { maxConcurrencyOf, type StageConfig } from '../stage.ts';
import type { Reachable } from './access.ts';

/** Connects a function to each of its queues; failures are reported per message. */
export const readQueues = (
  scope: Construct,
  line: QueueLine,
  target: IFunction,
  reachable: Reachable,
  config: StageConfig,
): void => {
  for (const source of line.sources) {
    const { queue, batchSize } = source;
    const maxConcurrency = maxConcurrencyOf(config, source);
    new EventSourceMapping(scope, `From-${queue}`, {
      target,
      eventSourceArn: reachable.queue(queue),
      batchSize,
      ...(maxConcurrency !== null && { maxConcurrency }),
      reportBatchItemFailures: true,
    });
  }
};

/** Runs a function on a schedule. A run that fails or can't start in its interval is dropped: the next catches up. */
export const runEvery = (scope: Construct, line: ScheduleLine, target: IFunction, config: StageConfig): void => {
  const every = Duration.minutes(config.everyMinutes[line.function] ?? line.everyMinutes);
  const rule = new Rule(scope, 'Schedule', {
    description: `functions/${line.function}.ts, every ${every.toMinutes()} min`,
    schedule: Schedule.rate(every),
    targets: [new LambdaFunction(target, { retryAttempts: 0, maxEventAge: every })],
  });
  // The rule's policy ends once Lambda has the event. Lambda would retry failures twice, and throttles for six hours:
  // https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
  target.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: every });
  const reason = 'A lost run needs no dead letter: the next one processes everything that is due.';
  Validations.of(rule).acknowledge({ id: 'Serverless::Serverless-EventBusDLQ', reason });
  Validations.of(target).acknowledge({ id: 'Serverless::Serverless-LambdaAsyncFailureDestination', reason });
};

/** Runs a function for SES's events about the mails of this stage, which use its configuration set. */
export const runOnMailEvents = (scope: Construct, line: BusLine, target: IFunction, config: StageConfig): void => {
  // SES sends to the default bus only; other stages and other senders of the account use it too, hence the filter.
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
      'SES sends these events on best effort. EventBridge tries for a day to deliver one to Lambda, which runs ' +
      'the function up to three times; a lost one leaves the invite as sent, which is true, and the address on ' +
      'the suppression list.',
  });
};
