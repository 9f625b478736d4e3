/** A stage with what a team already has: a KMS key, an on-call topic and a permissions boundary; and a stack of the team that uses its outputs. */
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Masthead } from 'masthead';

const account = '111111111111';
const region = 'eu-central-1';
const prod = new Stage(new App(), 'Prod', { env: { account, region } });

const base = new Stack(prod, 'Base');
const encryptionKey = new Key(base, 'Key', { enableKeyRotation: true });
const pager = new Topic(base, 'Pager', { topicName: 'pager', masterKey: encryptionKey });

const masthead = new Masthead(prod, 'Webhooks', {
  publication: { name: 'Field Notes', url: 'https://fieldnotes.press' },
  mail: { from: 'desk@fieldnotes.press', perSecond: 14, perDay: 50_000 },
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
