/** Builds the body of a delivery in the shape of the API version that its webhook asks for. */
import { memoized } from '../foundation/cache.ts';
import type { Body } from './api-versions/body.ts';
import { versionFor } from './api-versions/registry.ts';

/** The resource as publishers send it, in the current shape: its key with both parts; empty for `site.changed`. */
export type Payload = Readonly<Record<string, unknown>>;

export interface PayloadInput {
  readonly event: string;
  readonly payload: Payload;
  /** The webhook's `api_version`: `v<major>`, `v<major>.<minor>` or `canary`; null for the current one. */
  readonly apiVersion: string | null;
}

/** The exact body to sign and send, and the `Content-Version` that names its shape, such as `v6.0`. */
export function buildPayload({ event, payload, apiVersion }: PayloadInput): {
  readonly body: string;
  readonly contentVersion: string;
} {
  const { contentVersion, steps } = versionFor(apiVersion);
  const current: Body = { event, ...payload };
  return { body: JSON.stringify(steps.reduce((body, step) => step(body), current)), contentVersion };
}

/** What is posted: the bytes to sign and send, and the `Content-Version` that names their shape. */
export interface BuiltBody {
  readonly bytes: Uint8Array;
  readonly contentVersion: string;
}

/** Builds an event's body for an API version. */
export type BuildBody = (apiVersion: string) => BuiltBody;

/** Returns a builder for an event: its body is built once for each API version that its webhooks ask for. */
export const bodyBuilder = (event: string, payload: () => Payload): BuildBody =>
  memoized((apiVersion) => {
    const { body, contentVersion } = buildPayload({ event, payload: payload(), apiVersion });
    return { bytes: Buffer.from(body), contentVersion };
  });
