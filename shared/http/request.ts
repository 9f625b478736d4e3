/** Reads a request from the event of API Gateway, independent of the client's spelling. */
import type { APIGatewayProxyEvent } from 'aws-lambda';

export interface HttpRequest {
  readonly method: string;
  /** As sent, including the trailing slash. */
  readonly path: string;
  /** By lower-case name; the last value if a client sent several. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly sourceIp: string;
}

/** Reads the event; REST APIs keep the case of header names and encode binary bodies in base64. */
export const readRequest = (event: APIGatewayProxyEvent): HttpRequest => ({
  method: event.httpMethod,
  path: event.path,
  headers: readHeaders(event),
  params: event.pathParameters ?? {},
  query: event.queryStringParameters ?? {},
  body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  sourceIp: event.requestContext?.identity?.sourceIp ?? '',
});

/** Returns the headers by lower-case name. */
export const readHeaders = (event: APIGatewayProxyEvent): HttpRequest['headers'] =>
  Object.fromEntries(Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
