/** Signs a delivery in both ways its receivers know: Ghost's `X-Ghost-Signature` and Standard Webhooks. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { memoized } from '../../foundation/cache.ts';

export interface SignatureInput {
  /** The delivery's id, which is the same for all its attempts. Without dots, since dots separate what is signed. */
  readonly id: string;
  /** The exact bytes that are sent. */
  readonly body: string | Uint8Array;
  /** Time of this attempt in epoch ms. */
  readonly now: number;
  /** The webhook's secrets, the newest first: more than one while a rotation overlaps, none for a webhook without a secret. */
  readonly secrets: readonly string[];
}

/**
 * The headers that carry id, time and signatures of one attempt. Without a secret: id and time only.
 * During a rotation Standard Webhooks gets a signature for each secret; Ghost's header has room for one, made with the newest.
 */
export const signatures = ({ id, body, now, secrets }: SignatureInput): Record<string, string> => {
  const seconds = Math.floor(now / 1000);
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': String(seconds) };
  const [newest] = secrets;
  if (newest === undefined) return headers;
  headers['webhook-signature'] = secrets.map((secret) => standardSignature(secret, id, seconds, body)).join(' ');
  headers['X-Ghost-Signature'] = ghostSignature(newest, now, body);
  return headers;
};

/** `sha256=<hex>, t=<epoch ms>` over the body followed directly by the decimal time (contract, Deliveries; Ghost since 5.87). */
const ghostSignature = (secret: string, now: number, body: string | Uint8Array): string => {
  const hash = createHmac('sha256', secret).update(body).update(String(now)).digest('hex');
  return `sha256=${hash}, t=${now}`;
};

/** `v1,<base64>` over `id.timestamp.body` (Standard Webhooks 1.0, "Signature scheme"). */
const standardSignature = (secret: string, id: string, seconds: number, body: string | Uint8Array): string => {
  return `v1,${createHmac('sha256', standardKey(secret)).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
};

const standardPrefix = 'whsec_';

/** To make a key takes as long as to sign with it. */
const keyOf = memoized((base64) => createSecretKey(base64, 'base64'));

/**
 * What follows `whsec_`, base64-decoded; a secret without that prefix stands for its UTF-8 bytes (contract, section 3).
 * As a key object, because Node 24 takes six times as long for an HMAC whose key comes as a buffer.
 */
const standardKey = (secret: string): string | KeyObject => {
  return secret.startsWith(standardPrefix) ? keyOf(secret.slice(standardPrefix.length)) : secret;
};
