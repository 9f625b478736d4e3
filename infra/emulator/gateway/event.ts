/** Converts an HTTP request to the event of API Gateway's REST proxy integration. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { accountId } from '../account.ts';
import type { Match } from './routes.ts';

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

export interface ProxyRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null if it is empty; text, because the API has no binary media types. */
  readonly body: string | null;
  readonly sourceIp: string;
}

/** Returns the event of a request over HTTP, with the headers that API Gateway adds. */
export const proxyEvent = (
  request: IncomingMessage,
  body: Buffer,
  route: Match,
  stage: string,
): APIGatewayProxyEvent => {
  const sourceIp = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  const headers = readHeaders(request.rawHeaders);
  headers.push(['X-Forwarded-For', sourceIp], ['X-Forwarded-Proto', 'http'], ['X-Amzn-Trace-Id', traceId()]);
  const { method = 'GET', url = '/' } = request;
  return eventOf({ method, url, headers, body: body.toString('utf8') || null, sourceIp }, route, stage);
};

/** Returns the event of a request. */
export const eventOf = (
  { method, url, headers, body, sourceIp }: ProxyRequest,
  { resource, pathParameters }: Pick<Match, 'resource' | 'pathParameters'>,
  stage: string,
): APIGatewayProxyEvent => {
  const [path = '/', query = ''] = url.split(/\?(.*)/s, 2);
  const requestId = randomUUID();
  const parameters = [...new URLSearchParams(query)];
  const header = (name: string) => headers.findLast(([found]) => found.toLowerCase() === name)?.[1];
  return {
    resource,
    path,
    httpMethod: method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    queryStringParameters: parameters.length === 0 ? null : Object.fromEntries(parameters),
    multiValueQueryStringParameters: parameters.length === 0 ? null : grouped(parameters),
    pathParameters,
    stageVariables: null,
    body,
    isBase64Encoded: false,
    requestContext: {
      accountId,
      apiId: 'local',
      authorizer: null,
      domainName: header('host') ?? 'localhost',
      extendedRequestId: requestId,
      httpMethod: method,
      identity: { ...noIdentity, sourceIp, userAgent: header('user-agent') ?? null },
      path,
      protocol: 'HTTP/1.1',
      requestId,
      requestTimeEpoch: Date.now(),
      resourceId: resource,
      resourcePath: resource,
      stage,
    },
  };
};

/** Returns the headers with names in the client's casing, as API Gateway does. */
const readHeaders = (raw: readonly string[]): [string, string][] => {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) headers.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return headers;
};

const grouped = (pairs: readonly (readonly [string, string])[]): Record<string, string[]> =>
  // A map, because plain objects already have names such as `constructor` and `__proto__`.
  Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, group]) => [name, group.map(([, value]) => value)]),
  );

/** https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader */
const traceId = (): string => {
  const time = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${time}-${randomUUID().replaceAll('-', '').slice(0, 24)}`;
};
