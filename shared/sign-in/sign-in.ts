/** Signs a staff member in with the token of a mailed link, which works once. */
import { newSession, type Session } from '../accounts/session.ts';
import { beginning } from '../accounts/session-store.ts';
import { readStaffMember, verifyAddress } from '../accounts/staff-store.ts';
import { exchange, readSignIn } from './store.ts';
import { hashOfToken } from './token.ts';

/**
 * Returns the new session and the value of its cookie; undefined if the token is unknown, used or expired at `now` (epoch ms), or
 * its member was removed.
 */
export const signIn = async (
  token: string,
  userAgent: string | undefined,
  now: number,
): Promise<{ readonly session: Session; readonly cookie: string } | undefined> => {
  const hash = hashOfToken(token);
  const staffId = await readSignIn(hash, now);
  const member = staffId && (await readStaffMember(staffId));
  if (member === undefined) return undefined;
  const made = newSession(member.id, userAgent, now);
  // The mail has reached the address.
  const verified = member.unverified === true ? [verifyAddress(member.id)] : [];
  return (await exchange(hash, made.session, [...beginning(made.session, member), ...verified])) ? made : undefined;
};
