/** What happens to the data of a stage when its stack is deleted. */
import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfig } from '../stage.ts';

/**
 * Returns the policy for resources with data. Even with `retain`, a resource is deleted if its creation is rolled back: it is empty, and its fixed
 * name would block the next attempt. https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export const removalPolicyOf = (config: StageConfig): RemovalPolicy =>
  config.retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
