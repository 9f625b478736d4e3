/** The state of the resources of stacks, as CloudFormation reports it. */
import {
  type CloudFormationClient,
  DescribeStackResourcesCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';

export interface ResourceState {
  readonly stack: string;
  readonly id: string;
  readonly type: string;
  /** Such as `CREATE_COMPLETE`. */
  readonly state: string;
}

/** Returns the resources of all stacks that are not deleted. */
export const resourceStates = async (client: CloudFormationClient): Promise<readonly ResourceState[]> => {
  const { StackSummaries = [] } = await client.send(new ListStacksCommand());
  const stacks = StackSummaries.filter(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
  const states = stacks.map(async ({ StackName = '' }) => {
    const { StackResources = [] } = await client.send(new DescribeStackResourcesCommand({ StackName }));
    // Those whose condition is false have no type.
    return StackResources.filter(({ ResourceType }) => ResourceType).map(
      ({ LogicalResourceId = '', ResourceType = '', ResourceStatus = '' }) => ({
        stack: StackName,
        id: LogicalResourceId,
        type: ResourceType,
        state: ResourceStatus,
      }),
    );
  });
  return (await Promise.all(states)).flat();
};
