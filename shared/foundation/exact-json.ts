/**
 * JSON whose numbers stay as they were written: `1e400`, `12345678901234567890` and `1.0` are no doubles with that text, so that parsing and
 * writing them again would change what a publisher sent.
 */
declare global {
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** What can be a number in a JSON text; strings may contain some, too. */
const numbers = /(?:^|[:,[])\s*(-?\d[\d.eE+-]*)(?=\s*(?:[,}\]]|$))/g;

const isExact = (text: string): boolean => String(Number(text)) === text;

/**
 * Parses JSON. A number that would be written differently again becomes an object that `JSON.stringify` writes as it was.
 * @throws SyntaxError
 */
export const parseExactly = (text: string): unknown => {
  // Nearly all texts have no such number, and are parsed seven times as fast without looking at each value.
  for (const [, number = ''] of text.matchAll(numbers))
    if (!isExact(number))
      return JSON.parse(text, (_, value, { source = '' }) =>
        typeof value === 'number' && !isExact(source) ? JSON.rawJSON(source) : value,
      );
  return JSON.parse(text);
};

/** Returns whether a value of `parseExactly` is a JSON object: neither an array nor a number. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
