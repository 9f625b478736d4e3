/**
 * The REST API as one OpenAPI document with API Gateway's extensions: the contract's paths, and the fallback function
 * for everything else. As one document it is one resource of its stack, not one for each path and method.
 */
import { Aws, Size } from 'aws-cdk-lib';
import {
  type ContractLine,
  contract,
  type EndpointLine,
  endpointLines,
  versionedLines,
} from '../../../shared/contract.ts';
import { currentApiVersion } from '../../../shared/foundation/api-version.ts';
import { liveAlias, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { arnOf } from './arns.ts';
import { gatewayResponses } from './gateway-responses.ts';

/** For the documentation page and its document. The functions return text, so no binary media type is needed. */
export const minCompressionSize = Size.kibibytes(32);

type PathItem = Record<string, object>;

/** Returns the path of a line's resource: `/ghost/api/admin/webhooks/{id}`, with or without a slash in the request. */
export const resourcePath = (config: StageConfig, line: EndpointLine): string =>
  `${config.basePath}/${line.path.replace(/^\/|\/$/g, '')}`;

/** The functions that the API invokes. */
export const apiLines = (): readonly ContractLine[] =>
  contract.filter(({ kind }) => kind === 'endpoint' || kind === 'fallback');

/** Returns the ARN that callers invoke: the alias, if deployments of the function shift it. */
export const invokedArn = (config: StageConfig, line: ContractLine): string =>
  arnOf('lambda', `function:${physicalName(config, line.function)}${line.canary ? `:${liveAlias}` : ''}`);

/**
 * Returns the document. API Gateway's extensions:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 * @param invokingRole ARN of the role as which API Gateway invokes the functions
 */
export const apiDefinition = (config: StageConfig, invokingRole: string): object => ({
  openapi: '3.0.1',
  info: { title: physicalName(config), version: currentApiVersion },
  paths: pathsOf(config, invokingRole),
  'x-amazon-apigateway-gateway-responses': gatewayResponses(config),
  // As properties of the resource they are not changed by an update that brings a document.
  'x-amazon-apigateway-minimum-compression-size': minCompressionSize.toBytes(),
  ...(config.domain && { 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } }),
});

const pathsOf = (config: StageConfig, invokingRole: string): Record<string, PathItem> => {
  const paths: Record<string, PathItem> = { '/': {}, '/{proxy+}': {} };
  for (const line of [...endpointLines(), ...versionedLines()]) {
    const path = resourcePath(config, line);
    for (const above of pathsAbove(path)) paths[above] ??= {};
    const operation = operationOf(config, line, path, invokingRole);
    // A GET endpoint also answers HEAD (RFC 9110, 9.3.2).
    paths[path] = {
      ...paths[path],
      [line.method.toLowerCase()]: operation,
      ...(line.method === 'GET' && { head: operation }),
    };
  }
  const [fallback] = contract.filter(({ kind }) => kind === 'fallback');
  if (fallback === undefined) return paths;
  // Each resource needs it: a path with a resource and without the method is not passed to `/{proxy+}`.
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      { ...methods, 'x-amazon-apigateway-any-method': operationOf(config, fallback, path, invokingRole) },
    ]),
  );
};

/** `/a` and `/a/b` for `/a/b/c`. */
const pathsAbove = (path: string): string[] =>
  path
    .split('/')
    .slice(2)
    .map((_segment, index) =>
      path
        .split('/')
        .slice(0, index + 2)
        .join('/'),
    );

const operationOf = (config: StageConfig, line: ContractLine, path: string, invokingRole: string): object => {
  const parameters = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    ...(parameters.length > 0 && { parameters }),
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${invokedArn(config, line)}/invocations`,
      credentials: invokingRole,
      passthroughBehavior: 'when_no_match',
    },
  };
};
