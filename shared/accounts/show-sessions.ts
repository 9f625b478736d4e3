/** A staff member's sessions as clients see them. */
import type { Caller } from '../foundation/caller.ts';
import type { StaffId } from '../foundation/ids.ts';
import type { Resource } from '../foundation/resource.ts';
import { lastUses } from './last-use.ts';
import type { sessionResource } from './resource.ts';
import { presentSession } from './session.ts';
import { listSessions } from './session-store.ts';

/** Returns the sessions that have not ended at `now`, newest first; the one of the caller is marked. */
export const showSessions = async (
  of: StaffId,
  caller: Caller,
  now: number,
): Promise<Resource<typeof sessionResource>[]> => {
  const current = caller.kind === 'staff' ? caller.sessionId : undefined;
  const sessions = await listSessions(of, now);
  const uses = await lastUses(sessions.map(({ id }) => id));
  return sessions.map((session) => presentSession(session, current, uses.get(session.id)));
};
