/**
 * Reads request bodies from bytes to JSON; `items.ts` checks the content. Size and encoding are checked before the
 * caller is known, at no cost, and parsing comes after (docs/compatibility.md, "Order of checks").
 */
import { isUtf8 } from 'node:buffer';
import { BadRequestError, RequestEntityTooLargeError, UnsupportedMediaTypeError } from '../foundation/errors.ts';
import { bodyLimits, JsonLimitError, scanJson } from '../foundation/json-scan.ts';
import type { HttpRequest } from './request.ts';

/** A request body. An empty one, or one that is not JSON, is an error only at endpoints that read it. */
export type Body =
  | {
      readonly kind: 'json';
      readonly json: unknown;
      /** Whether a double may not keep a number of the body as it was written. */
      readonly hasLongNumbers?: true;
    }
  | { readonly kind: 'empty' }
  | { readonly kind: 'other'; readonly contentType: string | undefined };

/** The largest body in bytes by default (API Gateway accepts up to 10 MB). */
export const defaultBodyLimit = 64 * 1024;

/**
 * Checks size and encoding without reading. API Gateway expands compressed bodies, so the limit is for expanded ones;
 * whether it removes `Content-Encoding` is unproven, and with that header bodies are refused.
 * @throws RequestEntityTooLargeError, UnsupportedMediaTypeError
 */
export const checkBody = (request: HttpRequest, limitBytes: number): void => {
  if (request.bodyBytes > limitBytes)
    throw new RequestEntityTooLargeError(`The body has ${request.bodyBytes} bytes; the limit is ${limitBytes}.`, {
      help: 'Send fewer or smaller items per request.',
    });
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw new UnsupportedMediaTypeError(`The body is compressed: Content-Encoding is \`${shortened(encoding)}\`.`, {
      help: 'Send the body uncompressed, without Content-Encoding.',
    });
  const contentType = request.headers['content-type'];
  if (request.bodyBytes === 0 || !isJson(contentType)) return;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new UnsupportedMediaTypeError(`The charset \`${shortened(charset)}\` is not supported.`, {
      help: 'Encode the body as UTF-8 and send `Content-Type: application/json`.',
    });
  if (request.isBinary && !isUtf8(request.body))
    throw new UnsupportedMediaTypeError('The body contains bytes that are not valid UTF-8.', {
      help: 'Encode the body as UTF-8 and send `Content-Type: application/json`.',
    });
};

const isJson = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && /^\s*application\/json\s*(?:;|$)/i.test(contentType);

/** Parses a checked body. Forwarded strings may have half a surrogate pair (RFC 8259, 8.2). @throws BadRequestError */
export const parseBody = (request: HttpRequest, isForwarded = false): Body => {
  if (request.bodyBytes === 0) return { kind: 'empty' };
  const contentType = request.headers['content-type'];
  if (!isJson(contentType)) return { kind: 'other', contentType };
  return parseJson(textOf(request), isForwarded);
};

/** Returns the text of a body that `checkBody` has accepted, without a byte order mark. */
export const textOf = ({ body }: HttpRequest): string => new TextDecoder().decode(body);

/** Shortens a value of the client for an error message. */
export const shortened = (text: string, characters = 100): string =>
  text.length > characters ? `${text.slice(0, characters)}…` : text;

const parseJson = (text: string, isForwarded: boolean): Body => {
  try {
    const { hasLongNumbers, isWellFormed } = scanJson(text, bodyLimits);
    const json: unknown = JSON.parse(text);
    if (isWellFormed || isForwarded) return { kind: 'json', json, ...(hasLongNumbers && { hasLongNumbers }) };
  } catch (cause) {
    if (cause instanceof JsonLimitError)
      throw new BadRequestError(`The body ${cause.message}.`, {
        help: 'Send less per request, or flatter objects.',
        cause,
      });
    throw new BadRequestError('The body is not valid JSON.', {
      context: cause instanceof Error ? withoutQuote(cause.message) : undefined,
      help: 'Check quotes, commas and brackets, or use a JSON library.',
      cause,
    });
  }
  throw new BadRequestError('The body contains an unpaired surrogate (`\\ud800` to `\\udfff`).', {
    help: 'Send characters beyond U+FFFF unescaped, or as a surrogate pair (RFC 7493, 2.1).',
  });
};

/** Removes the part of the body that the parser quotes in its message: it may contain a secret. */
const withoutQuote = (message: string): string => `${message.split(/, (?:\.\.\.)?"/, 1)[0]}.`;
