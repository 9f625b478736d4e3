/** What a stage must never lose: the table, the queues, and their logical ids in CloudFormation. */
import { rmSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Masthead } from '../../infra/cdk/masthead.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { queueNames, tableIndexes } from '../../shared/contract.ts';
import { accountId, arn, queueUrl, readTemplates, region } from './resolved.ts';
import { allows, policyDocument } from './resource-policy.ts';
import { emptyBundles, everything, ofTable } from './stages.ts';
import { lines, synthesized } from './synthesized.ts';

const configs = [...ofTable, everything];
const templates = synthesized();

const table = v.looseObject({
  TableName: v.string(),
  BillingMode: v.string(),
  DeletionProtectionEnabled: v.optional(v.boolean(), false),
  PointInTimeRecoverySpecification: v.object({ PointInTimeRecoveryEnabled: v.boolean() }),
  SSESpecification: v.optional(v.object({ SSEType: v.string() })),
});
const queue = v.looseObject({
  QueueName: v.string(),
  VisibilityTimeout: v.optional(v.number()),
  MessageRetentionPeriod: v.number(),
  ReceiveMessageWaitTimeSeconds: v.optional(v.number()),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
  RedriveAllowPolicy: v.optional(v.object({ redrivePermission: v.string(), sourceQueueArns: v.array(v.string()) })),
  SqsManagedSseEnabled: v.optional(v.boolean()),
  KmsMasterKeyId: v.optional(v.unknown()),
});
const queuePolicy = v.looseObject({
  Queues: v.array(v.string()),
  PolicyDocument: v.object({ Statement: v.array(v.looseObject({ Effect: v.string(), Condition: v.unknown() })) }),
});

