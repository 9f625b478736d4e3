/** Reads and writes sessions: those of one staff member in one partition of the table. */
import type { SessionId, StaffId } from '../foundation/ids.ts';
import { missing } from '../table/condition.ts';
import { get, put, remove } from '../table/item.ts';
import { queryAll } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import { hasEnded, type Session } from './session.ts';

const partition = (staffId: StaffId): string => `SESSION#${staffId}`;
const tableKey = (staffId: StaffId, id: SessionId): Key => ({ pk: partition(staffId), sk: `SESSION#${id}` });

export const readSession = (staffId: StaffId, id: SessionId): Promise<Session | undefined> =>
  get<Session>(tableKey(staffId, id));

/** Returns the sessions of a member that have not ended at `now` (epoch ms), newest first. */
export const listSessions = async (staffId: StaffId, now: number): Promise<Session[]> =>
  (await queryAll<Session>(partition(staffId), { newestFirst: true })).filter((session) => !hasEnded(session, now));

/** Returns the write that begins a session. */
export const putSession = (session: Session): Write => ({
  kind: 'put',
  item: { ...tableKey(session.staff_id, session.id), ...session },
  condition: missing(),
});

/** Begins a session for a member who has just joined. */
export const beginSession = (session: Session): Promise<void> =>
  put({ ...tableKey(session.staff_id, session.id), ...session });

/** Ends a session; one that has ended is no error. */
export const endSession = (staffId: StaffId, id: SessionId): Promise<void> => remove(tableKey(staffId, id));
