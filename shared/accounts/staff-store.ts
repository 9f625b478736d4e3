/** Reads and writes staff members: all in one partition of the table, because they are few. */
import { dueAt } from '../due/due-index.ts';
import type { StaffId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { exists, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, update } from '../table/item.ts';
import { queryAll } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import type { StaffMember } from './staff-member.ts';

const staffKey = (id: StaffId): Key => ({ pk: 'STAFF', sk: `STAFF#${id}` });

/** Returns the member of a due key, whose announcement is due; undefined for other keys. */
export const unannouncedStaffOfDue = ({ pk, sk }: Key): StaffId | undefined =>
  pk === 'STAFF' ? (sk.slice('STAFF#'.length) as StaffId) : undefined;

export const readStaffMember = (id: StaffId): Promise<StaffMember | undefined> => get<StaffMember>(staffKey(id));

export const listStaffMembers = (): Promise<StaffMember[]> => queryAll<StaffMember>('STAFF');

export const readStaffMembers = (ids: readonly StaffId[]): Promise<StaffMember[]> =>
  getMany<StaffMember>(ids.map(staffKey));

/**
 * Returns the write that creates a member; the same transaction assigns the address. With `announceDue` (epoch ms) the
 * sweep announces the member at that time, unless `markAnnounced` comes first.
 */
export const putStaffMember = (member: StaffMember, announceDue?: number): Write => ({
  kind: 'put',
  item: {
    ...staffKey(member.id),
    ...member,
    ...(announceDue !== undefined && dueAt(staffKey(member.id), announceDue)),
  },
  condition: missing(),
});

/** Removes the mark of the sweep: the announcement is in the events queue. */
export const markAnnounced = async (id: StaffId): Promise<void> => {
  await tryWrite(update(staffKey(id), { remove: ['due', 'due_at'] }, exists()));
};
