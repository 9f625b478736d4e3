/** One guard an e-mail address: it points at the address's open invite, or says that a staff member has it. */
import type { InviteId, StaffId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { allOf, anyOf, is, isNot, missing } from '../table/condition.ts';
import { get } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';

export type Address = { readonly email: string } & (
  | { readonly holder: 'invite'; readonly invite_id: InviteId }
  /** `invite_id` is the invite that the member has accepted, where there was one. */
  | { readonly holder: 'staff'; readonly staff_id: StaffId; readonly invite_id?: InviteId }
);

/** Addresses are compared without regard to case (wire contract, field rule `email`). */
export const sameAddress = (email: string): string => email.toLowerCase();

const addressKey = (email: string): Key => ({ pk: `ADDRESS#${sameAddress(email)}`, sk: 'ADDRESS' });

export const readAddress = (email: string): Promise<Address | undefined> => get<Address>(addressKey(email));

/** Those of these addresses that anybody has; the same address may come more than once. */
export const readAddresses = (emails: readonly string[]): Promise<Address[]> =>
  getMany<Address>([...new Set(emails.map(sameAddress))].map(addressKey));

/** The write that points an address at its newest invite; fails where a staff member has the address. */
export const pointAtInvite = (email: string, inviteId: InviteId): Write => ({
  kind: 'put',
  item: { ...addressKey(email), email: sameAddress(email), holder: 'invite', invite_id: inviteId },
  condition: anyOf(missing(), isNot('holder', 'staff')),
});

/** The write that gives an address to a member; fails where another one has it. */
export const giveToStaff = (email: string, staffId: StaffId): Write => ({
  kind: 'put',
  item: { ...addressKey(email), email: sameAddress(email), holder: 'staff', staff_id: staffId },
  condition: anyOf(missing(), isNot('holder', 'staff')),
});

/** The write that gives an invite's address to its new member; fails where the address points elsewhere meanwhile. */
export const takeFromInvite = (email: string, inviteId: InviteId, staffId: StaffId): Write => ({
  kind: 'put',
  item: { ...addressKey(email), email: sameAddress(email), holder: 'staff', staff_id: staffId, invite_id: inviteId },
  condition: allOf(is('holder', 'invite'), is('invite_id', inviteId)),
});
