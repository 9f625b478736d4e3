/** What happens to the data of a stage, and to what it shares with the account, when its stack is deleted. */
import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfig } from '../stage.ts';

/**
 * Returns the policy for resources with data. Even with `retain`, a resource is deleted if its creation is rolled back: it is empty, and its fixed
 * name would block the next attempt. https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export const removalPolicyOf = (config: StageConfig): RemovalPolicy =>
  config.retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/**
 * The policy for resources that an account has only once. Other stages and applications may use them, so they stay when a stage is deleted. Before
 * such a stage is deployed again, set the resource's setting to `existing`.
 */
export const keptForTheAccount = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
