/** JSON whose numbers stay as written: doubles would change `1e400`, `12345678901234567890` and `1.0`. */
import { type Container, type LongNumber, messageLimits, type Place, scanJson } from './json-scan.ts';

declare global {
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Parses JSON. Numbers that would change become objects that are written as read. @throws SyntaxError */
export const parseExactly = (text: string): unknown => {
  const longNumbers: LongNumber[] = [];
  scanJson(text, messageLimits, longNumbers);
  return withExactNumbers(JSON.parse(text), text, longNumbers);
};

/** Restores in a parsed text the numbers that its scan found, as they were written. Changes `parsed`. */
const withExactNumbers = (parsed: unknown, text: string, numbers: readonly LongNumber[]): unknown => {
  // Of a key that an object has twice, JSON.parse keeps the last value: from the end, each replaces its own double.
  for (let at = numbers.length - 1; at >= 0; at -= 1) {
    const { text: written, container, place } = numbers[at] as LongNumber;
    if (container === undefined) return isKept(parsed, written) ? parsed : JSON.rawJSON(written);
    const parent = parsedOf(container, parsed, text);
    const key = keyAt(place, text);
    const value = childOf(parent, key);
    if (!isKept(value, written) && value === Number(written))
      (parent as Record<string | number, unknown>)[key] = JSON.rawJSON(written);
  }
  return parsed;
};

const isKept = (value: unknown, written: string): boolean => String(value) === written;

const parsedOf = (container: Container, root: unknown, text: string): unknown => {
  if (container.parent === undefined) return root;
  container.parsed ??= childOf(parsedOf(container.parent, root, text), keyAt(container.place, text));
  return container.parsed;
};

const keyAt = (place: Place | undefined, text: string): string | number => {
  if (typeof place !== 'object') return place ?? 0;
  const quoted = text.slice(place.from, place.to);
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
};

const childOf = (parent: unknown, key: string | number): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)
    ? (parent as Record<string | number, unknown>)[key]
    : undefined;

/** Returns whether a value of `parseExactly` is a JSON object: neither an array nor a number. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
