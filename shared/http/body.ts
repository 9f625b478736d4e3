/** Reads request bodies: from bytes to JSON. `items.ts` checks the content. */
import { BadRequestError, RequestEntityTooLargeError, UnsupportedMediaTypeError } from '../foundation/errors.ts';
import type { HttpRequest } from './request.ts';

/** A request body. An empty one, or one that is not JSON, is an error only at endpoints that read it. */
export type Body =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'other'; readonly contentType: string | undefined };

/** Parses JSON. */
export type Parse = (text: string) => unknown;

/** The largest body in bytes by default (API Gateway accepts up to 10 MB). */
export const defaultBodyLimit = 64 * 1024;

/** Deeper nesting is refused before anything recurses into it. */
const maxDepth = 64;

/**
 * Reads the body, whether or not the endpoint uses it.
 * @param parse throws SyntaxError
 * @throws RequestEntityTooLargeError, UnsupportedMediaTypeError, BadRequestError
 */
export const readBody = (request: HttpRequest, limitBytes: number, parse: Parse = JSON.parse): Body => {
  if (request.body.length > limitBytes)
    throw new RequestEntityTooLargeError(`The body has ${request.body.length} bytes; the limit is ${limitBytes}.`, {
      help: 'Send fewer or smaller items per request.',
    });
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw new UnsupportedMediaTypeError(`The body is compressed: Content-Encoding is \`${shortened(encoding)}\`.`, {
      help: 'Send the body uncompressed, without Content-Encoding.',
    });
  if (request.body.length === 0) return { kind: 'empty' };
  const contentType = request.headers['content-type'];
  if (contentType === undefined || !/^\s*application\/json\s*(?:;|$)/i.test(contentType))
    return { kind: 'other', contentType };
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new UnsupportedMediaTypeError(`The charset \`${shortened(charset)}\` is not supported.`, {
      help: 'Encode the body as UTF-8 and send `Content-Type: application/json`.',
    });
  return { kind: 'json', json: parseJson(textOf(request.body), parse) };
};

/** Shortens a value of the client for an error message. */
export const shortened = (text: string, characters = 100): string =>
  text.length > characters ? `${text.slice(0, characters)}…` : text;

const textOf = (body: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new UnsupportedMediaTypeError('The body contains bytes that are not valid UTF-8.', {
      help: 'Encode the body as UTF-8 and send `Content-Type: application/json`.',
      cause,
    });
  }
};

const parseJson = (text: string, parse: Parse): unknown => {
  if (tooDeep(text))
    throw new BadRequestError(`The body is nested more than ${maxDepth} levels deep.`, {
      help: 'Send flatter objects.',
    });
  let json: unknown;
  try {
    json = parse(text);
  } catch (cause) {
    throw new BadRequestError('The body is not valid JSON.', {
      context: cause instanceof Error ? withoutQuote(cause.message) : undefined,
      help: 'Check quotes, commas and brackets, or use a JSON library.',
      cause,
    });
  }
  if (!isWellFormed(text))
    throw new BadRequestError('The body contains an unpaired surrogate (`\\ud800` to `\\udfff`).', {
      help: 'Send characters beyond U+FFFF unescaped, or as a surrogate pair (RFC 7493, 2.1).',
    });
  return json;
};

/** Removes the part of the body that the parser quotes in its message: it may contain a secret. */
const withoutQuote = (message: string): string => `${message.split(/, (?:\.\.\.)?"/, 1)[0]}.`;

/**
 * Whether every string can be stored as UTF-8. In valid UTF-8 an unpaired surrogate can only be an escape, so one search
 * suffices for nearly every body.
 */
const isWellFormed = (text: string): boolean => {
  if (!/\\ud[89a-f]/i.test(text)) return true;
  let wellFormed = true;
  JSON.parse(text, (key, value: unknown) => {
    wellFormed &&= key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed());
    return value;
  });
  return wellFormed;
};

/** Counts brackets outside strings: an upper bound of the depth, before anything is parsed. */
const tooDeep = (text: string): boolean => {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (quoted) {
      if (character === 0x5c) at++;
      else if (character === 0x22) quoted = false;
    } else if (character === 0x22) quoted = true;
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > maxDepth) return true;
    } else if (character === 0x5d || character === 0x7d) depth--;
  }
  return false;
};
