/** What Lambda's poller may do with a queue: it reads with the role of the function that it feeds. */
import { TemplateError } from '../cloudformation.ts';
import type { PolicyCheck } from './policy.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html#events-sqs-permissions */
const actions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/** As on AWS, where the mapping of a queue to a function is not made otherwise. @throws TemplateError with AWS's words */
export const checkPoller = (policy: PolicyCheck, functionName: string, queueArn: string): void => {
  const context = { 'dynamodb:LeadingKeys': undefined, 'ses:FromAddress': undefined };
  for (const action of actions)
    if (!policy.allows(functionName, { action: `sqs:${action}`, resource: queueArn, context }))
      throw new TemplateError(
        `the role of ${functionName} cannot read ${queueArn}: the provided execution role does not have permissions ` +
          `to call ${action} on SQS`,
      );
};
