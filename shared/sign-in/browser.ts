/** Who is or was signed in in a browser. Its lasting cookie only keeps strangers from using up its requests. */
import { randomBytes } from 'node:crypto';
import { findSession } from '../accounts/find-session.ts';
import type { Caller } from '../foundation/caller.ts';
import { day, second } from '../foundation/clock.ts';
import { sha256 } from '../foundation/hash.ts';
import type { StaffId } from '../foundation/ids.ts';
import { readSessionCookie } from '../http/cookie.ts';
import type { HttpRequest } from '../http/request.ts';
import { get } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';

type StaffCaller = Extract<Caller, { kind: 'staff' }>;

/** How long a browser is recognised after its last sign-in. */
export const browserMs = 180 * day;

/** One item for each member who has signed in: several may use one browser. Only a hash of the cookie is stored. */
const tableKey = (cookie: string, member: StaffId): Key => ({
  pk: `BROWSER#${sha256(`${cookie} ${member}`)}`,
  sk: 'BROWSER',
});

/** Returns the value of a browser's cookie: the one it has, or a new one with 256 random bits. */
export const browserOf = (cookie: string | undefined): string =>
  cookie !== undefined && /^[\w-]{43}$/.test(cookie) ? cookie : randomBytes(32).toString('base64url');

/** Returns the staff member who is signed in by these headers; undefined for nobody. */
export const signedInPerson = async (headers: HttpRequest['headers']): Promise<StaffCaller | undefined> => {
  const cookie = readSessionCookie(headers);
  const caller = cookie === undefined ? undefined : await findSession(cookie);
  return caller?.kind === 'staff' ? caller : undefined;
};

/** Returns the write that remembers that a browser has signed in as a member. */
export const rememberBrowser = (cookie: string, member: StaffId, now: number): Write => ({
  kind: 'put',
  item: { ...tableKey(cookie, member), expires_at: Math.ceil((now + browserMs) / second) },
});

/** Returns whether a browser has signed in as a member, with the same work for a nonexistent one. */
export const isRemembered = async (cookie: string, member: StaffId, now: number): Promise<boolean> => {
  const found = await get<{ expires_at: number }>(tableKey(cookie, member));
  return found !== undefined && found.expires_at * second > now;
};
