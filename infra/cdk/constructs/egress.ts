/** Where deliveries come from: the sending function's subnets and its addresses, as a function's stack sees them. */
import { CfnParameter, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { ContractLine } from '../../../shared/contract.ts';
import { networkParameter, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { arnOf } from './arns.ts';

export interface Egress {
  readonly addresses: string;
  /** Where the function that posts to receivers runs; undefined in a stack without it. */
  readonly network: { readonly subnetIds: string[]; readonly securityGroupIds: string[] } | undefined;
}

/** Returns the egress of a stage with fixed addresses for the stack with these functions; undefined for others. */
export const egressOf = (stack: Stack, config: StageConfig, lines: readonly ContractLine[]): Egress | undefined => {
  const { egress } = config;
  if (egress === undefined) return undefined;
  const isInside = lines.some(({ reachesReceivers }) => reachesReceivers === true);
  if ('subnetIds' in egress) return { addresses: egress.addresses.join(','), network: isInside ? egress : undefined };
  const parameter = (id: string, name: Parameters<typeof networkParameter>[1], type: string) =>
    new CfnParameter(stack, id, {
      type: `AWS::SSM::Parameter::Value<${type}>`,
      default: networkParameter(config, name),
    });
  return {
    addresses: parameter('EgressAddresses', 'addresses', 'String').valueAsString,
    network: isInside
      ? {
          subnetIds: parameter('EgressSubnets', 'subnets', 'List<AWS::EC2::Subnet::Id>').valueAsList,
          securityGroupIds: [
            parameter('EgressSecurityGroup', 'security-group', 'AWS::EC2::SecurityGroup::Id').valueAsString,
          ],
        }
      : undefined,
  };
};

const networkActions = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * Returns what Lambda needs to connect a function to a VPC, which the code of the function itself may not use:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 */
export const networkStatements = (config: StageConfig, name: string): iam.PolicyStatement[] => [
  new iam.PolicyStatement({ actions: networkActions, resources: ['*'] }),
  new iam.PolicyStatement({
    effect: iam.Effect.DENY,
    actions: networkActions,
    resources: ['*'],
    conditions: {
      ArnEquals: { 'lambda:SourceFunctionArn': arnOf('lambda', `function:${physicalName(config, name)}`) },
    },
  }),
];
