/** Reads and writes the tokens of sign-in links, by their hashes, and exchanges one for a session. */
import type { Session } from '../accounts/session.ts';
import { readSession } from '../accounts/session-store.ts';
import { second, timestamp } from '../foundation/clock.ts';
import type { StaffId } from '../foundation/ids.ts';
import { exists } from '../table/condition.ts';
import { get, put } from '../table/item.ts';
import { tryOnce } from '../table/once.ts';
import type { Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';
import { linkMs } from './token.ts';

interface SignIn {
  readonly staff_id: StaffId;
  /** Until when the link works, in epoch ms. */
  readonly until: number;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

const tableKey = (hash: string): Key => ({ pk: `SIGN_IN#${hash}`, sk: 'SIGN_IN' });

/** Stores the hash of a token before its mail is sent. `now` in epoch ms. */
export const putSignIn = (hash: string, staffId: StaffId, now: number): Promise<void> => {
  const until = now + linkMs;
  const item: SignIn = { staff_id: staffId, until, expires_at: Math.ceil(until / second) };
  return put({ ...tableKey(hash), ...item });
};

/** Whose a token is, and when its mail was sent (ISO). */
interface SignInLink {
  readonly staffId: StaffId;
  readonly mailedAt: string;
}

/** Returns whose the token with this hash is; undefined if it is unknown, used or expired at `now` (epoch ms). */
export const readSignIn = async (hash: string, now: number): Promise<SignInLink | undefined> => {
  const found = await get<SignIn>(tableKey(hash));
  if (found === undefined || found.until <= now) return undefined;
  return { staffId: found.staff_id, mailedAt: timestamp(found.until - linkMs) };
};

/** Uses the token up and begins the session with these writes, all or nothing; returns false if another request was faster. */
export const exchange = async (hash: string, session: Session, begin: readonly Write[]): Promise<boolean> => {
  const { written } = await tryOnce(
    transact([{ kind: 'delete', key: tableKey(hash), condition: exists() }, ...begin]),
    async () => (await readSession(session.staff_id, session.id)) !== undefined,
  );
  return written;
};
