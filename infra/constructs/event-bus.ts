/** The second way in: an EventBridge bus whose events are put into the events queue, shaped as `functions/events/publish.ts` does. */
import { Aws } from 'aws-cdk-lib';
import { EventBus, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import type { DeadLetteredQueue } from './dead-lettered-queue.ts';

interface EventBusProps {
  readonly config: StageConfig;
  readonly events: DeadLetteredQueue;
}

export class PublishingBus extends Construct {
  constructor(scope: Construct, id: string, { config, events }: EventBusProps) {
    super(scope, id);
    const eventBus = new EventBus(this, 'Bus', {
      eventBusName: physicalName(config),
      description: `Events put here go to the webhooks of Masthead (${config.name})`,
    });
    new Rule(this, 'ToEventsQueue', {
      eventBus,
      description: 'detail-type is the name of the event, detail its payload',
      eventPattern: { account: [Aws.ACCOUNT_ID] },
      targets: [
        new SqsQueue(events.queue, {
          deadLetterQueue: events.dead,
          // The message `event` of shared/events/event.ts. EventBridge's id makes its own retries harmless.
          message: RuleTargetInput.fromObject({
            kind: 'event',
            id: EventField.eventId,
            publisher: `eventbridge:${EventField.source}`,
            event: EventField.detailType,
            accepted_at: EventField.time,
            payload: EventField.fromPath('$.detail'),
          }),
        }),
      ],
    });
  }
}