describe.each(configs)('the stage $name', (config) => {
  const stage = config.name;
  const of = <Schema extends v.GenericSchema>(type: string, schema: Schema) => templates.of(stage, type, schema);

  it('keeps the logical ids of its stateful resources', () => {
    // A changed id makes a new, empty table or queue on AWS: the old one would be deleted, or left with its content.
    const stateful = templates
      .all(stage)
      .filter(({ type }) => ['DynamoDB::Table', 'SQS::Queue', 'KMS::Key', 'Events::EventBus'].includes(type))
      .map(({ id, type, stack }) => `${stack} ${type} ${id}`);
    expect(stateful.sort()).toEqual(
      [
        'data DynamoDB::Table TableCD117FA1',
        'data SQS::Queue mailQueueDDF3950A',
        'data SQS::Queue mailDeadEE5D4A16',
        'data SQS::Queue eventsQueue1D73A0DB',
        'data SQS::Queue eventsDeadD5ABF411',
        'data SQS::Queue deliveriesQueue58BEB60A',
        'data SQS::Queue deliveriesDeadCDE1D9CC',
        'data SQS::Queue slowdeliveriesQueue47476311',
        'data SQS::Queue slowdeliveriesDead565A5F66',
        'data SQS::Queue replaysQueue21E5AB7A',
        'data SQS::Queue replaysDead6CE97D6F',
        'data SQS::Queue deletionsQueue9AC7C72B',
        'data SQS::Queue deletionsDeadFE91E8F9',
        'data Events::EventBus Bus95A03305',
        ...(config.features.customerManagedKey ? ['data KMS::Key Key961B73FD'] : []),
      ].sort(),
    );
  });

  it(`${config.retain ? 'keeps' : 'deletes'} table, queues and logs when deleted, and deletes failed ones`, () => {
    const kept = ['DynamoDB::Table', 'SQS::Queue', 'KMS::Key', 'Logs::LogGroup'];
    const policies = templates.all(stage).filter(({ type }) => kept.includes(type));
    expect(policies.length).toBeGreaterThan(1 + 2 * queueNames.length + 3);
    // A new resource that a rollback kept would collide with its own fixed name at the next attempt.
    expect([...new Set(policies.map((one) => `${one.deletionPolicy} ${one.updateReplacePolicy}`))]).toEqual([
      config.retain ? 'RetainExceptOnCreate Retain' : 'Delete Delete',
    ]);
    expect(of('DynamoDB::Table', table)[0]?.properties.DeletionProtectionEnabled).toBe(config.retain);
  });

  it('exports neither the table nor the queues, so that a restored table can replace a lost one', () => {
    const key = config.features.customerManagedKey ? ['data {"Fn::GetAtt":["Key961B73FD","Arn"]}'] : [];
    expect(templates.exports(stage)).toEqual(key);
  });

  it('allows only AWS services to use its key', () => {
    const policy = v.looseObject({
      KeyPolicy: v.object({ Statement: v.array(v.looseObject({ Effect: v.string() })) }),
    });
    const denial = {
      Action: 'kms:CreateGrant',
      Principal: { AWS: '*' },
      Resource: '*',
      Condition: { BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' } },
    };
    const keys = of('KMS::Key', policy).map(({ properties }) => properties.KeyPolicy.Statement);
    expect(keys.map((statements) => statements.filter(({ Effect }) => Effect === 'Deny'))).toMatchObject(
      config.features.customerManagedKey ? [[denial]] : [],
    );
  });

  it('lets only its functions and deployments use its key, so that a permission for the table is not enough', () => {
    const keyPolicy = v.looseObject({ KeyPolicy: policyDocument });
    const role = v.looseObject({
      Path: v.optional(v.string(), '/'),
      AssumeRolePolicyDocument: v.object({ Statement: v.array(v.looseObject({ Principal: v.unknown() })) }),
    });
    const nameOf = (path: string, id: string) => `arn:aws:iam::${accountId}:role${path}masthead-${id}`;
    const roles = of('IAM::Role', role);
    const isOfFunction = ({ properties }: (typeof roles)[number]) =>
      JSON.stringify(properties.AssumeRolePolicyDocument.Statement[0]?.Principal) ===
      '{"Service":"lambda.amazonaws.com"}';
    const served = roles.filter(isOfFunction).map(({ id, properties }) => nameOf(properties.Path, id));
    expect(served).toHaveLength(lines.length);
    const deployment = `cdk-${config.bootstrapQualifier}-cfn-exec-role-${accountId}-${region}`;
    served.push(`arn:aws:iam::${accountId}:role/${deployment}`);
    const others = [
      ...roles.filter((one) => !isOfFunction(one)).map(({ id, properties }) => nameOf(properties.Path, id)),
      `arn:aws:iam::${accountId}:user/reader`,
      `arn:aws:iam::${accountId}:role/aws-reserved/sso.amazonaws.com/${region}/AWSReservedSSO_ReadOnly_1`,
      `arn:aws:iam::${accountId}:role/masthead/another-${stage}/masthead-1`,
    ];
    const isAllowed = (policy: v.InferOutput<typeof policyDocument>, principal: string, via: string) =>
      allows(policy, {
        service: 'none',
        action: 'kms:Decrypt',
        resource: '*',
        context: {
          'aws:PrincipalArn': principal,
          'kms:CallerAccount': accountId,
          'kms:ViaService': `${via}.${region}.amazonaws.com`,
        },
      });
    for (const { properties } of of('KMS::Key', keyPolicy)) {
      for (const service of ['dynamodb', 'sqs']) {
        expect(served.filter((principal) => !isAllowed(properties.KeyPolicy, principal, service))).toEqual([]);
        expect(others.filter((principal) => isAllowed(properties.KeyPolicy, principal, service))).toEqual([]);
      }
      // An encrypted queue or topic takes nothing from a service that cannot use the key.
      const isServed = (service: string, source: string) => {
        const context = { 'aws:SourceAccount': source };
        return allows(properties.KeyPolicy, { service, action: 'kms:GenerateDataKey', resource: '*', context });
      };
      expect(isServed('events.amazonaws.com', accountId)).toBe(true);
      expect(isServed('cloudwatch.amazonaws.com', accountId)).toBe(true);
      expect(isServed('cloudwatch.amazonaws.com', '999999999999')).toBe(false);
      // Operators get the permission from their own IAM policies.
      expect(properties.KeyPolicy.Statement[0]).toMatchObject({
        Effect: 'Allow',
        Principal: { AWS: [`arn:aws:iam::${accountId}:root`] },
        Action: ['kms:*'],
        Condition: {},
      });
    }
  });

  it('can restore its table to any second of the past weeks', () => {
    expect(of('DynamoDB::Table', table).map(({ properties }) => properties)).toMatchObject([
      {
        TableName: `masthead-${stage}`,
        BillingMode: 'PAY_PER_REQUEST',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: tableIndexes.map((IndexName) => ({
          IndexName,
          Projection: { ProjectionType: 'KEYS_ONLY' },
        })),
      },
    ]);
  });

  it('has the warm throughput that the stage configures, or leaves it to DynamoDB', () => {
    const warm = v.looseObject({
      WarmThroughput: v.optional(v.unknown()),
      GlobalSecondaryIndexes: v.array(v.looseObject({ WarmThroughput: v.optional(v.unknown()) })),
    });
    const [found] = of('DynamoDB::Table', warm);
    const { readsPerSecond, writesPerSecond } = config.warmThroughput ?? {};
    const expected = config.warmThroughput && {
      ReadUnitsPerSecond: readsPerSecond,
      WriteUnitsPerSecond: writesPerSecond,
    };
    expect(found?.properties.WarmThroughput).toEqual(expected);
    expect(found?.properties.GlobalSecondaryIndexes.map(({ WarmThroughput }) => WarmThroughput)).toEqual(
      tableIndexes.map(() => expected),
    );
  });

  it('has queues with six times the function’s timeout, six hours of receives, and longer-kept dead letters', () => {
    const queues = new Map(of('SQS::Queue', queue).map(({ properties }) => [properties.QueueName, properties]));
    const sources = lines.flatMap((line) =>
      line.kind === 'queue' ? line.sources.map((source) => ({ ...source, timeout: line.timeoutSeconds ?? 10 })) : [],
    );
    expect(queues.size).toBe(2 * sources.length);
    for (const source of sources) {
      const name = `masthead-${stage}-${source.queue}`;
      const [own, dead] = [queues.get(name), queues.get(`${name}-dead`)];
      expect(own?.VisibilityTimeout).toBe(6 * source.timeout);
      expect(own?.ReceiveMessageWaitTimeSeconds).toBe(20);
      expect(own?.RedrivePolicy?.deadLetterTargetArn).toBe(arn('sqs', `${name}-dead`));
      const receives = own?.RedrivePolicy?.maxReceiveCount ?? 0;
      // Throttled invocations count as receives too.
      expect(receives * (own?.VisibilityTimeout ?? 0)).toBeGreaterThanOrEqual(2 * 6 * 3600);
      expect(receives).toBeLessThanOrEqual(1000);
      expect(dead?.RedrivePolicy).toBeUndefined();
      expect(dead?.RedriveAllowPolicy).toEqual({
        redrivePermission: 'byQueue',
        sourceQueueArns: [arn('sqs', name)],
      });
      expect(dead?.MessageRetentionPeriod).toBeGreaterThan(own?.MessageRetentionPeriod ?? 0);
    }
  });

  it('refuses access to a queue without TLS', () => {
    const policies = of('SQS::QueuePolicy', queuePolicy).map(({ properties }) => properties);
    const guarded = policies
      .filter(({ PolicyDocument }) =>
        PolicyDocument.Statement.some(
          ({ Effect, Action, Principal, Condition }) =>
            Effect === 'Deny' &&
            Action === 'sqs:*' &&
            JSON.stringify(Principal) === '{"AWS":"*"}' &&
            JSON.stringify(Condition) === '{"Bool":{"aws:SecureTransport":"false"}}',
        ),
      )
      .flatMap(({ Queues }) => Queues);
    const urls = of('SQS::Queue', queue).map(({ properties }) => queueUrl(properties.QueueName));
    expect(guarded.sort()).toEqual(urls.sort());
  });

  it('encrypts the table and the queues, with a customer managed key if one is configured', () => {
    const own = config.features.customerManagedKey;
    expect(of('DynamoDB::Table', table)[0]?.properties.SSESpecification?.SSEType).toBe(own ? 'KMS' : undefined);
    for (const { properties } of of('SQS::Queue', queue)) {
      expect(own ? properties.KmsMasterKeyId !== undefined : properties.SqsManagedSseEnabled).toBe(true);
    }
  });
});

describe('a stage that was switched to a restored table', () => {
  const bundles = emptyBundles();
  const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
  new Masthead(app, 'restored', { ...stages.prod, tableName: 'masthead-prod-2026-11-22', bundles });
  const resources = readTemplates(app.synth().directory, 'restored');
  bundles.remove();
  rmSync(app.outdir, { recursive: true, force: true });

  it('uses the restored table in every function and grant, and keeps its original table', () => {
    const functions = JSON.stringify(resources.filter(({ type }) => /^(Lambda|IAM)::/.test(type)));
    expect(functions).toContain('"TABLE_NAME":"masthead-prod-2026-11-22"');
    expect(functions).toContain(arn('dynamodb', 'table/masthead-prod-2026-11-22'));
    expect(functions).not.toMatch(/table\/masthead-restored|"TABLE_NAME":"masthead-restored"/);
    expect(resources.find(({ type }) => type === 'DynamoDB::Table')?.properties.TableName).toBe('masthead-restored');
  });
});
