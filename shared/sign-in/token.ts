/** The token of a mailed sign-in link: 256 random bits, of which only the hash is stored. */
import { randomBytes } from 'node:crypto';
import { day, minute } from '../foundation/clock.ts';
import { sha256 } from '../foundation/hash.ts';

export const linkMs = 15 * minute;

/** How long a link works that changes an address: somebody else may have asked for it. */
export const changeMs = day;

/** Creates a token, and the hash to store. */
export const newSignInToken = (): { readonly token: string; readonly hash: string } => {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOfToken(token) };
};

/** Returns the hash of a text's token, without what mail programs link after it. 256 random bits need only SHA-256. */
export const hashOfToken = (text: string): string => sha256(/^[\w-]{43}/.exec(text)?.[0] ?? text);
