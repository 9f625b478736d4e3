/** The EventBridge bus: its events are sent to the events queue as they are (`shared/events/bus-event.ts`). */
import { Aws } from 'aws-cdk-lib';
import { EventBus, Match, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { AccountPrincipal, OrganizationPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { arnOf } from './arns.ts';
import type { DeadLetteredQueue } from './dead-lettered-queue.ts';

/** Adds the bus, on which the stage's account and those of the setting `bus` may put events. */
export const publishingBus = (scope: Construct, config: StageConfig, events: DeadLetteredQueue): void => {
  const own = new Construct(scope, 'Bus');
  const eventBus = new EventBus(own, 'Bus', {
    eventBusName: physicalName(config),
    description: `Events on this bus are delivered to the webhooks of Masthead (${config.name})`,
  });
  const { accounts, organization } = config.bus;
  const others = {
    OfAccounts: accounts.map((account) => new AccountPrincipal(account)),
    OfOrganization: organization === undefined ? [] : [new OrganizationPrincipal(organization)],
  };
  for (const [sid, principals] of Object.entries(others))
    if (principals.length > 0)
      eventBus.addToResourcePolicy(
        new PolicyStatement({
          sid,
          principals,
          actions: ['events:PutEvents'],
          resources: [arnOf('events', `event-bus/${physicalName(config)}`)],
        }),
      );
  // Imported without key and policy: with a key, the CDK would allow every rule of the account to send to the queue.
  const queue = Queue.fromQueueArn(own, 'EventsQueue', events.queue.queueArn);
  const rule = new Rule(own, 'ToEventsQueue', {
    eventBus,
    description: 'detail-type is the name of the event, detail its payload',
    // Which accounts an organization has changes: the bus's policy alone decides then.
    eventPattern: { account: organization === undefined ? [Aws.ACCOUNT_ID, ...accounts] : Match.exists() },
    targets: [new SqsQueue(queue, { deadLetterQueue: events.dead })],
  });
  events.queue.addToResourcePolicy(
    new PolicyStatement({
      sid: 'EventsOfTheBus',
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [events.queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': rule.ruleArn } },
    }),
  );
};
