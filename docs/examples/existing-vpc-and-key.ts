/** A stage with what a team has: VPC, KMS key, on-call topic, permissions boundary; a stack uses its outputs. */
import { App, Stack, Stage } from 'aws-cdk-lib';
import { SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Masthead } from 'masthead';

const account = '123456789012';
const region = 'eu-central-1';
const prod = new Stage(new App(), 'Prod', { env: { account, region } });

const base = new Stack(prod, 'Base');
const vpc = Vpc.fromLookup(base, 'Vpc', { vpcName: 'team' });
const deliveries = new SecurityGroup(base, 'Deliveries', { vpc, description: 'Deliveries of webhooks, no way in' });
const encryptionKey = new Key(base, 'Key', { enableKeyRotation: true });
const pager = new Topic(base, 'Pager', { topicName: 'pager', masterKey: encryptionKey });
for (const service of ['cloudwatch', 'events']) pager.grantPublish(new ServicePrincipal(`${service}.amazonaws.com`));

const masthead = new Masthead(prod, 'Webhooks', {
  publication: { name: 'Field Notes', url: 'https://fieldnotes.press' },
  mail: { from: 'desk@fieldnotes.press', perSecond: 14, perDay: 50_000 },
  egress: {
    subnetIds: vpc.privateSubnets.map(({ subnetId }) => subnetId),
    securityGroupIds: [deliveries.securityGroupId],
    // Those of the VPC's NAT gateways
    addresses: ['203.0.113.7', '203.0.113.8'],
  },
  encryptionKey,
  alarmTargets: [{ topicArn: pager.topicArn, severities: 'urgent' }],
  features: { alarms: true },
  permissionsBoundary: `arn:aws:iam::${account}:policy/team-boundary`,
  tags: { 'cost-center': '4711' },
  logRetentionDays: 90,
  retain: true,
});

const site = new Stack(prod, 'Site');
new StringParameter(site, 'WebhooksUrl', { stringValue: masthead.url });
