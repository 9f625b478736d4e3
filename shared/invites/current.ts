/**
 * Invites as they are now: the stored invite, combined with the guard of its address and with its inviter. An invite is
 * void for good once its inviter cannot assign its role. So the write that demotes or removes a member, or begins to
 * delete an integration, revokes all their invites unread, even while a request, mail or acceptance is in progress.
 */
import { type Address, addressKey } from '../accounts/address.ts';
import { checkInUse } from '../accounts/integration-guard.ts';
import { hasKeptSince, hasLostSince } from '../accounts/lost-roles.ts';
import { keyOfOwner, type OwnerItem, ownerId } from '../accounts/removed-owners.ts';
import { type Assigner, assignableRoles, rolesThatAssign } from '../accounts/role.ts';
import { staffKey } from '../accounts/staff-store.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { settings } from '../foundation/environment.ts';
import { getMany } from '../table/batch.ts';
import { allOf, anyOf, is } from '../table/condition.ts';
import { distinct } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import { asOf, type Invite, isOpen } from './invite.ts';

/** An invite as of now; `inviter` is undefined if the inviter was removed, or the invite is not open. */
export interface CurrentInvite {
  readonly invite: Invite;
  readonly inviter: Assigner | undefined;
}

/** Returns these invites as of `now` with their inviters, in their order. */
export const withInviters = async (invites: readonly Invite[], now: number): Promise<CurrentInvite[]> => {
  // All others are as stored; a list may consist of dead ones only.
  const open = invites.filter(({ status }) => isOpen(status));
  // In the same request for a single invite, because its page waits for it.
  const found = await getMany<Address | OwnerItem>(
    distinct([...open.map(({ email }) => addressKey(email)), ...open.map(({ invited_by }) => keyOfOwner(invited_by))]),
  );
  const addresses = new Map(found.filter(isAddress).map((address) => [address.email, address]));
  const owners = new Map(found.filter(isOwner).map((owner) => [owner.id, owner]));
  return invites.map((invite) => {
    const inviter = inviterOf(invite, owners);
    const mayInvite =
      inviter !== undefined &&
      assignableRoles(inviter, settings().roles).includes(invite.role) &&
      !hasLostSince(owners.get(ownerId(invite.invited_by)) ?? {}, invite.role, invite.created_at);
    return { invite: asOf(invite, addresses.get(normalizedEmail(invite.email)), mayInvite, now), inviter };
  });
};

/** Returns these invites as of `now` (epoch ms), in their order. */
export const asOfNow = async (invites: readonly Invite[], now: number): Promise<Invite[]> =>
  (await withInviters(invites, now)).map(({ invite }) => invite);

/** Returns one invite as of `now` (epoch ms). */
export const currentInvite = async (invite: Invite, now: number): Promise<Invite> => {
  const [current = invite] = await asOfNow([invite], now);
  return current;
};

/** Returns the write that fails unless the inviter can assign the role, and always could since the invite. */
export const checkInviter = ({
  invited_by,
  role,
  created_at,
}: Pick<Invite, 'invited_by' | 'role' | 'created_at'>): Write =>
  invited_by.kind === 'integration'
    ? checkInUse(invited_by.integration_id)
    : {
        kind: 'check',
        key: staffKey(invited_by.staff_id),
        condition: allOf(
          anyOf(...rolesThatAssign(role, settings().roles).map((one) => is('role', one))),
          hasKeptSince(role, created_at),
        ),
      };

const isAddress = (item: Address | OwnerItem): item is Address => 'holder' in item;
const isOwner = (item: Address | OwnerItem): item is OwnerItem => !isAddress(item);

const inviterOf = ({ invited_by }: Invite, owners: ReadonlyMap<string, OwnerItem>): Assigner | undefined => {
  const owner = owners.get(ownerId(invited_by));
  if (owner === undefined || owner.deleting_since !== undefined) return undefined;
  return invited_by.kind === 'staff' ? { kind: 'staff', role: owner.role ?? '' } : { kind: 'integration' };
};
