/** Bodies: from bytes to JSON, without looking at what it means; `items.ts` checks that. */
import { BadRequestError, RequestEntityTooLargeError, UnsupportedMediaTypeError } from '../foundation/errors.ts';
import type { HttpRequest } from './request.ts';

/** What came as a body. That none came, or something else than JSON, is a fault only where an endpoint reads one. */
export type Body =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'other'; readonly contentType: string | undefined };

/** Largest body in bytes where the contract's line says nothing else (AWS takes up to 10 MB). */
export const defaultBodyLimit = 64 * 1024;

/** Objects nested deeper than this are refused before anybody walks through them. */
const deepest = 64;

/**
 * Reads the body, whatever the endpoint will make of it.
 * @throws RequestEntityTooLargeError, UnsupportedMediaTypeError, BadRequestError
 */
export const readBody = (request: HttpRequest, limitBytes: number): Body => {
  if (request.body.length > limitBytes)
    throw new RequestEntityTooLargeError(
      `The body has ${request.body.length} bytes; at most ${limitBytes} are taken here.`,
      { help: 'Send fewer items in a request, or smaller ones.' },
    );
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw new UnsupportedMediaTypeError(`The body is compressed: its Content-Encoding is \`${shortened(encoding)}\`.`, {
      help: 'Send it as it is, without Content-Encoding.',
    });
  if (request.body.length === 0) return { kind: 'empty' };
  const contentType = request.headers['content-type'];
  if (contentType === undefined || !/^\s*application\/json\s*(?:;|$)/i.test(contentType))
    return { kind: 'other', contentType };
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new UnsupportedMediaTypeError(`The body's charset is \`${shortened(charset)}\`; only UTF-8 is read here.`, {
      help: 'Send it as UTF-8, with `Content-Type: application/json`.',
    });
  return { kind: 'json', json: parseJson(textOf(request.body)) };
};

/** What a client sent, as far as an error repeats it. */
export const shortened = (text: string, characters = 100): string =>
  text.length > characters ? `${text.slice(0, characters)}…` : text;

const textOf = (body: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new UnsupportedMediaTypeError('The body holds bytes that are not UTF-8.', {
      help: 'Send it as UTF-8, with `Content-Type: application/json`.',
      cause,
    });
  }
};

const parseJson = (text: string): unknown => {
  if (tooDeep(text))
    throw new BadRequestError(`The body is nested deeper than ${deepest} levels.`, { help: 'Send flatter objects.' });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new BadRequestError('The body is not valid JSON.', {
      context: cause instanceof Error ? withoutQuote(cause.message) : undefined,
      help: 'Check its quotes, commas and brackets, or let a JSON library write it.',
      cause,
    });
  }
  if (!isWellFormed(text))
    throw new BadRequestError(
      'The body holds half of a surrogate pair (`\\ud800` to `\\udfff` without its other half).',
      {
        help: 'Send characters beyond U+FFFF as they are, or as both halves (RFC 7493, 2.1).',
      },
    );
  return json;
};

/** What the parser says without the piece of the body that it quotes, since that may hold a secret. */
const withoutQuote = (message: string): string => `${message.split(/, (?:\.\.\.)?"/, 1)[0]}.`;

/**
 * Whether every string can be stored as UTF-8. In a text that was UTF-8 half a pair can only stand as an escape,
 * so nearly every body is let through after one search.
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

/** Counts brackets outside strings: an upper bound of the depth, without building anything. */
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
      if (++depth > deepest) return true;
    } else if (character === 0x5d || character === 0x7d) depth--;
  }
  return false;
};
