/**
 * Payloads that are large, or end before their event's id (ADR 13): compressed, as writes are priced by size, and in
 * parts, as DynamoDB's items have at most 400 KB. They are stored before their event, by hash; twice is harmless.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { second, systemClock } from '../foundation/clock.ts';
import { sha256 } from '../foundation/hash.ts';
import { getMany, putMany } from '../table/batch.ts';
import type { Item, Key } from '../table/table-key.ts';
import type { EventBody, PayloadParts, StoredPayload } from './event.ts';

/** Maximum bytes of a payload inside its event. Above it, a second request costs less than the saved write units. */
export const largestInline = 4 * 1024;
/** A request has at most half of these bytes, so a payload that decompresses to more is damaged. */
export const maxPayload = 16 * 1024 * 1024;
/** Bytes of a part. DynamoDB limits an item to 400 KB, with its keys. */
const partBytes = 380 * 1024;

/** Each part has a partition of its own, because DynamoDB limits one to 1,000 write units a second. */
const partKey = (bodyHash: string, { hash }: PayloadParts, number: number): Key => ({
  pk: `EVENT_BODY#${bodyHash}#${hash}#${number}`,
  sk: 'PART',
});

export const isSmall = (json: string): boolean => Buffer.byteLength(json) <= largestInline;

/** Returns the keys of the parts of a payload, in their order. */
export const partKeysOf = (bodyHash: string, parts: PayloadParts): Key[] =>
  Array.from({ length: parts.count }, (_, number) => partKey(bodyHash, parts, number));

/** Converts a payload for an item or a message. A large one, or `always`, is stored in parts until `expires_at`. */
export const storePayload = async (
  bodyHash: string,
  json: string,
  expires_at: number,
  always = false,
): Promise<StoredPayload> => {
  if (!always && isSmall(json)) return { payload: json };
  const bytes = gzipSync(json);
  const parts = { hash: sha256(json), count: Math.ceil(bytes.length / partBytes) };
  await putMany(
    partKeysOf(bodyHash, parts).map((key, number) => ({
      ...key,
      bytes: bytes.subarray(number * partBytes, (number + 1) * partBytes),
      expires_at,
    })),
  );
  return { payload: '', parts };
};

/** Returns events with their payloads by body hash, with one request; those whose parts are gone are missing. */
export const withPayloads = async (bodies: ReadonlyMap<string, EventBody>): Promise<ReadonlyMap<string, EventBody>> => {
  const keys = [...bodies].flatMap(([hash, { parts }]) => (parts === undefined ? [] : partKeysOf(hash, parts)));
  if (keys.length === 0) return bodies;
  // DynamoDB deletes expired items up to two days late.
  const parts = (await getMany<Part>(keys)).filter(({ expires_at }) => expires_at * second > systemClock());
  const found = new Map(parts.map(({ pk, bytes }) => [pk, bytes]));
  return new Map(
    [...bodies].flatMap(([hash, body]) => {
      if (body.parts === undefined) return [[hash, body]];
      const bytes = partKeysOf(hash, body.parts).flatMap(({ pk }) => found.get(pk) ?? []);
      if (bytes.length < body.parts.count) return [];
      return [[hash, { ...body, payload: joined(bytes) }]];
    }),
  );
};

/** Returns the payload of its parts as JSON. */
export const joined = (parts: readonly Uint8Array[]): string =>
  gunzipSync(Buffer.concat(parts), { maxOutputLength: maxPayload }).toString();

type Part = Item & { readonly bytes: Uint8Array; readonly expires_at: number };
