/** Compresses responses as API Gateway does (`MinimumCompressionSize` of the API). */
import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';

const codings = { gzip: promisify(gzip), deflate: promisify(deflate) };

/**
 * Compresses a body if the client names a supported coding; `*` does not count.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-receive-response-with-compressed-payload.html
 * @param acceptEncoding the header of the request
 */
export const compress = async (
  body: Buffer,
  acceptEncoding: string | string[] | undefined,
): Promise<{ readonly coding: keyof typeof codings; readonly body: Buffer } | undefined> => {
  const [coding] = /\b(gzip|deflate)\b/.exec(String(acceptEncoding)) ?? [];
  return coding === 'gzip' || coding === 'deflate' ? { coding, body: await codings[coding](body) } : undefined;
};
