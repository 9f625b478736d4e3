/**
 * Scans a JSON text before it is parsed: enforces limits on its structure and finds what parsing would change. It runs
 * for every body, so it may take only a small multiple of JSON.parse's time. JSON.parse refuses what is not JSON.
 */

export interface JsonLimits {
  readonly depth: number;
  /** Keys and values; their number determines how long parsing takes. */
  readonly tokens: number;
}

export const bodyLimits: JsonLimits = { depth: 64, tokens: 100_000 };

/** The limits of messages and payloads: wider, as messages add keys to a body, and EventBridge has no such limits. */
export const messageLimits: JsonLimits = { depth: 128, tokens: 150_000 };

/** A JSON text exceeds a limit; the message completes "The body …". */
export class JsonLimitError extends SyntaxError {}

export interface Container {
  readonly parent: Container | undefined;
  readonly place: Place | undefined;
  readonly isObject: boolean;
  /** The key or index of the next value during the scan; undefined before a key. */
  next: Place | undefined;
  parsed?: unknown;
}

/** An index, or where the quoted key begins and ends in the text. */
export type Place = number | { readonly from: number; readonly to: number };

/** A number that a double may not keep as written, such as `1.0` or `1e400`. */
export interface LongNumber {
  readonly text: string;
  /** The array or object that contains it; undefined if it is the whole text. */
  readonly container: Container | undefined;
  readonly place: Place | undefined;
}

export interface Scan {
  /** Whether a double may not keep a number as it was written. */
  readonly hasLongNumbers: boolean;
  /** Whether every escaped half of a surrogate pair has its other half (RFC 7493, 2.1). */
  readonly isWellFormed: boolean;
}

/** Collects `longNumbers` in their order; without it, a scan takes half as long. @throws JsonLimitError */
export const scanJson = (text: string, limits: JsonLimits, longNumbers?: LongNumber[]): Scan => {
  let hasLongNumbers = false;
  let isWellFormed = true;
  let tokens = 0;
  let depth = 0;
  let open: Container | undefined;
  let escapeAt = nextEscape(text, 0);
  for (let at = 0; at < text.length; ) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      let end = text.indexOf('"', at + 1) + 1 || text.length;
      if (escapeAt < end) {
        const escaped = endOfEscaped(text, escapeAt);
        end = escaped.end;
        isWellFormed &&= escaped.isWellFormed;
        escapeAt = nextEscape(text, end);
      }
      if (open?.isObject === true && open.next === undefined) open.next = { from: at, to: end };
      at = end;
      tokens += 1;
    } else if (character === comma) {
      if (open !== undefined) open.next = typeof open.next === 'number' ? open.next + 1 : undefined;
      at += 1;
    } else if (character === openBracket || character === openBrace) {
      depth += 1;
      if (depth > limits.depth) throw new JsonLimitError(`is nested more than ${limits.depth} levels deep`);
      if (longNumbers !== undefined) {
        const isObject = character === openBrace;
        open = { parent: open, place: open?.next, isObject, next: isObject ? undefined : 0, parsed: undefined };
      }
      at += 1;
      tokens += 1;
    } else if (character === closeBracket || character === closeBrace) {
      depth -= 1;
      open = open?.parent;
      at += 1;
    } else if (character === minus || isDigit(character)) {
      let point = -1;
      let isPlain = true;
      let end = at + 1;
      for (; end < text.length; end += 1) {
        const next = text.charCodeAt(end);
        if (isDigit(next)) continue;
        if (next === dot) point = end;
        else if (next === minus || next === plus || next === 0x65 || next === 0x45) isPlain = false;
        else break;
      }
      if (!isPlain || end - at > keptDigits || !isKept(text, at, point, end)) {
        hasLongNumbers = true;
        longNumbers?.push({ text: text.slice(at, end), container: open, place: open?.next });
      }
      at = end;
      tokens += 1;
    } else {
      // `true`, `false` and `null`: none contains its own first letter again.
      if (character === 0x74 || character === 0x66 || character === 0x6e) tokens += 1;
      at += 1;
    }
    if (tokens > limits.tokens) throw new JsonLimitError(`has more than ${limits.tokens} keys and values`);
  }
  return { hasLongNumbers, isWellFormed };
};

const quote = 0x22;
const comma = 0x2c;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isDigit = (character: number): boolean => character >= zero && character <= 0x39;

const nextEscape = (text: string, from: number): number => {
  const at = text.indexOf('\\', from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
};

/** Returns the end of a string that has its first escape at `from`. */
const endOfEscaped = (text: string, from: number): { readonly end: number; readonly isWellFormed: boolean } => {
  let isWellFormed = true;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) return { end: at + 1, isWellFormed };
    if (character !== backslash) continue;
    if (text.charCodeAt(at + 1) !== 0x75) {
      at += 1;
      continue;
    }
    const half = halfOfPair(text, at);
    if (half === 'first' && halfOfPair(text, at + 6) === 'second') at += 11;
    else {
      isWellFormed &&= half === undefined;
      at += 1;
    }
  }
  return { end: text.length, isWellFormed };
};

/** Returns which half of a surrogate pair is escaped at `at`: `\ud800` to `\udbff`, or `\udc00` to `\udfff`. */
const halfOfPair = (text: string, at: number): 'first' | 'second' | undefined => {
  if (
    text.charCodeAt(at) !== backslash ||
    text.charCodeAt(at + 1) !== 0x75 ||
    (text.charCodeAt(at + 2) | 0x20) !== 0x64
  )
    return undefined;
  const next = text.charCodeAt(at + 3) | 0x20;
  if (next === 0x38 || next === 0x39 || next === 0x61 || next === 0x62) return 'first';
  return next >= 0x63 && next <= 0x66 ? 'second' : undefined;
};

/** A decimal of up to 15 digits is the shortest text for its double, as JSON.stringify writes it (DBL_DIG). */
const keptDigits = 15;

/** Returns whether JSON.stringify writes a number of up to 15 characters, without an exponent, unchanged. */
const isKept = (text: string, from: number, point: number, to: number): boolean => {
  const first = text.charCodeAt(from) === minus ? from + 1 : from;
  if (point === -1) return first === from || text.charCodeAt(first) !== zero;
  if (text.charCodeAt(to - 1) === zero) return false;
  // Numbers below 0.000001 are written with an exponent.
  return text.charCodeAt(first) !== zero || !text.startsWith('000000', point + 1);
};
