/** The messages in the queues of a running local stack. */
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Returns the number of messages in each queue that has any: visible, in flight and delayed. */
export const waitingMessages = async (
  sqs: SQSClient,
  queues: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {};
  for (const [name, QueueUrl] of Object.entries(queues)) {
    const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    const {
      ApproximateNumberOfMessages = 0,
      ApproximateNumberOfMessagesNotVisible = 0,
      ApproximateNumberOfMessagesDelayed = 0,
    } = Attributes;
    const sum =
      Number(ApproximateNumberOfMessages) +
      Number(ApproximateNumberOfMessagesNotVisible) +
      Number(ApproximateNumberOfMessagesDelayed);
    if (sum > 0) counts[name] = sum;
  }
  return counts;
};
