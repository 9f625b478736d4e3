/** Accepting an invite: a link is looked up, explained where it is dead, and used once. */

import type { Address } from '../accounts/address.ts';
import type { StaffMember } from '../accounts/staff-member.ts';
import { type Clock, minute, timestamp } from '../foundation/clock.ts';
import type { Ids, InviteId, StaffId } from '../foundation/ids.ts';
import { untilWritten } from '../table/optimistic.ts';
import { asOf, canBeAccepted, type Invite } from './invite.ts';
import { inviteOfToken, isMailedToken } from './token.ts';

interface LookupPorts {
  readonly readInvite: (id: InviteId) => Promise<Invite | undefined>;
  readonly readAddress: (email: string) => Promise<Address | undefined>;
  readonly clock: Clock;
}

/** Why a link is dead: `superseded` where a newer mail has a newer link. */
export type DeadLink = 'unknown' | 'used' | 'expired' | 'revoked' | 'superseded';

export type Link = { readonly state: 'open'; readonly invite: Invite } | { readonly state: DeadLink };

/** Looks a token up without using it. Only whoever has a token that was mailed is told more than that it is unknown. */
export const lookUp = async (ports: LookupPorts, token: string): Promise<Link> => {
  const id = inviteOfToken(token);
  const stored = id && (await ports.readInvite(id));
  if (stored === undefined) return { state: 'unknown' };
  const isCurrent = isMailedToken(token, stored.token_hashes);
  const isOld = isMailedToken(token, stored.old_token_hashes);
  if (!isCurrent && !isOld) return { state: 'unknown' };
  const now = ports.clock();
  const invite = asOf(stored, await ports.readAddress(stored.email), now);
  switch (invite.status) {
    case 'accepted':
      return { state: 'used' };
    case 'revoked':
      return { state: 'revoked' };
    case 'replaced':
      return { state: 'superseded' };
    default:
      if (isOld) return { state: 'superseded' };
      return canBeAccepted(invite, now) ? { state: 'open', invite } : { state: 'expired' };
  }
};

/** Whether an invitation to this address is open: all that somebody without a token can learn, and nothing about accounts. */
export const hasOpenInvite = async (ports: LookupPorts, email: string): Promise<boolean> => {
  const address = await ports.readAddress(email);
  if (address?.holder !== 'invite') return false;
  const invite = await ports.readInvite(address.invite_id);
  const now = ports.clock();
  return invite !== undefined && canBeAccepted(asOf(invite, address, now), now);
};

interface Ports extends LookupPorts {
  readonly ids: Ids;
  readonly acceptInvite: (invite: Invite, member: StaffMember, due: number) => Promise<boolean>;
  /** Publishes `staff.added`, or leaves it to the sweep; never fails. */
  readonly announce: (member: StaffMember) => Promise<void>;
}

/** The sweep announces a colleague whom the accepting function has not announced by then. */
const announceDueMs = minute;

/**
 * Accepts with a token: the invite is used and its address has a new staff member, or nothing has happened. Gives the member,
 * or why the link is dead. `checkAddress` may refuse the invite's address by throwing.
 */
export const accept = async (
  ports: Ports,
  { token, name }: { readonly token: string; readonly name: string },
  checkAddress: (email: string) => void = () => {},
): Promise<{ readonly state: 'accepted'; readonly member: StaffMember } | { readonly state: DeadLink }> => {
  return untilWritten('an invite', async () => {
    const link = await lookUp(ports, token);
    if (link.state !== 'open') return link;
    const { invite } = link;
    checkAddress(invite.email);
    const now = ports.clock();
    const member = {
      id: ports.ids<StaffId>(),
      name,
      email: invite.email,
      role: invite.role,
      created_at: timestamp(now),
    };
    if (!(await ports.acceptInvite(invite, member, now + announceDueMs))) return undefined;
    await ports.announce(member);
    return { state: 'accepted' as const, member };
  });
};
