/** Hands the ownership over for an Owner whose mailbox is lost, as the operator. */
import { readAddress } from '../accounts/address.ts';
import { handOver } from '../accounts/hand-over.ts';
import type { StaffMember } from '../accounts/staff-member.ts';
import { operator } from '../audit/entry.ts';
import { NotFoundError } from '../foundation/errors.ts';

/** Makes the member with this address the Owner, and returns the new Owner and the previous one. @throws NotFoundError, and what `handOver` throws */
export const handOverTo = async (email: string): Promise<[StaffMember, StaffMember]> => {
  const address = await readAddress(email);
  if (address?.holder !== 'staff') throw new NotFoundError(`No staff member has the address ${email}.`);
  return handOver(address.staff_id, undefined, operator);
};
