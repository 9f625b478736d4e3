/**
 * Invites as they are now: as stored, with the guards of their addresses and with their inviters.
 *
 * An invite is void as soon as its inviter is removed: the write that removes a staff member or begins to delete an integration
 * revokes their open invites, without a list of them. No invite can slip through, also none whose request or mail is under way.
 */
import { normalizedEmail, readAddress, readAddresses } from '../accounts/address.ts';
import { ownerId, removedOwners } from '../accounts/removed-owners.ts';
import { asOf, type Invite, isOpen } from './invite.ts';

/** Returns these invites as of `now` (epoch ms), in their order. */
export const asOfNow = async (invites: readonly Invite[], now: number): Promise<Invite[]> => {
  // All others are as stored: a list may consist of dead ones.
  const open = invites.filter(({ status }) => isOpen(status));
  const [addresses, removed] = await Promise.all([
    readAddresses(open.map(({ email }) => email)),
    removedInviters(open),
  ]);
  const byEmail = new Map(addresses.map((address) => [address.email, address]));
  return invites.map((invite) =>
    asOf(invite, byEmail.get(normalizedEmail(invite.email)), isRemoved(invite, removed), now),
  );
};

/** Returns one invite as of `now` (epoch ms). */
export const currentInvite = async (invite: Invite, now: number): Promise<Invite> => {
  const [address, removed] = await Promise.all([readAddress(invite.email), removedInviters([invite])]);
  return asOf(invite, address, isRemoved(invite, removed), now);
};

const removedInviters = (invites: readonly Invite[]): Promise<ReadonlySet<string>> =>
  removedOwners(invites.flatMap(({ invited_by }) => invited_by ?? []));

const isRemoved = ({ invited_by }: Invite, removed: ReadonlySet<string>): boolean =>
  invited_by !== undefined && removed.has(ownerId(invited_by));
