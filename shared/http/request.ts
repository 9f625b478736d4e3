/** From API Gateway's event to the few things about a request that matter, whatever the client's spelling of them. */
import type { APIGatewayProxyEvent } from 'aws-lambda';

export interface HttpRequest {
  readonly method: string;
  /** As the client sent it, slash at the end and all. */
  readonly path: string;
  /** Names in lower case; the last value where a client sent several. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly sourceIp: string;
}

/** Reads the event; REST APIs keep the client's casing of header names and code binary bodies in base64. */
export const readRequest = (event: APIGatewayProxyEvent): HttpRequest => ({
  method: event.httpMethod,
  path: event.path,
  headers: readHeaders(event),
  params: event.pathParameters ?? {},
  query: event.queryStringParameters ?? {},
  body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  sourceIp: event.requestContext?.identity?.sourceIp ?? '',
});

/** Headers by their names in lower case. */
export const readHeaders = (event: APIGatewayProxyEvent): HttpRequest['headers'] =>
  Object.fromEntries(Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
