/** Signs a staff member in with the token of a mailed link, which works once; looking at the link uses nothing. */
import { normalizedEmail } from '../accounts/address.ts';
import { isSuspended, isVoidSince, type StaffMember } from '../accounts/staff-member.ts';
import { readStaffMember, verifyAddress } from '../accounts/staff-store.ts';
import { sendStored } from '../due/outbox.ts';
import { NotFoundError } from '../foundation/errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { type Begun, beginIn } from './begin.ts';
import { changeByLink, mayStillChange } from './change-address.ts';
import { exchange, readSignIn } from './store.ts';
import { hashOfToken } from './token.ts';

/** A link that works. */
export interface LiveLink {
  readonly member: StaffMember;
  /** The address that it makes the member's; undefined if it only signs in. */
  readonly newAddress?: string;
}

/**
 * Returns what a link does. It signs in only the address that it was sent to, or makes that address the member's if it was asked for.
 * @throws NotFoundError if the token is unknown, used or expired at `now` (epoch ms), if its member was removed or suspended since, or if the member
 * has another address by now
 */
export const findLink = async (token: string, now: number): Promise<LiveLink> => {
  const link = await readSignIn(hashOfToken(token), now);
  const member = link && (await readStaffMember(link.staffId));
  if (link === undefined || member === undefined || isSuspended(member) || isVoidSince(member, link.mailedAt))
    throw deadLink();
  const { email } = link;
  if (normalizedEmail(email) === normalizedEmail(member.email)) return { member };
  if (email === member.next_email && (await mayStillChange(member))) return { member, newAddress: email };
  throw deadLink();
};

/** Signs in the browser that sent these headers. @throws NotFoundError, as `findLink`, and if another request was faster */
export const signIn = async (token: string, headers: HttpRequest['headers'], now: number): Promise<Begun> => {
  const { member, newAddress } = await findLink(token, now);
  const begun = beginIn(headers, member, now);
  const change = newAddress === undefined ? undefined : changeByLink(member, newAddress, now);
  // The mail has reached the address.
  const verified = member.unverified === true ? [verifyAddress(member.id)] : [];
  if (!(await exchange(hashOfToken(token), begun.session, [...begun.writes, ...(change?.writes ?? verified)])))
    throw deadLink();
  await sendStored(change?.messages ?? []);
  return begun;
};

const deadLink = (): NotFoundError =>
  new NotFoundError('The token is unknown, was used or has expired.', {
    property: 'token',
    help: 'Request another link with POST /admin/session/.',
  });
