/** Signs a staff member in with the token of a mailed link, which works once; looking at the link uses nothing. */

import { asTarget, isSuspended, isVoidSince, type StaffMember } from '../accounts/staff-member.ts';
import { readStaffMember, verifyAddress } from '../accounts/staff-store.ts';
import { masthead } from '../audit/entry.ts';
import { record } from '../audit/store.ts';
import { sendStored } from '../due/outbox.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { NotFoundError } from '../foundation/errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { type Begun, beginIn } from './begin.ts';
import { changeByLink, mayStillChange } from './change-address.ts';
import { exchange, readSignIn } from './store.ts';
import { hashOfToken } from './token.ts';

export interface LiveLink {
  readonly member: StaffMember;
  /** The address that it makes the member's; undefined if it only signs in. */
  readonly newAddress?: string;
}

/**
 * Looks at a link, which uses nothing. It signs in the address that it was sent to, or makes a requested one theirs.
 * @throws NotFoundError if it is over at `now`, or its member was removed, suspended or has another address
 */
export const findLink = async (token: string, now: number): Promise<LiveLink> => {
  const { live } = await lookUp(token, now);
  if (live === undefined) throw deadLink();
  return live;
};

/** As `findLink`, to sign in: the audit log has failures, unless the token was never issued. @throws as `findLink` */
export const takeLink = async (token: string, now: number): Promise<LiveLink> => {
  const { live, member } = await lookUp(token, now);
  if (live !== undefined) return live;
  if (member !== undefined) await record(masthead, 'session.refused', asTarget(member));
  throw deadLink();
};

const lookUp = async (
  token: string,
  now: number,
): Promise<{ readonly live?: LiveLink; readonly member?: StaffMember | undefined }> => {
  const link = await readSignIn(hashOfToken(token), now);
  const member = link && (await readStaffMember(link.staffId));
  if (link === undefined || member === undefined) return {};
  if (link.isOver || isSuspended(member) || isVoidSince(member, link.mailedAt)) return { member };
  const { email } = link;
  if (normalizedEmail(email) === normalizedEmail(member.email)) return { live: { member } };
  const isChange = email === member.next_email && (await mayStillChange(member));
  return isChange ? { live: { member, newAddress: email } } : { member };
};

/** Signs in the browser that sent these headers. @throws as `takeLink`, and NotFoundError after a lost race */
export const signIn = async (token: string, headers: HttpRequest['headers'], now: number): Promise<Begun> => {
  const { member, newAddress } = await takeLink(token, now);
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
