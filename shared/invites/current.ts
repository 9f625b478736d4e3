/**
 * Invites as they are now: as stored, with the guards of their addresses and with their inviters.
 *
 * An invite is void as soon as its inviter is removed: the write that removes a staff member or begins to delete an integration
 * revokes their open invites, without a list of them. No invite can slip through, also none whose request or mail is under way.
 */
import { type Address, addressKey, normalizedEmail } from '../accounts/address.ts';
import { keyOfOwner, type OwnerItem, ownerId, removedAmong } from '../accounts/removed-owners.ts';
import { getMany } from '../table/batch.ts';
import { distinct } from '../table/table-key.ts';
import { asOf, type Invite, isOpen } from './invite.ts';

/** Returns these invites as of `now` (epoch ms), in their order. */
export const asOfNow = async (invites: readonly Invite[], now: number): Promise<Invite[]> => {
  // All others are as stored: a list may consist of dead ones.
  const open = invites.filter(({ status }) => isOpen(status));
  const inviters = open.map(({ invited_by }) => invited_by);
  // In one request for a single invite, whose page waits for it.
  const found = await getMany<Address | OwnerItem>(
    distinct([...open.map(({ email }) => addressKey(email)), ...inviters.map(keyOfOwner)]),
  );
  const addresses = new Map(found.filter(isAddress).map((address) => [address.email, address]));
  const removed = removedAmong(inviters, found.filter(isOwner));
  return invites.map((invite) =>
    asOf(invite, addresses.get(normalizedEmail(invite.email)), isRemoved(invite, removed), now),
  );
};

/** Returns one invite as of `now` (epoch ms). */
export const currentInvite = async (invite: Invite, now: number): Promise<Invite> => {
  const [current = invite] = await asOfNow([invite], now);
  return current;
};

const isAddress = (item: Address | OwnerItem): item is Address => 'holder' in item;
const isOwner = (item: Address | OwnerItem): item is OwnerItem => !isAddress(item);

const isRemoved = ({ invited_by }: Invite, removed: ReadonlySet<string>): boolean => removed.has(ownerId(invited_by));
