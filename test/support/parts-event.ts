/** Events as AWS sends them to a function: from API Gateway (REST, proxy) and from an SQS event source. */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context, SQSRecord } from 'aws-lambda';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import { eventOf } from '../../infra/emulator/gateway/event.ts';
import { cookieName } from '../../shared/http/cookie.ts';

export interface TestRequest {
  readonly method?: string;
  /** Below the base URL, such as `/admin/webhooks/?limit=1`. */
  readonly path: string;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** An Admin API key, `id:secret`, which signs a fresh token for the request. */
  readonly key?: string;
  /** The value of a session's cookie; the request is of the API's own origin. */
  readonly cookie?: string;
  /** The address that it comes from. Default: loopback. */
  readonly sourceIp?: string;
}

/** Returns the headers that a browser sends for a page of this origin in a session. */
export const cookieHeaders = (cookie: string, origin: string): Record<string, string> => ({
  Cookie: `${cookieName}=${cookie}`,
  Origin: origin,
});

/** Returns the event of a REST API's proxy integration; `resource` is the path in the contract, with its braces. */
export const apiEvent = (request: TestRequest, resource: string, basePath: string): APIGatewayProxyEvent => {
  const url = new URL(request.path, 'http://localhost');
  const json = request.body !== undefined && typeof request.body !== 'string';
  const headers: Record<string, string> = {
    Host: 'localhost',
    'User-Agent': 'test',
    ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(request.key === undefined ? {} : { Authorization: `Ghost ${adminToken(request.key)}` }),
    ...(request.cookie !== undefined && cookieHeaders(request.cookie, 'http://localhost')),
    ...request.headers,
  };
  const body = request.body === undefined ? null : json ? JSON.stringify(request.body) : String(request.body);
  return eventOf(
    {
      method: request.method ?? 'GET',
      url: `${basePath}${url.pathname}${url.search}`,
      headers: Object.entries(headers),
      body,
      sourceIp: request.sourceIp ?? '127.0.0.1',
    },
    { resource: `${basePath}${resource}`.replace(/\/$/, ''), pathParameters: parameters(resource, url.pathname) },
    'test',
  );
};

const parameters = (resource: string, path: string): Record<string, string> | null => {
  const segments = path.split('/').filter(Boolean);
  const names = resource.split('/').filter(Boolean);
  const found = names.flatMap((name, index) => {
    const whole = /^\{(\w+)(\+?)\}$/.exec(name);
    if (whole?.[1] === undefined) return [];
    const value = whole[2] === '+' ? segments.slice(index).join('/') : (segments[index] ?? '');
    return [[whole[1], decodeURIComponent(value)] as const];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
};

/** Returns one record of an SQS batch; `receiptHandle` is a placeholder if the message was not received. */
export const queueRecord = (
  message: {
    readonly body: string;
    readonly messageId?: string;
    readonly receiptHandle?: string;
    readonly receiveCount?: number;
    /** When it was first sent, in epoch ms. Default: now. */
    readonly sentAt?: number;
  },
  queueArn: string,
): SQSRecord => {
  return {
    messageId: message.messageId ?? randomUUID(),
    receiptHandle: message.receiptHandle ?? randomUUID(),
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount ?? 1),
      SentTimestamp: String(message.sentAt ?? Date.now()),
      SenderId: '000000000000',
      ApproximateFirstReceiveTimestamp: String(Date.now()),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  };
};

/** Returns the Lambda context; `seconds` is the remaining time. */
export const lambdaContext = (functionName: string, seconds: number): Context => {
  const end = Date.now() + seconds * 1000;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:eu-central-1:000000000000:function:${functionName.replaceAll('/', '-')}`,
    memoryLimitInMB: '512',
    awsRequestId: randomUUID(),
    logGroupName: 'test',
    logStreamName: 'test',
    getRemainingTimeInMillis: () => end - Date.now(),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
};
