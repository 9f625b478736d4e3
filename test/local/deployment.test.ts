/** The local stack resolves templates as CloudFormation does, and reports unsupported content as an error. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readResources, TemplateError } from '../../infra/emulator/cloudformation.ts';
import { readDeployment } from '../../infra/emulator/deployment.ts';
import { readRoutes } from '../../infra/emulator/gateway/routes.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const resourcesOf = (...templates: object[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-'));
  folders.push(folder);
  for (const [index, template] of templates.entries())
    writeFileSync(join(folder, `${index}.template.json`), JSON.stringify(template));
  return readResources(folder, {
    parameters: { BaseUrl: 'http://localhost/ghost/api' },
    queueUrl: (name) => `http://proxy/000000000000/${name}`,
  });
};

const queue = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'masthead-local-mail' } };
const table = { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'masthead-local' } };

const resolved = (value: unknown, more: object = {}) =>
  resourcesOf({
    Parameters: { BaseUrl: { Type: 'String' } },
    Resources: { Queue: queue, Table: table, It: { Type: 'AWS::X', Properties: { value } } },
    ...more,
  }).find(({ id }) => id === 'It')?.properties;

describe('intrinsic functions', () => {
  test.each([
    ['a queue by its URL at the proxy', { Ref: 'Queue' }, 'http://proxy/000000000000/masthead-local-mail'],
    ['an ARN', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:eu-central-1:000000000000:masthead-local-mail'],
    ['a parameter', { Ref: 'BaseUrl' }, 'http://localhost/ghost/api'],
    ['a pseudo parameter', { Ref: 'AWS::AccountId' }, '000000000000'],
    ['a join', { 'Fn::Join': ['/', ['a', { Ref: 'Table' }]] }, 'a/masthead-local'],
    [
      'a substitution',
      { 'Fn::Sub': `\${Table}-\${Queue.QueueName}-\${!Literal}` },
      `masthead-local-masthead-local-mail-\${Literal}`,
    ],
    ['a selection of a split', { 'Fn::Select': [1, { 'Fn::Split': ['-', { Ref: 'Table' }] }] }, 'local'],
    ['no value', ['a', { Ref: 'AWS::NoValue' }], ['a']],
  ])('resolve %s', (_case, value, expected) => {
    expect(resolved(value)).toEqual({ value: expected });
  });

  test('resolve an export of another stack', () => {
    const data = {
      Resources: { Table: table },
      Outputs: { T: { Value: { Ref: 'Table' }, Export: { Name: 'data:Table' } } },
    };
    const service = {
      Resources: { It: { Type: 'AWS::X', Properties: { value: { 'Fn::ImportValue': 'data:Table' } } } },
    };
    expect(resourcesOf(data, service).find(({ id }) => id === 'It')?.properties).toEqual({ value: 'masthead-local' });
  });

  test.each([
    ['function', { 'Fn::Cidr': ['10.0.0.0/16', 1] }],
    ['attribute', { 'Fn::GetAtt': ['Table', 'StreamArn'] }],
    ['resource', { Ref: 'Nothing' }],
    ['export', { 'Fn::ImportValue': 'other:Thing' }],
  ])('refuse an unknown %s', (_case, value) => {
    expect(() => resolved(value)).toThrow(TemplateError);
  });
});

describe('starting the local stack', () => {
  test('fails for a resource of an unsupported type', () => {
    const resources = resourcesOf({ Resources: { Machine: { Type: 'AWS::StepFunctions::StateMachine' } } });
    expect(() => readDeployment(resources)).toThrow('of Machine is not supported by the local stack');
  });

  test('fails for an unsupported schedule', () => {
    const Properties = {
      ScheduleExpression: 'cron(0 12 * * ? *)',
      Targets: [{ Arn: 'arn:aws:lambda:x:0:function:f' }],
    };
    const resources = resourcesOf({ Resources: { Rule: { Type: 'AWS::Events::Rule', Properties } } });
    expect(() => readDeployment(resources)).toThrow('cron(0 12 * * ? *)');
  });
});

describe('routes', () => {
  const integration = (name: string) => ({
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      uri: `arn:aws:apigateway:x:lambda:path/functions/arn:aws:lambda:x:0:function:${name}:live/invocations`,
    },
  });
  const anyMethod = 'x-amazon-apigateway-any-method';
  const routesOf = (paths: object) =>
    readRoutes(
      resourcesOf({ Resources: { Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Body: { paths } } } } }),
    );
  const find = (verb: string, path: string) =>
    routesOf({
      '/webhooks/{id}': { put: integration('update') },
      '/webhooks': { post: integration('create'), [anyMethod]: integration('fallback') },
      '/{proxy+}': { [anyMethod]: integration('fallback') },
    }).find(verb, path);

  test.each([
    ['POST', '/webhooks', 'create', null],
    ['POST', '/webhooks/', 'create', null],
    ['PATCH', '/webhooks/', 'fallback', null],
    ['PUT', '/webhooks/a%20b/', 'update', { id: 'a b' }],
    ['PUT', '/webhooks/%zz/', 'update', { id: '%zz' }],
    ['GET', '/webhooks/1/2', 'fallback', { proxy: 'webhooks/1/2' }],
    ['GET', '/other', 'fallback', { proxy: 'other' }],
  ])('lead %s %s to %s', (verb, path, functionName, pathParameters) => {
    expect(find(verb, path)).toMatchObject({ functionName, pathParameters });
  });

  test('lead to the greedy proxy if a resource does not have the method', () => {
    expect(find('DELETE', '/webhooks/1')).toMatchObject({ functionName: 'fallback', resource: '/{proxy+}' });
  });

  test('do not include the root', () => {
    expect(find('GET', '/')).toBeUndefined();
  });

  test('are refused if anything but a function is behind a method', () => {
    const uri = 'arn:aws:apigateway:x:s3:path/bucket/key';
    const paths = { '/': { get: { 'x-amazon-apigateway-integration': { type: 'aws_proxy', uri } } } };
    expect(() => routesOf(paths)).toThrow('must be of a function');
  });
});
