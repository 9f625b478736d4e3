/** Mints the token of an Admin API key for one request, as Ghost's client does: HS256, five minutes, `/admin/`. */
import { createHmac } from 'node:crypto';

/** Returns the token for `Authorization: Ghost <token>`; `key` is `id:secret`, `claims` are added or override. */
export const adminToken = (key: string, claims: Readonly<Record<string, unknown>> = {}): string => {
  const [kid, secret = ''] = key.split(':');
  const now = Math.floor(Date.now() / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = { iat: now, exp: now + 300, aud: '/admin/', ...claims };
  const signed = `${part({ alg: 'HS256', typ: 'JWT', kid })}.${part(payload)}`;
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`;
};
