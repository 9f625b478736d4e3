/** Finds the session of a cookie and its member. Both are cached for four seconds in each environment, like keys. */
import { createCache } from '../foundation/cache.ts';
import type { Caller, FindSession } from '../foundation/caller.ts';
import { type Clock, systemClock } from '../foundation/clock.ts';
import type { SessionId, StaffId } from '../foundation/ids.ts';
import { maxAgeMs } from './find-api-key.ts';
import { hasEnded, idsOfCookie, isCookieOf, type Session } from './session.ts';
import { readSession } from './session-store.ts';
import { isSuspended, isVoidSince, type StaffMember } from './staff-member.ts';
import { readStaffMember } from './staff-store.ts';

interface Ports {
  readonly readSession: (staffId: StaffId, id: SessionId) => Promise<Session | undefined>;
  readonly readStaffMember: (id: StaffId) => Promise<StaffMember | undefined>;
  readonly clock: Clock;
}

interface Found {
  readonly readAt: number;
  readonly session: Session;
  readonly caller: Caller;
}

/** Creates a finder with its own cache. A removed member has no session. */
export const sessionFinder = ({ readSession, readStaffMember, clock }: Ports): FindSession => {
  // Unknown sessions are not cached, so that hostile clients cannot fill the cache.
  const cache = createCache<SessionId, Found>({ max: 500 });
  const read = async (staffId: StaffId, sessionId: SessionId, readAt: number): Promise<Found | undefined> => {
    const [session, member] = await Promise.all([readSession(staffId, sessionId), readStaffMember(staffId)]);
    if (session === undefined || member === undefined) return undefined;
    if (!isSuspended(member) && isVoidSince(member, session.created_at)) return undefined;
    const { role, name, email } = member;
    const suspended = isSuspended(member) ? ({ isSuspended: true } as const) : {};
    return { readAt, session, caller: { kind: 'staff', sessionId, staffId, role, name, email, ...suspended } };
  };
  const find = async (cookie: string): Promise<Caller | undefined> => {
    const ids = idsOfCookie(cookie);
    if (ids === undefined) return undefined;
    const now = clock();
    const cached = cache.get(ids.sessionId);
    const isFresh = cached !== undefined && now - cached.readAt < maxAgeMs;
    const found = isFresh ? cached : await read(ids.staffId, ids.sessionId, now);
    if (found === undefined || hasEnded(found.session, now)) {
      cache.remove(ids.sessionId);
      return undefined;
    }
    if (!isCookieOf(found.session, cookie)) return undefined;
    if (!isFresh) cache.set(ids.sessionId, found);
    return found.caller;
  };
  const isKnown = (cookie: string): boolean => {
    const known = cache.get(idsOfCookie(cookie)?.sessionId ?? ('' as SessionId));
    return known !== undefined && isCookieOf(known.session, cookie);
  };
  return Object.assign(find, { isKnown });
};

export const findSession: FindSession = sessionFinder({ readSession, readStaffMember, clock: systemClock });
