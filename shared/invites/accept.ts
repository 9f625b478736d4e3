/** Accepts an invite: looks a link up, explains why it is dead, and uses it once. */
import { readAddress } from '../accounts/address.ts';
import { staffAdded } from '../accounts/staff-events.ts';
import type { StaffMember } from '../accounts/staff-member.ts';
import { sendStored } from '../due/outbox.ts';
import { systemClock, timestamp } from '../foundation/clock.ts';
import type { StaffId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { untilWritten } from '../table/optimistic.ts';
import { currentInvite } from './current.ts';
import { canBeAccepted, type Invite, isOpen } from './invite.ts';
import { acceptInvite, readInvite } from './store.ts';
import { inviteOfToken, isIssuedToken, tokenIn } from './token.ts';

/** Why a link is dead; `superseded`: a newer mail has a newer link. */
export type DeadLink = 'unknown' | 'used' | 'expired' | 'revoked' | 'superseded';

type WithInvite = 'used' | 'expired';

export type Dead =
  | { readonly state: WithInvite; readonly invite: Invite }
  | { readonly state: Exclude<DeadLink, WithInvite> };

export type Link = { readonly state: 'open'; readonly invite: Invite } | Dead;

/** Looks up the token at a text's beginning without using it; `unknown` if Masthead did not issue it. */
export const lookUp = async (text: string): Promise<Link> => {
  const token = tokenIn(text);
  const id = token === undefined ? undefined : inviteOfToken(token);
  const stored = id === undefined ? undefined : await readInvite(id);
  if (token === undefined || stored === undefined) return { state: 'unknown' };
  const isCurrent = isIssuedToken(token, stored.token_hashes);
  const isOld = isIssuedToken(token, stored.old_token_hashes);
  if (!isCurrent && !isOld) return { state: 'unknown' };
  const now = systemClock();
  const invite = await currentInvite(stored, now);
  switch (invite.status) {
    case 'accepted':
      // The guard of the address shows an acceptance that happened after the invite was read.
      return { state: 'used', invite: isOpen(stored.status) ? ((await readInvite(stored.id)) ?? invite) : invite };
    case 'revoked':
      return { state: 'revoked' };
    case 'replaced':
      return { state: 'superseded' };
    default:
      if (isOld) return { state: 'superseded' };
      return canBeAccepted(invite, now) ? { state: 'open', invite } : { state: 'expired', invite };
  }
};

/** Returns whether this address has an open invitation: all that a client without a token learns. */
export const hasOpenInvite = async (email: string): Promise<boolean> => {
  const address = await readAddress(email);
  if (address?.holder !== 'invite') return false;
  const invite = await readInvite(address.invite_id);
  const now = systemClock();
  return invite !== undefined && canBeAccepted(await currentInvite(invite, now), now);
};

interface Acceptance {
  readonly token: string;
  readonly name: string;
  /** The hash of the form's nonce, by which the same form is recognised when it is sent again. */
  readonly form?: string | undefined;
}

/** Uses an invite and makes its address a new member's, all or nothing. `checkAddress` can refuse it by throwing. */
export const accept = (
  { token, name, form }: Acceptance,
  checkAddress: (email: string) => void = () => {},
): Promise<{ readonly state: 'accepted'; readonly member: StaffMember } | Dead> =>
  // The winner of a race uses up the invite, so the next look finds a dead link.
  untilWritten('an invite', async () => {
    const link = await lookUp(token);
    if (link.state !== 'open') return link;
    const { email, role, without_mail } = link.invite;
    checkAddress(email);
    const now = systemClock();
    const member = {
      id: newId<StaffId>(),
      name,
      email,
      role,
      created_at: timestamp(now),
      ...(without_mail && { unverified: without_mail }),
    };
    if (!(await acceptInvite(link.invite, member, form))) return undefined;
    await sendStored([staffAdded(member)]);
    return { state: 'accepted' as const, member };
  });
