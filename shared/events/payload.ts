/** Builds the body of a delivery for the API version of its webhook. */
import { currentApiVersion } from '../foundation/api-version.ts';
import { memoized } from '../foundation/cache.ts';
import { parseExactly } from '../foundation/exact-json.ts';
import type { Body } from './api-versions/body.ts';
import { versionFor } from './api-versions/registry.ts';

/** The payload in the current version: the resource's key with both parts, nothing (`site.changed`), or `relayed`. */
export type Payload = Readonly<Record<string, unknown>>;

/** The beginning of `relayed`'s JSON. No other payload starts so, because its parts are objects. */
const relayedStart = '{"relayed":"';

/** Returns a payload that is forwarded exactly as a Ghost site sent it: Ghost ignores `api_version` when it sends. */
export const relayed = (body: string): Payload => ({ relayed: body });

/** The exact bytes to sign and send, and their `Content-Version`, such as `v6.0`. */
export interface BuiltBody {
  readonly bytes: Uint8Array;
  readonly contentVersion: string;
  /** Returns the JSON of the bytes, for formats and filters; it is parsed once, and must not be changed. */
  readonly parsed: () => Payload;
}

/** Takes the `api_version` of a webhook: `v<major>`, `v<major>.<minor>` or `canary`. */
export type BuildBody = (apiVersion: string) => BuiltBody;

const knownVersion = memoized(versionFor);

/** Returns a builder for an event's `payload` (JSON): its body is built once for each version. */
export const bodyBuilder = (event: string, payload: string): BuildBody => {
  if (payload.startsWith(relayedStart)) return relayedBody(payload);
  const built = new Map<string, BuiltBody>();
  return (apiVersion) => {
    const { contentVersion, steps } = knownVersion(apiVersion);
    const known = built.get(contentVersion);
    if (known !== undefined) return known;
    const body = steps.length === 0 ? currentBody(event, payload) : olderBody(event, payload, steps);
    // Not `Buffer.from`, whose bytes are a slice of a shared 64 KiB: the cache of events would keep all of these.
    const fresh = builtOf(new TextEncoder().encode(body), contentVersion);
    built.set(contentVersion, fresh);
    return fresh;
  };
};

const builtOf = (bytes: Uint8Array, contentVersion: string): BuiltBody => {
  let parsed: Payload | undefined;
  return {
    bytes,
    contentVersion,
    parsed: () => {
      parsed ??= JSON.parse(Buffer.from(bytes).toString()) as Payload;
      return parsed;
    },
  };
};

const relayedBody = (payload: string): BuildBody => {
  const { relayed: body } = JSON.parse(payload) as { relayed: string };
  const built = builtOf(new TextEncoder().encode(body), currentApiVersion);
  return () => built;
};

/** Does not parse the payload, because that takes half a millisecond for a post of 50 KB. */
const currentBody = (event: string, payload: string): string => {
  const start = `{"event":${JSON.stringify(event)}`;
  return payload === '{}' ? `${start}}` : `${start},${payload.slice(1)}`;
};

const olderBody = (event: string, payload: string, steps: readonly ((newer: Body) => Body)[]): string => {
  const current: Body = { event, ...(parseExactly(payload) as Payload) };
  return JSON.stringify(steps.reduce((body, step) => step(body), current));
};
