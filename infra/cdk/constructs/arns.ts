/** ARNs and URLs of resources in the account and region of a stack, by their names. */
import { Aws } from 'aws-cdk-lib';
import type { DeadQueueName, QueueName } from '../../../shared/contract.ts';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

/** Returns an ARN: `arnOf('sqs', 'masthead-dev-mail')`. */
export const arnOf = (service: string, resource: string): string =>
  `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;

/** Returns the URL of a queue (SQS Developer Guide, "Queue and message identifiers"). */
export const queueUrl = (config: StageConfig, name: QueueName | DeadQueueName): string =>
  `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${physicalName(config, name)}`;
