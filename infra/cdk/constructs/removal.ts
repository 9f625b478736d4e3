/** What happens to the data of a stage when its stack is deleted. */
import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfig } from '../stage.ts';

/**
 * Returns the policy for resources with data. Also with `retain`, a resource whose creation is rolled back is deleted: it is empty, and at
 * the next try its fixed name would be taken. https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export const removalPolicyOf = (config: StageConfig): RemovalPolicy =>
  config.retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
