/** The guard item of an email address names its open invite, or the staff member who has the address. */
import { normalizedEmail } from '../foundation/email.ts';
import type { InviteId, StaffId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { allOf, anyOf, is, isNot, missing } from '../table/condition.ts';
import { get, update } from '../table/item.ts';
import { tryOnce } from '../table/once.ts';
import { distinct, type Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';

/** `expires_at`: when DynamoDB may delete an invite's address, in epoch seconds; a staff member's guard is kept. */
export type Address = { readonly email: string; readonly expires_at?: number } & (
  | { readonly holder: 'invite'; readonly invite_id: InviteId }
  /** `invite_id` is the invite that the member has accepted, if any. */
  | { readonly holder: 'staff'; readonly staff_id: StaffId; readonly invite_id?: InviteId }
);

/** Returns the key of an address's guard. */
export const addressKey = (email: string): Key => ({ pk: `ADDRESS#${normalizedEmail(email)}`, sk: 'ADDRESS' });

export const readAddress = (email: string): Promise<Address | undefined> => get<Address>(addressKey(email));

/** Reads the guards of these addresses, without those of free addresses; duplicates are read once. */
export const readAddresses = (emails: readonly string[]): Promise<Address[]> =>
  getMany<Address>(distinct(emails.map(addressKey)));

/** Returns the write that assigns an unchanged address to its newest invite until `expires_at` (epoch seconds). */
export const assignToInvite = (
  email: string,
  inviteId: InviteId,
  before: Address | undefined,
  expires_at: number | undefined,
): Write => ({
  kind: 'put',
  item: { ...addressKey(email), email: normalizedEmail(email), holder: 'invite', invite_id: inviteId, expires_at },
  condition:
    before?.invite_id === undefined ? missing() : allOf(is('holder', 'invite'), is('invite_id', before.invite_id)),
});

/** Keeps the address of an invite until a time in epoch seconds, unless it has another holder. */
export const keepForInvite = async (email: string, inviteId: InviteId, expires_at: number): Promise<void> => {
  const isItsOwn = allOf(is('holder', 'invite'), is('invite_id', inviteId));
  await tryOnce(update(addressKey(email), { set: { expires_at } }, isItsOwn), async () => {
    const [address] = await readAddresses([email]);
    return address?.expires_at === expires_at;
  });
};

/** Returns the write that assigns an address to a staff member; it fails when another member has the address. */
export const assignToStaff = (email: string, staffId: StaffId): Write => ({
  kind: 'put',
  item: { ...addressKey(email), email: normalizedEmail(email), holder: 'staff', staff_id: staffId },
  condition: anyOf(missing(), isNot('holder', 'staff')),
});

/** Returns the write that moves an address from its invite to the new member; fails if it names another invite. */
export const moveToStaff = (email: string, inviteId: InviteId, staffId: StaffId): Write => ({
  kind: 'put',
  item: {
    ...addressKey(email),
    email: normalizedEmail(email),
    holder: 'staff',
    staff_id: staffId,
    invite_id: inviteId,
  },
  condition: allOf(is('holder', 'invite'), is('invite_id', inviteId)),
});

/** Returns the write that frees the address of a staff member; it fails when it belongs to another holder. */
export const releaseFromStaff = (email: string, staffId: StaffId): Write => ({
  kind: 'delete',
  key: addressKey(email),
  condition: anyOf(missing(), is('staff_id', staffId)),
});
