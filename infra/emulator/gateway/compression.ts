/** Compresses responses as API Gateway does (`MinimumCompressionSize` of the API). */
import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';

const codings = { gzip: promisify(gzip), deflate: promisify(deflate) };

/** AWS does not document API Gateway's compression level. This one takes half the time of the default, for a tenth more bytes. */
const level = 4;

type Coding = keyof typeof codings;

/** The last compressed bodies, least recently used first, because a browser loads the files of pages and the OpenAPI document repeatedly. */
const recent = { gzip: new Map<string, Buffer>(), deflate: new Map<string, Buffer>() };
const recentLimit = 16;

/**
 * Compresses a body if the client names a supported coding; `*` does not count.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-receive-response-with-compressed-payload.html
 * @param acceptEncoding the header of the request
 */
export const compress = async (
  text: string,
  acceptEncoding: string | string[] | undefined,
): Promise<{ readonly coding: Coding; readonly body: Buffer } | undefined> => {
  const [coding] = /\b(gzip|deflate)\b/.exec(String(acceptEncoding)) ?? [];
  if (coding !== 'gzip' && coding !== 'deflate') return undefined;
  const known = recent[coding];
  const body = known.get(text) ?? (await codings[coding](text, { level }));
  known.delete(text);
  known.set(text, body);
  const [oldest] = known.keys();
  if (known.size > recentLimit && oldest !== undefined) known.delete(oldest);
  return { coding, body };
};
