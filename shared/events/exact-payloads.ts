/**
 * Finds the payloads of published events in the text of the request, so that numbers that a double does not keep (`1e400`, `1.0`) reach receivers
 * as they were written. Walks the text once; JSON.parse has accepted it, and the schema of events its values.
 */
import { resourceOf } from './catalogue.ts';

type At = string | number;

/** The parts of the payloads: by item, by resource, and by name. Nested, so that forgetting a resource does not read the others. */
type Parts = Map<At, Map<At, Map<At, string>>>;

/**
 * Returns the payloads as JSON, each with both parts, without white space.
 * @param text a body of `POST /admin/events/`
 * @param events its checked items
 */
export const exactPayloads = (text: string, events: readonly { readonly event: string }[]): string[] => {
  const parts = partsIn(text);
  return events.map(({ event }, item) => {
    const resource = resourceOf(event);
    if (resource === undefined) return '{}';
    const part = (name: string): string => `"${name}":${parts.get(item)?.get(resource)?.get(name) ?? '{}'}`;
    return `{"${resource}":{${part('current')},${part('previous')}}}`;
  });
};

/** An array or object on the way to a part: where it is in its own parent, an index or a key. */
interface Frame {
  readonly at: At;
  readonly isObject: boolean;
  /** The index of the next value, or the key that was read; undefined before a key. */
  next: At | undefined;
}

/** The body, its events, an event, its payload, the resource, a part. */
const partDepth = 6;

const partsIn = (text: string): Parts => {
  const parts: Parts = new Map();
  const frames: Frame[] = [];
  let depth = 0;
  /** Where what is not yet kept of the open part begins; -1 outside of parts. */
  let from = -1;
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const character = text.charCodeAt(at);
    // Most characters outside of strings are digits.
    if (isDigit(character)) {
      do at += 1;
      while (isDigit(text.charCodeAt(at)));
      continue;
    }
    if (character === 0x22) {
      const end = endOfString(text, at);
      const frame = depth < partDepth ? frames[depth - 1] : undefined;
      if (frame?.isObject === true && frame.next === undefined) frame.next = keyIn(text.slice(at, end));
      at = end;
      continue;
    }
    if (character === 0x7b || character === 0x5b) {
      if (depth < partDepth) {
        const isObject = character === 0x7b;
        frames[depth] = { at: frames[depth - 1]?.next ?? '', isObject, next: isObject ? undefined : 0 };
        // Of a key that an object has twice, the last value counts, with nothing of the one before.
        if (isOnTheWay(frames, depth + 1)) forget(parts, frames, depth + 1);
        if (depth + 1 === partDepth) {
          from = at;
          kept = '';
        }
      }
      depth += 1;
    } else if (character === 0x7d || character === 0x5d) {
      if (depth === partDepth) {
        if (isOnTheWay(frames, depth)) keep(parts, frames, kept + text.slice(from, at + 1));
        from = -1;
      }
      depth -= 1;
    } else if (character === 0x2c) {
      const frame = depth < partDepth ? frames[depth - 1] : undefined;
      if (frame !== undefined) frame.next = typeof frame.next === 'number' ? frame.next + 1 : undefined;
    } else if (character <= 0x20 && from >= 0) {
      kept += text.slice(from, at);
      while (text.charCodeAt(at + 1) <= 0x20) at += 1;
      from = at + 1;
    }
    at += 1;
  }
  return parts;
};

const isDigit = (character: number): boolean => character >= 0x30 && character <= 0x39;

const keyIn = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

const isOnTheWay = (frames: readonly Frame[], depth: number): boolean =>
  (depth < 2 || frames[1]?.at === 'events') && (depth < 4 || frames[3]?.at === 'payload');

const placeOf = (frames: readonly Frame[]): [item: At, resource: At, part: At] => [
  frames[2]?.at ?? '',
  frames[4]?.at ?? '',
  frames[5]?.at ?? '',
];

const keep = (parts: Parts, frames: readonly Frame[], text: string): void => {
  const [item, resource, part] = placeOf(frames);
  const ofItem = parts.get(item) ?? new Map<At, Map<At, string>>();
  const ofResource = ofItem.get(resource) ?? new Map<At, string>();
  parts.set(item, ofItem.set(resource, ofResource.set(part, text)));
};

/** Forgets the parts of an earlier value with the key of the one that begins. */
const forget = (parts: Parts, frames: readonly Frame[], depth: number): void => {
  const [item, resource] = placeOf(frames);
  if (depth === 2) parts.clear();
  if (depth === 4) parts.delete(item);
  if (depth === 5) parts.get(item)?.delete(resource);
};

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let backslashes = quote;
    while (text.charCodeAt(backslashes - 1) === 0x5c) backslashes -= 1;
    if ((quote - backslashes) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
};
