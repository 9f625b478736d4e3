/**
 * Recognises browsers that have signed in as a member before, by a cookie that outlives the session. Strangers cannot use up the requests of such a
 * browser. The cookie grants nothing else.
 */
import { randomBytes } from 'node:crypto';
import { day, second } from '../foundation/clock.ts';
import { sha256 } from '../foundation/hash.ts';
import type { StaffId } from '../foundation/ids.ts';
import { get } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';

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

/** Returns the write that remembers that a browser has signed in as a member; `now` in epoch ms. */
export const rememberBrowser = (cookie: string, member: StaffId, now: number): Write => ({
  kind: 'put',
  item: { ...tableKey(cookie, member), expires_at: Math.ceil((now + browserMs) / second) },
});

/** Returns whether a browser has signed in as a member; `now` in epoch ms. Takes the same work if the member does not exist. */
export const isRemembered = async (cookie: string, member: StaffId, now: number): Promise<boolean> => {
  const found = await get<{ expires_at: number }>(tableKey(cookie, member));
  return found !== undefined && found.expires_at * second > now;
};
