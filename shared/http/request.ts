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
  /** The parameters of the query that were sent more than once. */
  readonly repeated: readonly string[];
  /** Decoded when it is first used: that takes longer than all checks of a request without a valid key. */
  readonly body: Buffer;
  readonly bodyBytes: number;
  /** Whether the body came as bytes, which need not be text. */
  readonly isBinary: boolean;
  readonly sourceIp: string;
}

/** Reads the event; REST APIs keep the case of header names and encode binary bodies in base64. */
export const readRequest = (event: APIGatewayProxyEvent): HttpRequest => {
  const text = event.body ?? '';
  const encoding = event.isBase64Encoded ? 'base64' : 'utf8';
  let decoded: Buffer | undefined;
  return {
    method: event.httpMethod,
    path: event.path,
    headers: readHeaders(event),
    params: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    repeated: Object.entries(event.multiValueQueryStringParameters ?? {}).flatMap(([name, values]) =>
      (values?.length ?? 0) > 1 ? [name] : [],
    ),
    get body() {
      decoded ??= Buffer.from(text, encoding);
      return decoded;
    },
    bodyBytes: Buffer.byteLength(text, encoding),
    isBinary: event.isBase64Encoded,
    sourceIp: event.requestContext?.identity?.sourceIp ?? '',
  };
};

/** Returns the headers by lower-case name. */
export const readHeaders = (event: APIGatewayProxyEvent): HttpRequest['headers'] =>
  Object.fromEntries(Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
