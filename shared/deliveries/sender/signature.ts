/** Signs a delivery for both kinds of receivers: with Ghost's `X-Ghost-Signature` and with Standard Webhooks. */
import { createHmac } from 'node:crypto';

export interface SignatureInput {
  /** The delivery's id, the same for all attempts. Without dots, which separate the signed parts. */
  readonly id: string;
  /** The exact bytes of the body. */
  readonly body: string | Uint8Array;
  /** Time of the attempt in epoch ms. */
  readonly now: number;
  /** The webhook's secrets, newest first: several after a rotation, none for a webhook without a secret. */
  readonly secrets: readonly string[];
}

/** Returns id, time and signatures: one per secret in `webhook-signature`, the newest's in Ghost's header. */
export const signatures = ({ id, body, now, secrets }: SignatureInput): Record<string, string> => {
  const seconds = Math.floor(now / 1000);
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': String(seconds) };
  const [newest] = secrets;
  if (newest === undefined) return headers;
  headers['webhook-signature'] = secrets.map((secret) => standardSignature(secret, id, seconds, body)).join(' ');
  headers['X-Ghost-Signature'] = ghostSignature(newest, now, body);
  return headers;
};

/** `sha256=<hex>, t=<epoch ms>` over body and decimal time; Ghost 5.0 to 5.87 had no time (docs/compatibility.md). */
const ghostSignature = (secret: string, now: number, body: string | Uint8Array): string => {
  const hash = createHmac('sha256', secret).update(body).update(String(now)).digest('hex');
  return `sha256=${hash}, t=${now}`;
};

/** `v1,<base64>` over `id.timestamp.body` (Standard Webhooks 1.0, "Signature scheme"). */
const standardSignature = (secret: string, id: string, seconds: number, body: string | Uint8Array): string => {
  return `v1,${createHmac('sha256', standardKey(secret)).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
};

const standardPrefix = 'whsec_';

/** Returns a secret's key: base64 after `whsec_`, or the UTF-8 bytes of any other (Standard Webhooks 1.0). */
const standardKey = (secret: string): string | Buffer =>
  secret.startsWith(standardPrefix) ? Buffer.from(secret.slice(standardPrefix.length), 'base64') : secret;
