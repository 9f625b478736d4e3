/** Messages in the dead-letter queues of a stage. */
import { GetQueueAttributesCommand, GetQueueUrlCommand, QueueDoesNotExist, type SQSClient } from '@aws-sdk/client-sqs';
import { queueNames } from '../../../shared/contract.ts';
import { physicalName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { type Found, passed, skipped, warning } from './finding.ts';

export const checkDeadLetters = async (client: SQSClient, config: StageConfig): Promise<Found[]> => {
  const found: Found[] = [];
  for (const queue of queueNames) {
    const count = await messagesIn(client, physicalName(config, queue, 'dead'));
    if (count === undefined) return [skipped('The stack data is not deployed.')];
    if (count > 0)
      found.push(
        warning(
          `${queue} has ${count} dead letter${count === 1 ? '' : 's'}.`,
          `docs/operations.md#dead-letters, then npm run ops -- redrive --stage ${config.name} ${queue}`,
        ),
      );
  }
  return found.length > 0 ? found : [passed(`None in ${queueNames.length} queues.`)];
};

const messagesIn = async (client: SQSClient, QueueName: string): Promise<number | undefined> => {
  try {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName }));
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages);
  } catch (error) {
    if (error instanceof QueueDoesNotExist) return undefined;
    throw error;
  }
};
