/** Converts an HTTP request to the event of API Gateway's REST proxy integration. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { accountId } from '../account.ts';
import type { Match } from './routes.ts';

const nobody = {
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

/** Returns the event; the body is text, because the API has no binary media types. */
export const proxyEvent = (
  request: IncomingMessage,
  body: Buffer,
  route: Match,
  stage: string,
): APIGatewayProxyEvent => {
  const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s, 2);
  const sourceIp = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  const requestId = randomUUID();
  const headers = readHeaders(request.rawHeaders);
  headers.push(['X-Forwarded-For', sourceIp], ['X-Forwarded-Proto', 'http'], ['X-Amzn-Trace-Id', traceId()]);
  const parameters = [...new URLSearchParams(query)];
  return {
    resource: route.resource,
    path,
    httpMethod: request.method ?? 'GET',
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    queryStringParameters: parameters.length === 0 ? null : Object.fromEntries(parameters),
    multiValueQueryStringParameters: parameters.length === 0 ? null : grouped(parameters),
    pathParameters: route.pathParameters,
    stageVariables: null,
    body: body.length === 0 ? null : body.toString('utf8'),
    isBase64Encoded: false,
    requestContext: {
      accountId,
      apiId: 'local',
      authorizer: null,
      domainName: request.headers.host ?? 'localhost',
      extendedRequestId: requestId,
      httpMethod: request.method ?? 'GET',
      identity: { ...nobody, sourceIp, userAgent: request.headers['user-agent'] ?? null },
      path,
      protocol: 'HTTP/1.1',
      requestId,
      requestTimeEpoch: Date.now(),
      resourceId: route.resource,
      resourcePath: route.resource,
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

const grouped = (pairs: readonly (readonly [string, string])[]): Record<string, string[]> => {
  // A map, because every plain object has names such as `constructor` and `__proto__`.
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return Object.fromEntries(groups);
};

/** https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader */
const traceId = (): string => {
  const time = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${time}-${randomUUID().replaceAll('-', '').slice(0, 24)}`;
};
