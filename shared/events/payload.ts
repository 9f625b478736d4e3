/** Builds the body of a delivery for the API version of its webhook. */
import { memoized } from '../foundation/cache.ts';
import type { Body } from './api-versions/body.ts';
import { versionFor } from './api-versions/registry.ts';

/** The payload in the current version: the key of the resource with both parts; empty for `site.changed`. */
export type Payload = Readonly<Record<string, unknown>>;

export interface PayloadInput {
  readonly event: string;
  readonly payload: Payload;
  /** The webhook's `api_version`: `v<major>`, `v<major>.<minor>` or `canary`; null for the current one. */
  readonly apiVersion: string | null;
}

/** Returns the exact body to sign and send, and its `Content-Version`, such as `v6.0`. */
export const buildPayload = ({
  event,
  payload,
  apiVersion,
}: PayloadInput): { readonly body: string; readonly contentVersion: string } => {
  const { contentVersion, steps } = versionFor(apiVersion);
  const current: Body = { event, ...payload };
  return { body: JSON.stringify(steps.reduce((body, step) => step(body), current)), contentVersion };
};

/** The bytes to sign and send, and their `Content-Version`. */
export interface BuiltBody {
  readonly bytes: Uint8Array;
  readonly contentVersion: string;
}

export type BuildBody = (apiVersion: string) => BuiltBody;

/** Returns a builder for an event: its body is built once for each API version that its webhooks ask for. */
export const bodyBuilder = (event: string, payload: () => Payload): BuildBody =>
  memoized((apiVersion) => {
    const { body, contentVersion } = buildPayload({ event, payload: payload(), apiVersion });
    return { bytes: Buffer.from(body), contentVersion };
  });
