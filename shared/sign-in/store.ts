/** Reads and writes the tokens of sign-in links, by their hashes, and exchanges one for a session. */
import type { Session } from '../accounts/session.ts';
import { readSession } from '../accounts/session-store.ts';
import type { StaffMember } from '../accounts/staff-member.ts';
import { second, timestamp } from '../foundation/clock.ts';
import type { StaffId } from '../foundation/ids.ts';
import { allOf, exists, missing } from '../table/condition.ts';
import { get, put } from '../table/item.ts';
import { tryOnce } from '../table/once.ts';
import type { Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';

interface SignIn {
  readonly staff_id: StaffId;
  readonly email: string;
  /** When its mail was sent (ISO). */
  readonly mailed_at: string;
  /** Until when the link works, in epoch ms. */
  readonly until: number;
  /** Set by the sign-in. A used link stays, so that somebody who tries it again is noticed. */
  readonly used?: true;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

const tableKey = (hash: string): Key => ({ pk: `SIGN_IN#${hash}`, sk: 'SIGN_IN' });

/** Stores the hash of a token before its mail is sent to an address. `now` and how long it works in ms. */
export const putSignIn = (
  hash: string,
  { id, email }: Pick<StaffMember, 'id' | 'email'>,
  now: number,
  worksMs: number,
): Promise<void> => {
  const until = now + worksMs;
  const item: SignIn = {
    staff_id: id,
    email,
    mailed_at: timestamp(now),
    until,
    expires_at: Math.ceil(until / second),
  };
  return put({ ...tableKey(hash), ...item });
};

/** Whose a token is, and where and when (ISO) its mail was sent. */
interface SignInLink {
  readonly staffId: StaffId;
  readonly email: string;
  readonly mailedAt: string;
  readonly isOver: boolean;
}

/** Returns whose the token with this hash is at `now`; undefined if it is unknown. */
export const readSignIn = async (hash: string, now: number): Promise<SignInLink | undefined> => {
  const found = await get<SignIn>(tableKey(hash));
  if (found === undefined) return undefined;
  const isOver = found.used === true || found.until <= now;
  return { staffId: found.staff_id, email: found.email, mailedAt: found.mailed_at, isOver };
};

/** Uses the token up and begins the session, all or nothing; returns false if another request was faster. */
export const exchange = async (hash: string, session: Session, begin: readonly Write[]): Promise<boolean> => {
  const { written } = await tryOnce(
    transact([
      {
        kind: 'update',
        key: tableKey(hash),
        change: { set: { used: true } },
        condition: allOf(exists(), missing('used')),
      },
      ...begin,
    ]),
    async () => (await readSession(session.staff_id, session.id)) !== undefined,
  );
  return written;
};
