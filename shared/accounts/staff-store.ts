/** Where staff members lie in the table: all in one partition, since they are few. */

import type { StaffId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { exists, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { dueAt } from '../table/due.ts';
import { get, update } from '../table/item.ts';
import { queryAll } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import type { StaffMember } from './staff-member.ts';

const staffKey = (id: StaffId): Key => ({ pk: 'STAFF', sk: `STAFF#${id}` });

/** The member that a key of the index of what is due stands for: one that is not announced yet. */
export const newColleagueOfDue = ({ pk, sk }: Key): StaffId | undefined =>
  pk === 'STAFF' ? (sk.slice('STAFF#'.length) as StaffId) : undefined;

export const readStaffMember = (id: StaffId): Promise<StaffMember | undefined> => get<StaffMember>(staffKey(id));

/** All of them; they are few. */
export const listStaffMembers = (): Promise<StaffMember[]> => queryAll<StaffMember>('STAFF');

export const readStaffMembers = (ids: readonly StaffId[]): Promise<StaffMember[]> =>
  getMany<StaffMember>(ids.map(staffKey));

/** The write that makes somebody a member; the guard of the address is another, in the same transaction. */
export const putStaffMember = (member: StaffMember): Write => ({
  kind: 'put',
  item: { ...staffKey(member.id), ...member },
  condition: missing(),
});

/** The same, with the announcement of the new member due (epoch ms) until `markAnnounced`. */
export const putNewColleague = (member: StaffMember, due: number): Write => ({
  kind: 'put',
  item: { ...staffKey(member.id), ...member, ...dueAt(staffKey(member.id), due) },
  condition: missing(),
});

/** The announcement is in the events queue: the sweep has nothing to do any more. */
export const markAnnounced = async (id: StaffId): Promise<void> => {
  await tryWrite(update(staffKey(id), { remove: ['due', 'due_at'] }, exists()));
};
