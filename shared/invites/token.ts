/** The token in a mailed link: the invite's id and 256 random bits; only its hash is kept. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type InviteId, isId } from '../foundation/ids.ts';

/** A new token for an invite, and the hash to keep. */
export const newToken = (
  invite: InviteId,
  bytes: (size: number) => Buffer = randomBytes,
): { token: string; hash: string } => {
  const token = `${invite}${bytes(32).toString('base64url')}`;
  return { token, hash: tokenHash(token) };
};

/** SHA-256 suffices where the secret has 256 random bits of its own. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The invite that a token is for; undefined where it does not have the form of one. */
export const inviteOfToken = (token: string): InviteId | undefined => {
  const id = token.slice(0, 24);
  return /^[0-9a-f]{24}[A-Za-z0-9_-]{43}$/.test(token) && isId<InviteId>(id) ? id : undefined;
};

/** Whether the token is one of those that were mailed; compared in constant time. */
export const isMailedToken = (token: string, hashes: readonly string[]): boolean => {
  const hash = Buffer.from(tokenHash(token), 'hex');
  return hashes.filter((known) => timingSafeEqual(hash, Buffer.from(known, 'hex'))).length > 0;
};
