/** Checks that the role of a function may read its queues, because Lambda's poller uses that role. */
import { TemplateError } from '../cloudformation.ts';
import type { PolicyCheck } from './policy.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html#events-sqs-permissions */
const actions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/** AWS refuses to create the event source mapping otherwise. @throws TemplateError with the message of AWS */
export const checkPoller = (policy: PolicyCheck, functionName: string, queueArn: string): void => {
  const context = { 'dynamodb:LeadingKeys': undefined, 'ses:FromAddress': undefined };
  for (const action of actions)
    if (!policy.allows(functionName, { action: `sqs:${action}`, resource: queueArn, context }))
      throw new TemplateError(
        `the role of ${functionName} cannot read ${queueArn}: the provided execution role does not have permissions ` +
          `to call ${action} on SQS`,
      );
};
