/** Verifies a delivery's signatures as its receiver does, with the secret and the request alone. */
import { createHmac, timingSafeEqual } from 'node:crypto';

interface SignedRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text. */
  readonly body: string;
}

/** Returns the result for each signature: Ghost's, and Standard Webhooks' (https://www.standardwebhooks.com). */
export const checkSignatures = ({ headers, body }: SignedRequest, secret: string) => {
  const [, hex = '', time = ''] = /^sha256=([0-9a-f]+), t=(\d+)$/.exec(headers['x-ghost-signature'] ?? '') ?? [];
  const ghost = createHmac('sha256', secret).update(`${body}${time}`).digest('hex');
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures = '' } = headers;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const standard = `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  return [
    { name: 'X-Ghost-Signature', valid: same(hex, ghost) },
    { name: 'webhook-signature', valid: signatures.split(' ').some((signature) => same(signature, standard)) },
  ];
};

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
