/** The token of a mailed sign-in link: 256 random bits, of which only the hash is stored. */
import { randomBytes } from 'node:crypto';
import { day, minute } from '../foundation/clock.ts';
import { sha256 } from '../foundation/hash.ts';

/** How long a link works after its mail. */
export const linkMs = 15 * minute;

/** How long a link works that changes an address: somebody else may have asked for it. */
export const changeMs = day;

/** Creates a token, and the hash to store. */
export const newSignInToken = (): { readonly token: string; readonly hash: string } => {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOfToken(token) };
};

/**
 * Returns the hash of the token at the beginning of a text: mail programs link a `>` or `)` after it, too. SHA-256 suffices, because
 * the token has 256 random bits.
 */
export const hashOfToken = (text: string): string => sha256(/^[\w-]{43}/.exec(text)?.[0] ?? text);
