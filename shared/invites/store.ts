/** Reads and writes invites: few, so in one partition. The item of an address names its newest invite. */
import { type Address, assignToInvite, keepForInvite, moveToStaff, readAddresses } from '../accounts/address.ts';
import { staffAdded } from '../accounts/staff-events.ts';
import { asTarget, type StaffMember, shownToAudit } from '../accounts/staff-member.ts';
import { putStaffMember } from '../accounts/staff-store.ts';
import { changesBetween } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import { dueAt } from '../due/due-index.ts';
import { storeMessage } from '../due/outbox.ts';
import { second, systemClock } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import type { InviteId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { allOf, anyOf, below, type Change, type Condition, is, missing } from '../table/condition.ts';
import { get } from '../table/item.ts';
import { tryOnce, updateOnce, updateOnceWith } from '../table/once.ts';
import { query } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';
import { checkInviter } from './current.ts';
import { type Invite, openStates, type StateChange } from './invite.ts';
import type { InviteState } from './resource.ts';
import { maxTokens } from './token.ts';

export const inviteKey = (id: InviteId): Key => ({ pk: 'INVITES', sk: `INVITE#${id}` });

/** Returns the id of the invite that has this key. */
export const inviteOfKey = ({ sk }: Key): InviteId => sk.slice('INVITE#'.length) as InviteId;

/** DynamoDB deletes expired items up to two days late. */
const isKept = ({ expires_at }: Pick<Invite, 'expires_at'>): boolean => expires_at * second > systemClock();

/** Reads an invite; undefined if it does not exist or has expired. */
export const readInvite = async (id: InviteId): Promise<Invite | undefined> => {
  const invite = await get<Invite>(inviteKey(id));
  return invite !== undefined && isKept(invite) ? invite : undefined;
};

/** Reads a page of invites, newest first, starting after `after`; `next` is undefined on the last page. */
export const pageOfInvites = async (
  limit: number,
  after: InviteId | undefined,
): Promise<{ invites: Invite[]; next: InviteId | undefined }> => {
  const { items, next } = await query<Invite>('INVITES', {
    newestFirst: true,
    limit,
    after: after && inviteKey(after),
  });
  return { invites: items.filter(isKept), next: next && inviteOfKey(next) };
};

/** Reads the newest invites whose ids are from `from` to `to`, newest first. */
export const rangeOfInvites = async ({
  from,
  to,
  limit,
}: {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}): Promise<{ invites: Invite[]; isComplete: boolean }> => {
  const between = [`INVITE#${from}`, `INVITE#${to}`] as const;
  const { items, next } = await query<Invite>('INVITES', { between, newestFirst: true, limit });
  return { invites: items, isComplete: next === undefined };
};

/** Reads invites by their ids, in any order. */
export const readInvites = async (ids: readonly InviteId[]): Promise<Invite[]> =>
  (await getMany<Invite>(ids.map(inviteKey))).filter(isKept);

/** Writes up to 50 invites and their addresses, all or none; false if an address changed. The sweep checks at `due`. */
export const putInvites = async (
  invites: readonly { readonly invite: Invite; readonly due: number | undefined }[],
  addresses: readonly Address[],
): Promise<boolean> => {
  const before = new Map(addresses.map((address) => [address.email, address]));
  const { written } = await tryOnce(
    transact(
      invites.flatMap(({ invite, due }) => [
        {
          kind: 'put',
          item: {
            ...inviteKey(invite.id),
            ...invite,
            ...(due !== undefined && dueAt(inviteKey(invite.id), due)),
          },
          condition: missing(),
        },
        assignToInvite(invite.email, invite.id, before.get(normalizedEmail(invite.email)), invite.expires_at),
      ]),
    ),
    // Their ids are new, so that no other request can have written them.
    async () => (await readInvites(invites.map(({ invite }) => invite.id))).length === invites.length,
  );
  return written;
};

const claimAndDue = ['due', 'due_at', 'claimed_until'];

const move = ({ status, at, reason }: StateChange): Change => ({
  set: { status, updated_at: at },
  append: { history: [{ status, at, ...(reason !== undefined && { reason }) }] },
  remove: claimAndDue,
});

const isOneOf = (...states: readonly InviteState[]): Condition => anyOf(...states.map((state) => is('status', state)));

const stillPending = ({ mailing }: Invite): Condition => allOf(is('status', 'pending'), is('mailing', mailing));

/** Claims a pending invite until a time (epoch ms) and sets its hashes, one new; false if it has changed. */
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

/** Releases a claimed invite, which keeps `hashes`; the sweep checks it at `due` (epoch ms). */
export const releaseInvite = (invite: Invite, hashes: readonly string[], due: number): Promise<boolean> =>
  changed(
    invite.id,
    { set: { token_hashes: hashes, due_at: dueAt(inviteKey(invite.id), due).due_at }, remove: ['claimed_until'] },
    allOf(stillPending(invite), is('attempts', invite.attempts + 1)),
  );

/** Postpones the sweep's check of a pending invite to `due` (epoch ms). */
export const postponeInvite = (invite: Invite, due: number): Promise<boolean> =>
  changed(invite.id, { set: { due_at: dueAt(inviteKey(invite.id), due).due_at } }, stillPending(invite));

/** Records the outcome of this mailing: `sent`, or `bounced` if SES refused the mail. */
export const noteMailed = (invite: Invite, change: StateChange): Promise<boolean> =>
  changed(invite.id, move(change), stillPending(invite));

/** Adds the hash of a link to an invitation that was mailed; false at `maxTokens`, since no earlier link makes way. */
export const addLink = async ({ id, mailing, token_hashes }: Invite, hash: string): Promise<boolean> =>
  token_hashes.length < maxTokens &&
  changed(
    id,
    { append: { token_hashes: [hash] } },
    allOf(is('status', 'sent'), is('mailing', mailing), is('token_hashes', token_hashes)),
  );

/** Records later feedback of SES on a mailing; a final state is not overwritten. */
export const noteFeedback = (id: InviteId, mailing: number, change: StateChange): Promise<boolean> =>
  changed(
    id,
    move(change),
    allOf(
      is('mailing', mailing),
      change.status === 'bounced' ? isOneOf('pending', 'sent') : isOneOf('pending', 'sent', 'bounced'),
    ),
  );

/** Records that a newer invite took the address, which has made this one void. */
export const markReplaced = (id: InviteId, at: string): Promise<boolean> =>
  changed(id, move({ status: 'replaced', at }), isOneOf(...openStates));

/** Revokes an invite with the writes in `more`, unless it has changed. A forgiven one no longer counts as bounced. */
export const markRevoked = (
  invite: Invite,
  at: string,
  isForgiven: boolean,
  more: readonly Write[],
): Promise<boolean> => {
  const { set, ...moved } = move({ status: 'revoked', at });
  const change = { ...moved, set: { ...set, ...(isForgiven && { is_forgiven: true }) } };
  return changedWith(invite.id, change, stillOpen(invite), more);
};

/** Links of earlier mailings that the page can still explain. */
const maxOldHashes = 10;

/** When the link of a mailing expires (epoch ms), and when the invite may be deleted (epoch seconds). */
type Ends = Pick<Invite, 'expires' | 'expires_at'>;

/** Starts another mailing with the writes in `more`, unless the invite has changed. The address is kept longer. */
export const beginMailing = async (
  invite: Invite,
  ends: Ends,
  at: string,
  due: number,
  more: readonly Write[],
): Promise<boolean> => {
  await keepForInvite(invite.email, invite.id, ends.expires_at);
  return changedWith(
    invite.id,
    {
      set: {
        status: 'pending',
        updated_at: at,
        ...ends,
        mailing: invite.mailing + 1,
        attempts: 0,
        token_hashes: [],
        old_token_hashes: [...invite.old_token_hashes, ...invite.token_hashes].slice(-maxOldHashes),
        ...dueAt(inviteKey(invite.id), due),
      },
      append: { history: [{ status: 'pending', at }] },
      remove: ['claimed_until', 'without_mail'],
    },
    // It fails if a mail was sent after the read: the page of that mail's link would say that it never existed.
    allOf(stillOpen(invite), is('attempts', invite.attempts)),
    more,
  );
};

/** The invite is open and still in the mailing that was read. It may have been mailed in the meantime. */
const stillOpen = ({ mailing }: Invite): Condition => allOf(is('mailing', mailing), isOneOf(...openStates));

/** Removes an invite that needs no mail from the due index, unless it has changed since it was read. */
export const forgetDue = ({ id, mailing, status }: Invite): Promise<boolean> =>
  changed(id, { remove: claimAndDue }, allOf(is('mailing', mailing), is('status', status)));

/** Accepts an invite; `form` is the hash of the form's nonce. False if it has changed or its inviter lost the right. */
export const acceptInvite = async (invite: Invite, member: StaffMember, form: string | undefined): Promise<boolean> => {
  const { set, ...moved } = move({ status: 'accepted', at: member.created_at });
  const { written } = await tryOnce(
    transact([
      {
        kind: 'update',
        key: inviteKey(invite.id),
        change: {
          ...moved,
          set: { ...set, accepted_by: member.id, ...(form !== undefined && { accepted_form: form }) },
        },
        condition: stillOpen(invite),
      },
      moveToStaff(invite.email, invite.id, member.id),
      putStaffMember(member),
      storeMessage(staffAdded(member)),
      checkInviter(invite),
      audited(
        { type: 'staff', id: member.id, name: member.name },
        'staff.added',
        asTarget(member),
        changesBetween(
          {},
          { ...shownToAudit(member), invite_id: invite.id, ...(member.unverified && { email_verified: false }) },
        ),
      ),
    ]),
    async () => {
      const [address] = await readAddresses([invite.email]);
      return address?.holder === 'staff' && address.staff_id === member.id;
    },
  );
  return written;
};

const changedWith = async (
  id: InviteId,
  change: Change,
  condition: Condition,
  more: readonly Write[],
): Promise<boolean> => (await updateOnceWith(inviteKey(id), change, condition, more)).written;

const changed = async (id: InviteId, change: Change, condition: Condition): Promise<boolean> =>
  (await updateOnce(inviteKey(id), change, condition)).written;
