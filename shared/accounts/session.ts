/** Sessions of staff members: what is stored of them, how they are presented, and the value of their cookie. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hour, second, timestamp } from '../foundation/clock.ts';
import { sha256 } from '../foundation/hash.ts';
import { isId, type SessionId, type StaffId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { present, type Resource } from '../foundation/resource.ts';
import { deviceOf } from './device.ts';
import { sessionResource } from './resource.ts';

export const sessionMs = 12 * hour;

export interface Session {
  readonly id: SessionId;
  readonly staff_id: StaffId;
  /** The hash of the cookie's value. */
  readonly hash: string;
  readonly device: string | null;
  readonly created_at: string;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

const endOf = ({ created_at }: Session): number => Date.parse(created_at) + sessionMs;

/** Whether a session has ended at `now`; DynamoDB deletes it up to two days later. */
export const hasEnded = (session: Session, now: number): boolean => endOf(session) <= now;

/** Creates a session and its cookie: two ids and 256 random bits, for which SHA-256 suffices. */
export const newSession = (
  staffId: StaffId,
  userAgent: string | undefined,
  now: number,
): { readonly session: Session; readonly cookie: string } => {
  const id = newId<SessionId>();
  const cookie = `${staffId}${id}${randomBytes(32).toString('base64url')}`;
  return {
    session: {
      id,
      staff_id: staffId,
      hash: sha256(cookie),
      device: deviceOf(userAgent),
      created_at: timestamp(now),
      expires_at: Math.ceil((now + sessionMs) / second),
    },
    cookie,
  };
};

/** Returns the ids in the value of a cookie; undefined for a malformed one. */
export const idsOfCookie = (
  cookie: string,
): { readonly staffId: StaffId; readonly sessionId: SessionId } | undefined => {
  const staffId = cookie.slice(0, 24);
  const sessionId = cookie.slice(24, 48);
  return /^[0-9a-f]{48}[\w-]{43}$/.test(cookie) && isId<StaffId>(staffId) && isId<SessionId>(sessionId)
    ? { staffId, sessionId }
    : undefined;
};

/** Returns whether a cookie's value belongs to the session; compared in constant time. */
export const isCookieOf = ({ hash }: Session, cookie: string): boolean =>
  timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(sha256(cookie), 'hex'));

/** Presents a session. `current`: the id of the caller's; `lastUse`: the hour of its last use. Both may be absent. */
export const presentSession = (
  session: Session,
  current: SessionId | undefined,
  lastUse = session.created_at,
): Resource<typeof sessionResource> =>
  present(sessionResource, {
    ...session,
    user_id: session.staff_id,
    last_seen_at: lastUse > session.created_at ? lastUse : session.created_at,
    expires_at: timestamp(endOf(session)),
    current: session.id === current,
  });
