/** The token of an invitation's link: the id of the invite and 256 random bits; only its hash is stored. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../foundation/hash.ts';
import { type InviteId, isId } from '../foundation/ids.ts';

/** The maximum number of working links of a mailing; with more, the oldest dies (docs/compatibility.md, "Invites"). */
export const maxTokens = 5;

/** Creates a token for an invite, and the hash to store. */
export const newToken = (invite: InviteId): { readonly token: string; readonly hash: string } => {
  const token = `${invite}${randomBytes(32).toString('base64url')}`;
  return { token, hash: tokenHash(token) };
};

/** Returns the hash of a token. SHA-256 suffices, because the token has 256 random bits. */
export const tokenHash = (token: string): string => sha256(token);

/** Returns the token at the beginning of a text, if any. Mail programs link the `>` or `)` after a link, too. */
export const tokenIn = (text: string): string | undefined => /^[0-9a-f]{24}[\w-]{43}/.exec(text)?.[0];

/** Returns the invite of a token. */
export const inviteOfToken = (token: string): InviteId | undefined => {
  const id = token.slice(0, 24);
  return isId<InviteId>(id) ? id : undefined;
};

/** Whether a token is one of those that were issued; compared in constant time. */
export const isIssuedToken = (token: string, hashes: readonly string[]): boolean => {
  const hash = Buffer.from(tokenHash(token), 'hex');
  return hashes.filter((known) => timingSafeEqual(hash, Buffer.from(known, 'hex'))).length > 0;
};
