/** Reads events from a stream: lines of JSON, or one JSON document. */

import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { UsageError } from '../../command-line/exit-codes.ts';
import { decoderOf } from '../../command-line/file-at.ts';

export interface PublishedEvent {
  readonly id?: string;
  readonly event: string;
  readonly payload?: unknown;
}

/** An event, its position in the input from 1, and where it is: `Line 17`, or `Event 3` of a JSON document. */
export interface Found {
  readonly number: number;
  readonly place: string;
  readonly event: PublishedEvent;
}

/** Yields the events. Keeps only a JSON document that spans lines in memory. @throws UsageError for malformed events */
export async function* eventsIn(source: Readable): AsyncGenerator<Found> {
  let lines = 0;
  let number = 0;
  let document: string[] | undefined;
  const input = Readable.from(decoded(source));
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    lines += 1;
    if (document !== undefined) document.push(text);
    else if (text.trim() !== '') {
      const value = parsed(text);
      if (value !== undefined) for (const event of eventsOf(value)) yield found(++number, `Line ${lines}`, event);
      else if (number === 0) document = [text];
      else throw new UsageError(`Line ${lines} is not JSON.`);
    }
  }
  if (document === undefined) return;
  const value = parsed(document.join('\n'));
  if (value === undefined) throw new UsageError('The input is neither lines of JSON nor a JSON document.');
  for (const event of eventsOf(value)) yield found(++number, `Event ${number}`, event);
}

/** Yields the text of a stream of bytes. @throws UsageError for another encoding than UTF-8 and UTF-16 */
async function* decoded(source: Readable): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let start = Buffer.alloc(0);
  try {
    for await (const chunk of source as AsyncIterable<Buffer | string>) {
      start = Buffer.concat([start, Buffer.from(chunk)]);
      if (start.length < 2) continue;
      decoder ??= decoderOf(start);
      yield decoder.decode(start, { stream: true });
      start = Buffer.alloc(0);
    }
    yield (decoder ?? decoderOf(start)).decode(start);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError('The input is not text in UTF-8 or UTF-16.');
    throw error;
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A document may hold one event, an array, or the body of a request. */
const eventsOf = (value: unknown): readonly unknown[] => {
  const events: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'events') : undefined;
  if (Array.isArray(events)) return events;
  return Array.isArray(value) ? value : [value];
};

const found = (number: number, place: string, event: unknown): Found => {
  if (isEvent(event)) return { number, place, event };
  throw new UsageError(`${place} is not an event: it must be an object with \`event\`, and \`id\` must be a string.`);
};

const isEvent = (value: unknown): value is PublishedEvent => {
  if (typeof value !== 'object' || value === null) return false;
  const id: unknown = Reflect.get(value, 'id');
  return typeof Reflect.get(value, 'event') === 'string' && (id === undefined || typeof id === 'string');
};
