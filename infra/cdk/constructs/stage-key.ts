/** The stage's customer managed key (`features.customerManagedKey`). */
import { Aws, type RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { physicalName, stagePath, webAclLogGroup } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { arnOf } from './arns.ts';

/** Creates the stage's key. */
export const stageKey = (scope: Construct, config: StageConfig, removalPolicy: RemovalPolicy): Key =>
  new Key(scope, 'Key', {
    alias: physicalName(config),
    description: `Table, queues, logs and alarms of Masthead (${config.name})`,
    enableKeyRotation: true,
    removalPolicy,
  });

/**
 * Lets the key serve the stage through DynamoDB and SQS, so that roles contain only what the contract grants.
 * Everybody else needs a permission in IAM (docs/adr/0028-the-key-serves-the-stage-alone.md).
 */
export const serveStage = (key: IKey, config: StageConfig): void => {
  const use = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];
  // Stages can share a key, and the statements of a policy need different names.
  const ofStage = `Of${physicalName(config).replaceAll('-', '')}`;
  const ofThisAccount = { 'aws:SourceAccount': Aws.ACCOUNT_ID };
  const through = ['dynamodb', 'sqs'].map((service) => `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}`);
  const role = (path: string) => `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role${path}`;
  // Patterns, because KMS refuses a policy whose principal does not exist yet.
  const callers = [
    role(`${stagePath(config)}*`),
    role(`/cdk-${config.bootstrapQualifier}-cfn-exec-role-${Aws.ACCOUNT_ID}-${Aws.REGION}`),
  ];
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: `UseThroughTableAndQueues${ofStage}`,
      principals: [new AnyPrincipal()],
      actions: [...use, 'kms:CreateGrant'],
      resources: ['*'],
      conditions: {
        StringEquals: { 'kms:CallerAccount': Aws.ACCOUNT_ID, 'kms:ViaService': through },
        ArnLike: { 'aws:PrincipalArn': callers },
      },
    }),
  );
  // DynamoDB keeps a grant for the table. Nobody else may create one: it outlives its creator's role (CT.KMS.PR.3).
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'GrantsToServicesOnly',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['kms:CreateGrant'],
      resources: ['*'],
      conditions: { BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' } },
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'EventsIntoQueuesAndAlarmsIntoTheTopic',
      principals: [new ServicePrincipal('events.amazonaws.com'), new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
      conditions: { StringEquals: ofThisAccount },
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: `Logs${ofStage}`,
      principals: [new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
      actions: use,
      resources: ['*'],
      conditions: {
        ArnLike: {
          'kms:EncryptionContext:aws:logs:arn': [
            arnOf('logs', `log-group:${stagePath(config)}*`),
            arnOf('logs', `log-group:${webAclLogGroup(config)}`),
          ],
        },
      },
    }),
  );
};
