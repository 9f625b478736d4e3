/** What happens to the data of a stage, and to what it shares with the account, when its stack is deleted. */
import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfig } from '../stage.ts';

/**
 * Returns the policy for resources with data. Even `retain` deletes after a failed creation, whose name would block the
 * next: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export const removalPolicyOf = (config: StageConfig): RemovalPolicy =>
  config.retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/**
 * The policy for resources that an account has only once: they stay when a stage is deleted, as others may use them.
 * Before you deploy such a stage again, set the resource's setting to `existing`.
 */
export const keptForTheAccount = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
