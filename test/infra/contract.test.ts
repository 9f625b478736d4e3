/** The template follows the contract: a function for each line, a route for each endpoint, a trigger for the others. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { groupOf } from '../../infra/cdk/function-groups.ts';
import {
  type BusLine,
  contract,
  type EndpointLine,
  type QueueLine,
  type ScheduleLine,
  versionedLines,
} from '../../shared/contract.ts';
import { arn, queueUrl } from './resolved.ts';
import { ofTable } from './stages.ts';
import { functionName, lines, synthesized } from './synthesized.ts';

const lambda = v.looseObject({
  FunctionName: v.string(),
  Handler: v.string(),
  Runtime: v.string(),
  Architectures: v.array(v.string()),
  MemorySize: v.number(),
  Timeout: v.number(),
  LoggingConfig: v.object({ LogGroup: v.string(), LogFormat: v.string(), SystemLogLevel: v.string() }),
  RecursiveLoop: v.optional(v.string()),
  Environment: v.object({ Variables: v.record(v.string(), v.string()) }),
});
const integration = v.looseObject({ type: v.literal('aws_proxy'), uri: v.string(), credentials: v.string() });
const api = v.looseObject({
  Mode: v.literal('overwrite'),
  Body: v.looseObject({
    paths: v.record(
      v.string(),
      v.record(v.string(), v.looseObject({ 'x-amazon-apigateway-integration': integration })),
    ),
  }),
});
const invokingRole = v.looseObject({
  AssumeRolePolicyDocument: v.object({
    Statement: v.array(v.looseObject({ Principal: v.object({ Service: v.string() }) })),
  }),
  Policies: v.optional(
    v.array(v.object({ PolicyDocument: v.looseObject({ Statement: v.array(v.record(v.string(), v.unknown())) }) })),
    [],
  ),
});
const mapping = v.looseObject({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.number(),
  FunctionResponseTypes: v.array(v.string()),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.number() })),
});
const rule = v.looseObject({
  ScheduleExpression: v.optional(v.string()),
  Targets: v.array(v.looseObject({ Arn: v.string() })),
});

const mailRule = v.looseObject({
  EventBusName: v.optional(v.string()),
  EventPattern: v.optional(v.unknown()),
  Targets: v.array(v.looseObject({ Arn: v.string() })),
});

const templates = synthesized();

const endpoints = lines.filter((line): line is EndpointLine => line.kind === 'endpoint');
const workers = lines.filter((line): line is QueueLine => line.kind === 'queue');
const scheduled = lines.filter((line): line is ScheduleLine => line.kind === 'schedule');
const heard = lines.filter((line): line is BusLine => line.kind === 'bus');
const fallback = lines.find((line) => line.kind === 'fallback');

describe.each(ofTable)('the stage $name', (config) => {
  const stage = config.name;
  const of = <Schema extends v.GenericSchema>(type: string, schema: Schema) => templates.of(stage, type, schema);
  /** Callers invoke the alias of a function whose deployments can be canaries. */
  const targetArn = (line: (typeof lines)[number]) =>
    arn('lambda', `function:${functionName(stage, line)}${line.canary ? ':live' : ''}`);
  const isTarget = (given: string, line: (typeof lines)[number]) =>
    targetArn(line).endsWith(`:function:${given.replace(/^arn:.*:function:/, '')}`);

  it('has exactly one function for each line of the contract', () => {
    const names = of('Lambda::Function', lambda).map(({ properties }) => properties.FunctionName);
    expect(names.sort()).toEqual(contract.map((line) => functionName(stage, line)).sort());
  });

  it.each(lines)('configures $function as its line says, with a bundle of its own', (line) => {
    const [found, ...others] = of('Lambda::Function', lambda).filter(
      ({ properties }) => properties.FunctionName === functionName(stage, line),
    );
    expect(others).toEqual([]);
    expect(found?.properties).toMatchObject({
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: line.memoryMb ?? 512,
      Timeout: line.timeoutSeconds ?? 10,
      LoggingConfig: { LogFormat: 'JSON', LogGroup: `/masthead/${stage}/${groupOf(line)}`, SystemLogLevel: 'WARN' },
    });
    expect(existsSync(join(found?.assetFolder ?? '', 'index.mjs'))).toBe(true);
    expect(functionName(stage, line).length).toBeLessThanOrEqual(64);
  });

  it.each(lines)('passes only its table, settings, queues and the hash of its bundle to $function', (line) => {
    const found = of('Lambda::Function', lambda).find(
      ({ properties }) => properties.FunctionName === functionName(stage, line),
    );
    const { SETTINGS, BASE_URL, ...rest } = found?.properties.Environment.Variables ?? {};
    expect(JSON.parse(SETTINGS ?? '')).toEqual(config.settings);
    expect(BASE_URL).toMatch(stage === 'local' ? /^http:\/\/localhost/ : new RegExp(`^https://.*/${stage}/ghost/api$`));
    expect(rest).toEqual({
      TABLE_NAME: `masthead-${stage}`,
      SERVICE_NAME: `masthead-${stage}`,
      METRICS_NAMESPACE: 'Masthead',
      BUNDLE: expect.stringMatching(/^[0-9a-f]{12}$/),
      ...(line.access.mail && { MAIL_CONFIGURATION_SET: `masthead-${stage}` }),
      ...Object.fromEntries(
        [
          ...(line.access.send ?? []),
          ...(line.access.measure ?? []),
          ...(line.kind === 'queue' ? line.sources.flatMap(({ queue }) => [queue, `${queue}-dead`]) : []),
        ].map((queue) => [
          `QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`,
          queueUrl(`masthead-${stage}-${queue}`),
        ]),
      ),
    });
  });

  it('has a log group with a retention period for each function', () => {
    const groups = of('Logs::LogGroup', v.looseObject({ LogGroupName: v.string(), RetentionInDays: v.number() }));
    for (const line of lines) {
      const group = groups.find(({ properties }) => properties.LogGroupName === `/masthead/${stage}/${groupOf(line)}`);
      expect(group?.properties.RetentionInDays).toBe(config.logRetentionDays);
    }
  });

  it('routes each endpoint’s path to its function, and everything else to the fallback', () => {
    const [found] = of('ApiGateway::RestApi', api);
    const paths = found?.properties.Body.paths ?? {};
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([
          name,
          {
            'x-amazon-apigateway-integration': { uri },
          },
        ]) => ({
          route: `${name === 'x-amazon-apigateway-any-method' ? 'ANY' : name.toUpperCase()} ${path}`,
          target: uri.replace(/^.*\/functions\//, '').replace(/\/invocations$/, ''),
        }),
      ),
    );
    const expected = [...endpoints, ...versionedLines()].flatMap((line) =>
      // A route of GET supports HEAD too.
      (line.method === 'GET' ? ['GET', 'HEAD'] : [line.method]).map((method) => ({
        route: `${method} ${config.basePath}${line.path.replace(/\/$/, '')}`,
        target: targetArn(line),
      })),
    );
    const byRoute = (a: { route: string }, b: { route: string }) => a.route.localeCompare(b.route);
    const [own, rest] = [
      routes.filter(({ route }) => !route.startsWith('ANY ')),
      routes.filter(({ route }) => route.startsWith('ANY ')),
    ];
    expect(own.sort(byRoute)).toEqual(expected.sort(byRoute));

    // A path with a resource of its own is not passed to `/{proxy+}`, and the parts of a path are resources.
    const everywhere = [...new Set(Object.keys(paths).flatMap(withPathsAbove))].map((path) => `ANY ${path}`);
    expect(rest.map(({ route }) => route).sort()).toEqual(everywhere.sort());
    expect(everywhere).toContain('ANY /{proxy+}');
    expect(fallback && rest.every(({ target }) => target === targetArn(fallback))).toBe(true);
  });

  it.each(workers)('connects $function to its queues, with failures reported per message', (line) => {
    const mappings = of('Lambda::EventSourceMapping', mapping)
      .map(({ properties }) => properties)
      .filter(({ FunctionName }) => isTarget(FunctionName, line));
    expect(mappings).toHaveLength(line.sources.length);
    for (const { queue, batchSize, concurrency } of line.sources) {
      const found = mappings.find(({ EventSourceArn }) => EventSourceArn === arn('sqs', `masthead-${stage}-${queue}`));
      const ofStage = config.concurrency[queue];
      expect(found?.BatchSize).toBe(batchSize);
      expect(found?.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(found?.ScalingConfig?.MaximumConcurrency).toBe(ofStage === null ? undefined : (ofStage ?? concurrency));
    }
  });

  it('allows recursive invocations only for the workers that can send to a queue that they read', () => {
    // Lambda would otherwise stop a delivery after 16 rounds through its queue.
    const allowed = of('Lambda::Function', lambda).filter(({ properties }) => properties.RecursiveLoop === 'Allow');
    const expected = workers.filter((line) => line.sources.some(({ queue }) => line.access.send?.includes(queue)));
    expect(allowed.map(({ properties }) => properties.FunctionName).sort()).toEqual(
      expected.map((line) => functionName(stage, line)).sort(),
    );
    expect(expected.map((line) => line.function)).toContain('deliveries/deliver');
  });

  it.each(heard)('sends $function only the SES events of this stage’s mail', (line) => {
    const [found, ...others] = of('Events::Rule', mailRule)
      .map(({ properties }) => properties)
      .filter(({ Targets }) => Targets.some(({ Arn }) => isTarget(Arn, line)));
    expect(others).toEqual([]);
    expect(found?.EventPattern).toEqual({
      source: ['aws.ses'],
      'detail-type': line.detailTypes,
      detail: { mail: { tags: { 'ses:configuration-set': [`masthead-${stage}`] } } },
    });
    // SES supports the default bus only.
    expect(found?.EventBusName).toBeUndefined();
  });

  it('allows API Gateway to invoke the endpoints and the fallback, through one role', () => {
    const roles = of('IAM::Role', invokingRole).filter(({ properties }) =>
      properties.Policies.some(({ PolicyDocument }) =>
        JSON.stringify(PolicyDocument).includes('lambda:InvokeFunction'),
      ),
    );
    const expected = lines.filter(({ kind }) => kind === 'endpoint' || kind === 'fallback').map(targetArn);
    expect(roles.map(({ properties }) => properties.AssumeRolePolicyDocument.Statement[0]?.Principal.Service)).toEqual([
      'apigateway.amazonaws.com',
    ]);
    const documents = roles.flatMap(({ properties }) =>
      properties.Policies.map(({ PolicyDocument }) => PolicyDocument),
    );
    expect(documents.flatMap(({ Statement }) => Statement)).toEqual([
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: expect.any(Array) },
    ]);
    const resources = documents.flatMap(({ Statement }) => Statement.flatMap(({ Resource }) => Resource));
    expect([...resources].sort()).toEqual(expected.sort());
    const [found] = of('ApiGateway::RestApi', api);
    const credentials = Object.values(found?.properties.Body.paths ?? {}).flatMap((methods) =>
      Object.values(methods).map((one) => one['x-amazon-apigateway-integration'].credentials),
    );
    expect([...new Set(credentials)]).toEqual(roles.map(({ id }) => `${id}.Arn`));
    // IAM: 10,240 characters in the inline policies of a role.
    expect(JSON.stringify(documents).length).toBeLessThan(9000);
  });

  it('allows only schedules and mail events to invoke a function directly', () => {
    const permission = v.looseObject({
      FunctionName: v.string(),
      Principal: v.literal('events.amazonaws.com'),
      // Without it, rules of any account could call.
      SourceArn: v.string(),
    });
    const expected = lines.filter(({ kind }) => kind === 'schedule' || kind === 'bus').map(targetArn);
    const granted = of('Lambda::Permission', permission).map(({ properties }) => properties.FunctionName);
    expect([...granted].sort()).toEqual(expected.sort());
  });

  it('runs each scheduled function as often as its line says, never late, and no other function', () => {
    const rules = of('Events::Rule', rule)
      .map(({ properties }) => properties)
      .filter(({ ScheduleExpression }) => ScheduleExpression !== undefined);
    expect(rules).toHaveLength(scheduled.length);
    for (const line of scheduled) {
      const found = rules.find(({ Targets }) => Targets.some(({ Arn }) => isTarget(Arn, line)));
      const minutes = config.everyMinutes[line.function] ?? line.everyMinutes;
      expect(found?.ScheduleExpression).toBe(`rate(${minutes} minute${minutes === 1 ? '' : 's'})`);
      const RetryPolicy = { MaximumEventAgeInSeconds: 60 * minutes, MaximumRetryAttempts: 0 };
      expect(found?.Targets).toMatchObject([{ RetryPolicy }]);
    }
  });

  it('drops a scheduled run that failed or is late, because the next one does its work', () => {
    const invoking = v.looseObject({
      FunctionName: v.string(),
      MaximumRetryAttempts: v.number(),
      MaximumEventAgeInSeconds: v.number(),
    });
    const found = of('Lambda::EventInvokeConfig', invoking).map(({ properties }) => properties);
    expect(scheduled.length).toBeGreaterThan(0);
    for (const line of scheduled)
      expect(found.find((one) => one.FunctionName === functionName(config.name, line))).toMatchObject({
        Qualifier: '$LATEST',
        MaximumRetryAttempts: 0,
        MaximumEventAgeInSeconds: 60 * (config.everyMinutes[line.function] ?? line.everyMinutes),
      });
  });

  it('publishes a new version of a function when the URL of the API changes, which no template has', () => {
    const version = v.looseObject({ FunctionName: v.string(), Description: v.optional(v.string()) });
    const environment = v.looseObject({
      FunctionName: v.string(),
      Environment: v.object({ Variables: v.looseObject({ BASE_URL: v.string() }) }),
    });
    const urls = new Map(
      of('Lambda::Function', environment).map(({ properties }) => [
        properties.FunctionName,
        properties.Environment.Variables.BASE_URL,
      ]),
    );
    const versions = of('Lambda::Version', version).map(({ properties }) => properties);
    expect(versions.map(({ FunctionName }) => FunctionName).sort()).toEqual(
      lines.flatMap((line) => (line.canary ? [functionName(config.name, line)] : [])).sort(),
    );
    // CloudFormation replaces a version whose description changes.
    for (const { FunctionName, Description } of versions) expect(Description).toBe(urls.get(FunctionName));
  });
});

const withPathsAbove = (path: string): string[] => {
  const parts = path.split('/').filter(Boolean);
  return ['/', ...parts.map((_part, index) => `/${parts.slice(0, index + 1).join('/')}`)];
};
