/** The stack `network`: a VPC whose NAT gateways give deliveries fixed addresses. Table and queues have endpoints. */
import { CfnOutput, Fn, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { StringListParameter, StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { networkParameter, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

interface NetworkStackProps extends StackProps {
  readonly config: StageConfig;
  readonly natGateways: number;
}

export class NetworkStack extends Stack {
  readonly addresses: readonly string[];

  constructor(scope: Construct, id: string, { config, natGateways, ...props }: NetworkStackProps) {
    super(scope, id, { ...props, stackName: physicalName(config, id), terminationProtection: config.retain });
    const addresses = Array.from({ length: natGateways }, (_, index) => {
      const address = new ec2.CfnEIP(this, `Address${index}`, { domain: 'vpc' });
      // Receivers have them on their allow-lists.
      if (config.retain) address.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
      return address;
    });
    const vpc = new ec2.Vpc(this, 'Vpc', {
      maxAzs: natGateways,
      natGateways,
      // Nothing uses the default group, and the CDK would need one more function to empty it.
      restrictDefaultSecurityGroup: false,
      natGatewayProvider: ec2.NatProvider.gateway({
        eipAllocationIds: addresses.map(({ attrAllocationId }) => attrAllocationId),
      }),
      subnetConfiguration: [
        { name: 'public', subnetType: ec2.SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
        { name: 'deliveries', subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 22 },
      ],
    });
    // The CDK's types do not support exactOptionalPropertyTypes.
    const inVpc = { vpc: vpc as ec2.IVpc };
    vpc.addGatewayEndpoint('Table', { service: ec2.GatewayVpcEndpointAwsService.DYNAMODB });
    const ofFunction = new ec2.SecurityGroup(this, 'OfFunction', { ...inVpc, description: 'Deliveries: no way in' });
    const ofQueues = new ec2.SecurityGroup(this, 'OfQueues', {
      ...inVpc,
      description: 'Queues, for deliveries only',
      allowAllOutbound: false,
    });
    ofQueues.addIngressRule(ofFunction, ec2.Port.tcp(443));
    vpc.addInterfaceEndpoint('Queues', {
      service: ec2.InterfaceVpcEndpointAwsService.SQS,
      securityGroups: [ofQueues],
      open: false,
    });
    Validations.of(vpc).acknowledge({
      id: 'AwsSolutions::AwsSolutions-VPC7',
      reason:
        'One function sends from it, and the log of deliveries has every connection. ' +
        'Flow logs would cost more than they tell.',
    });

    this.addresses = addresses.map(({ attrPublicIp }) => attrPublicIp);
    const all = Fn.join(',', [...this.addresses]);
    // The functions' stacks read them, because an export in use cannot change.
    new StringListParameter(this, 'Subnets', {
      parameterName: networkParameter(config, 'subnets'),
      stringListValue: vpc.privateSubnets.map(({ subnetId }) => subnetId),
    });
    new StringParameter(this, 'SecurityGroup', {
      parameterName: networkParameter(config, 'security-group'),
      stringValue: ofFunction.securityGroupId,
    });
    new StringParameter(this, 'Addresses', {
      parameterName: networkParameter(config, 'addresses'),
      stringValue: all,
    });
    new CfnOutput(this, 'EgressAddresses', {
      description: 'The addresses from which deliveries come',
      value: all,
    });
  }
}
