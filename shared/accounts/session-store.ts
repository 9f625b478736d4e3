/** Reads and writes sessions: those of one staff member in one partition of the table. */
import { actorOf } from '../audit/entry.ts';
import type { Target } from '../audit/resource.ts';
import { audited } from '../audit/store.ts';
import type { Caller } from '../foundation/caller.ts';
import type { SessionId, StaffId } from '../foundation/ids.ts';
import { exists, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get } from '../table/item.ts';
import { queryAll } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';
import { hasEnded, type Session } from './session.ts';
import type { StaffMember } from './staff-member.ts';

const partition = (staffId: StaffId): string => `SESSION#${staffId}`;
const tableKey = (staffId: StaffId, id: SessionId): Key => ({ pk: partition(staffId), sk: `SESSION#${id}` });

export const readSession = (staffId: StaffId, id: SessionId): Promise<Session | undefined> =>
  get<Session>(tableKey(staffId, id));

/** Returns the sessions of a member that have not ended at `now`, newest first. */
export const listSessions = async (staffId: StaffId, now: number): Promise<Session[]> =>
  (await queryAll<Session>(partition(staffId), { newestFirst: true })).filter((session) => !hasEnded(session, now));

const putSession = (session: Session): Write => ({
  kind: 'put',
  item: { ...tableKey(session.staff_id, session.id), ...session },
  condition: missing(),
});

/** Returns the writes that begin a session of a member, recorded in the audit log. */
export const beginning = (session: Session, { id, name }: Pick<StaffMember, 'id' | 'name'>): Write[] => [
  putSession(session),
  audited({ type: 'staff', id, name }, 'session.started', asTarget(session)),
];

/** Ends a session and records that in the audit log. Does nothing if it has already ended. */
export const endSession = async (session: Session, caller: Caller): Promise<void> => {
  const key = tableKey(session.staff_id, session.id);
  const entry = audited(actorOf(caller), 'session.ended', asTarget(session));
  await tryWrite(transact([{ kind: 'delete', key, condition: exists() }, entry]));
};

const asTarget = ({ id, device }: Session): Target => ({ type: 'session', id, name: device });
