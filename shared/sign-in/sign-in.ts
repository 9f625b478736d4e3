/** Signs a staff member in with the token of a mailed link, which works once; looking at the link uses nothing. */
import { isSuspended, isVoidSince, type StaffMember } from '../accounts/staff-member.ts';
import { readStaffMember, verifyAddress } from '../accounts/staff-store.ts';
import { NotFoundError } from '../foundation/errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { type Begun, beginIn } from './begin.ts';
import { exchange, readSignIn } from './store.ts';
import { hashOfToken } from './token.ts';

/**
 * Returns the member whom a link signs in.
 * @throws NotFoundError if the token is unknown, used or expired at `now` (epoch ms), or its member was removed or suspended since
 */
export const memberOfLink = async (token: string, now: number): Promise<StaffMember> => {
  const link = await readSignIn(hashOfToken(token), now);
  const member = link && (await readStaffMember(link.staffId));
  if (link === undefined || member === undefined || isSuspended(member) || isVoidSince(member, link.mailedAt))
    throw deadLink();
  return member;
};

/** Signs in the browser that sent these headers. @throws NotFoundError, as `memberOfLink`, and if another request was faster */
export const signIn = async (token: string, headers: HttpRequest['headers'], now: number): Promise<Begun> => {
  const member = await memberOfLink(token, now);
  const begun = beginIn(headers, member, now);
  // The mail has reached the address.
  const verified = member.unverified === true ? [verifyAddress(member.id)] : [];
  if (await exchange(hashOfToken(token), begun.session, [...begun.writes, ...verified])) return begun;
  throw deadLink();
};

const deadLink = (): NotFoundError =>
  new NotFoundError('The token is unknown, was used or has expired.', {
    property: 'token',
    help: 'Request another link with POST /admin/session/.',
  });
