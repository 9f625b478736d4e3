/** Where invites lie in the table: all in one partition, since they are few; each address points at its newest. */

import { assignToInvite, moveToStaff } from '../accounts/address.ts';
import type { StaffMember } from '../accounts/staff-member.ts';
import { putStaffMember } from '../accounts/staff-store.ts';
import { dueAt } from '../due/due-index.ts';
import type { InviteId } from '../foundation/ids.ts';
import { allOf, anyOf, below, type Change, type Condition, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get } from '../table/item.ts';
import { updateOnce } from '../table/once.ts';
import { query } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import { transact } from '../table/transaction.ts';
import { type Invite, type InviteState, openStates, type StateChange } from './invite.ts';

export const inviteKey = (id: InviteId): Key => ({ pk: 'INVITES', sk: `INVITE#${id}` });

/** The invite that a key of the index of what is due stands for. */
export const inviteOfDue = ({ pk, sk }: Key): InviteId | undefined =>
  pk === 'INVITES' ? (sk.slice('INVITE#'.length) as InviteId) : undefined;

export const readInvite = (id: InviteId): Promise<Invite | undefined> => get<Invite>(inviteKey(id));

/** A page of invites, newest first, from behind `after`; `next` is undefined where it is the last. */
export const pageOfInvites = async (
  limit: number,
  after: InviteId | undefined,
): Promise<{ invites: Invite[]; next: InviteId | undefined }> => {
  const { items, next } = await query<Invite>('INVITES', {
    newestFirst: true,
    limit,
    after: after && inviteKey(after),
  });
  return { invites: items, next: next && inviteOfDue(next) };
};

/**
 * Puts invites and points their addresses at them, all or none; 50 at most, since a transaction has 100 writes.
 * Whatever an address pointed at before is void from this moment. `due` is when the sweep looks whether the mail left, in epoch ms.
 * Gives the positions of the addresses that a staff member has got meanwhile; none where all went well.
 */
export const putInvites = async (invites: readonly Invite[], due: number): Promise<number[]> => {
  const { refusal } = await tryWrite(
    transact(
      invites.flatMap((invite) => [
        {
          kind: 'put',
          item: { ...inviteKey(invite.id), ...invite, ...dueAt(inviteKey(invite.id), due) },
          condition: missing(),
        },
        assignToInvite(invite.email, invite.id),
      ]),
    ),
  );
  return [...new Set([...(refusal?.failed ?? [])].map((position) => Math.floor(position / 2)))];
};

const noMoreDue = ['due', 'due_at', 'claimed_until'];

const move = ({ status, at, reason }: StateChange): Change => ({
  set: { status, updated_at: at },
  append: { history: [{ status, at, ...(reason !== undefined && { reason }) }] },
  remove: noMoreDue,
});

const isOneOf = (...states: readonly InviteState[]): Condition => anyOf(...states.map((state) => is('status', state)));

const stillPending = ({ mailing }: Invite): Condition => allOf(is('status', 'pending'), is('mailing', mailing));

/**
 * Takes a pending invite for one worker, until a time in epoch ms, and keeps the hashes with that of the token it is about to
 * mail. False where somebody else has it, or it is not what was read any more.
 */
export const claimInvite = (invite: Invite, hashes: readonly string[], now: number, until: number): Promise<boolean> =>
  changed(
    invite.id,
    { set: { token_hashes: hashes, attempts: invite.attempts + 1, claimed_until: until } },
    allOf(
      stillPending(invite),
      is('attempts', invite.attempts),
      anyOf(missing('claimed_until'), below('claimed_until', now)),
    ),
  );

/** Gives a claimed invite back with these hashes; the sweep looks after it at `due`, in epoch ms. */
export const releaseInvite = (invite: Invite, hashes: readonly string[], due: number): Promise<boolean> =>
  changed(
    invite.id,
    { set: { token_hashes: hashes, due_at: dueAt(inviteKey(invite.id), due).due_at }, remove: ['claimed_until'] },
    allOf(stillPending(invite), is('attempts', invite.attempts + 1)),
  );

/** Has the sweep look after a pending invite at `due`, in epoch ms, and not before. */
export const postponeInvite = (invite: Invite, due: number): Promise<boolean> =>
  changed(invite.id, { set: { due_at: dueAt(inviteKey(invite.id), due).due_at } }, stillPending(invite));

/** Notes what became of the mail of this mailing: `sent`, or `bounced` where SES refused it. */
export const noteMailed = (invite: Invite, change: StateChange): Promise<boolean> =>
  changed(invite.id, move(change), stillPending(invite));

/** Notes what SES said later of a mailing; an end that came before is not overwritten. */
export const noteFeedback = (id: InviteId, mailing: number, change: StateChange): Promise<boolean> =>
  changed(
    id,
    move(change),
    allOf(
      is('mailing', mailing),
      change.status === 'bounced' ? isOneOf('pending', 'sent') : isOneOf('pending', 'sent', 'bounced'),
    ),
  );

/** Notes that a newer invite has taken the address; it was void before. */
export const markReplaced = (id: InviteId, at: string): Promise<boolean> =>
  changed(id, move({ status: 'replaced', at }), isOneOf(...openStates));

/** Revokes an invite as it was read. */
export const markRevoked = (invite: Invite, at: string): Promise<boolean> =>
  changed(invite.id, move({ status: 'revoked', at }), stillOpen(invite));

/** Links of earlier mailings that a page can still explain. */
const mostOldHashes = 10;

/** Begins another mailing of an invite as it was read: new expiry (epoch ms), no link yet, the old ones dead. */
export const beginMailing = (invite: Invite, expires: number, at: string, due: number): Promise<boolean> =>
  changed(
    invite.id,
    {
      set: {
        status: 'pending',
        updated_at: at,
        expires,
        mailing: invite.mailing + 1,
        attempts: 0,
        token_hashes: [],
        old_token_hashes: [...invite.old_token_hashes, ...invite.token_hashes].slice(-mostOldHashes),
        ...dueAt(inviteKey(invite.id), due),
      },
      append: { history: [{ status: 'pending', at }] },
      remove: ['claimed_until'],
    },
    stillOpen(invite),
  );

/** Still open, and in the mailing that was read; that its mail may have left meanwhile changes nothing. */
const stillOpen = ({ mailing }: Invite): Condition => allOf(is('mailing', mailing), isOneOf(...openStates));

/** Takes an invite that needs no mail any more off the sweep's list, if it still is as it was read. */
export const forgetDue = ({ id, mailing, status }: Invite): Promise<boolean> =>
  changed(id, { remove: noMoreDue }, allOf(is('mailing', mailing), is('status', status)));

/**
 * Accepts an invite, in one transaction: it is used, its address belongs to the new member, who is there and about to be
 * announced at `due` (epoch ms). False where the invite, or its mailing, is not what was read any more.
 */
export const acceptInvite = async (invite: Invite, member: StaffMember, due: number): Promise<boolean> => {
  const { written } = await tryWrite(
    transact([
      {
        kind: 'update',
        key: inviteKey(invite.id),
        change: move({ status: 'accepted', at: member.created_at }),
        condition: stillOpen(invite),
      },
      moveToStaff(invite.email, invite.id, member.id),
      putStaffMember(member, due),
    ]),
  );
  return written;
};

const changed = async (id: InviteId, change: Change, condition: Condition): Promise<boolean> =>
  (await updateOnce(inviteKey(id), change, condition)).written;
