/** Hands the ownership over for an Owner whose mailbox is lost, as the operator. */
import { findByAddress } from '../accounts/find-staff.ts';
import { handOver } from '../accounts/hand-over.ts';
import type { StaffMember } from '../accounts/staff-member.ts';
import { operator } from '../audit/entry.ts';

/** Makes the member with this address the Owner, and returns the new Owner and the previous one. @throws NotFoundError, and what `handOver` throws */
export const handOverTo = async (email: string): Promise<[StaffMember, StaffMember]> => {
  const { id } = await findByAddress(email);
  return handOver(id, undefined, operator);
};
