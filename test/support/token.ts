/** Tokens that the official client would not create. */
import { createHmac } from 'node:crypto';

interface TokenParts {
  /** Added to, or instead of, those of a valid token; undefined removes one. */
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** 64 hex characters. Default: that of the key. */
  readonly secret?: string;
  readonly hash?: string;
}

/** Returns a token of the key (`id:secret`) at a time in epoch ms. */
export const tokenWith = (
  key: string,
  { header, claims, secret, hash = 'sha256' }: TokenParts,
  now = Date.now(),
): string => {
  const [kid, own = ''] = key.split(':');
  const iat = Math.floor(now / 1000);
  const signed = [
    { alg: 'HS256', typ: 'JWT', kid, ...header },
    { iat, exp: iat + 300, aud: '/admin/', ...claims },
  ]
    .map(base64)
    .join('.');
  return `${signed}.${createHmac(hash, Buffer.from(secret ?? own, 'hex'))
    .update(signed)
    .digest('base64url')}`;
};

/** A part of a token. */
export const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
