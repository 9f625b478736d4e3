/** Hands the ownership over to an Administrator: by the Owner, or by the operator if the Owner's mailbox is lost. */
import { changesBetween } from '../audit/entry.ts';
import type { Actor } from '../audit/resource.ts';
import { audited } from '../audit/store.ts';
import { sendStored, storeMessage } from '../due/outbox.ts';
import type { Caller } from '../foundation/caller.ts';
import { minute, systemClock, timestamp } from '../foundation/clock.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import { requestItem } from '../foundation/fields.ts';
import { type StaffId, timeOfId } from '../foundation/ids.ts';
import { field, idSchema } from '../foundation/resource.ts';
import { untilWritten } from '../table/optimistic.ts';
import { type AccountNotice, accountNotice } from './account-notice.ts';
import { staffRoleChanged } from './staff-events.ts';
import { asTarget, isSuspended, type StaffMember, shownToAudit } from './staff-member.ts';
import { listStaffMembers, swapOwner } from './staff-store.ts';

export const newOwner = requestItem('NewOwner', { id: field(idSchema<StaffId>(), 'The id of an Administrator.') });

/** So soon after its sign-in a session may change who controls the stage; one that is stolen later cannot. */
const recentMs = 15 * minute;

/** Refuses keys, and sessions that did not begin just now. @throws NoPermissionError */
export const requireRecentSession = (caller: Caller, now: number): void => {
  if (caller.kind !== 'staff' || caller.sessionId === undefined)
    throw new NoPermissionError('A key cannot do this.', { help: 'Sign in to the console with a link by mail.' });
  if (now - timeOfId(caller.sessionId) > recentMs)
    throw new NoPermissionError('You signed in more than 15 minutes ago.', {
      code: 'SIGN_IN_AGAIN',
      help: 'Sign in again with a link by mail, and repeat the request.',
    });
};

/**
 * Makes an active Administrator with a verified address the Owner, and the Owner an Administrator. Returns both.
 * @param from the caller's id; undefined for the operator
 * @throws NotFoundError, ValidationError if `to` is none of these, NoPermissionError if `from` is no longer the Owner
 */
export const handOver = async (
  to: StaffId,
  from: StaffId | undefined,
  by: Actor,
): Promise<[StaffMember, StaffMember]> => {
  const { after, messages } = await untilWritten('the Owner', async () => {
    const staff = await listStaffMembers();
    const owner = staff.find(({ role }) => role === 'Owner');
    const next = staff.find(({ id }) => id === to);
    if (owner === undefined || (from !== undefined && owner.id !== from))
      throw new NoPermissionError('Only the Owner can hand the ownership over.', { help: 'Ask the Owner.' });
    if (next === undefined)
      throw new NotFoundError(`No staff member has the id \`${to}\`.`, {
        property: 'id',
        help: 'GET /admin/users/ lists the staff.',
      });
    checkSuccessor(next);
    const now = systemClock();
    const at = timestamp(now);
    const after = [
      { ...next, role: 'Owner', updated_at: at },
      { ...owner, role: 'Administrator', updated_at: at },
    ] as const;
    const notice = (kind: AccountNotice['kind'], member: StaffMember, other: StaffMember) =>
      accountNotice({ kind, staff_id: member.id, other: other.name, by: by.name, at });
    const messages = [
      staffRoleChanged(next, after[0], now),
      staffRoleChanged(owner, after[1], now),
      notice('ownerReceived', next, owner),
      notice('ownerGiven', owner, next),
    ];
    const entries = [next, owner].map((before, position) =>
      audited(
        by,
        'staff.updated',
        asTarget(before),
        changesBetween(shownToAudit(before), shownToAudit(after[position] ?? before)),
      ),
    );
    return (await swapOwner(owner, next, at, [...messages.map(storeMessage), ...entries]))
      ? { after, messages }
      : undefined;
  });
  await sendStored(messages);
  return [...after];
};

/** @throws ValidationError */
const checkSuccessor = (member: StaffMember): void => {
  const problem =
    member.role !== 'Administrator'
      ? 'is no Administrator'
      : isSuspended(member)
        ? 'is suspended'
        : member.unverified
          ? 'has never received a mail'
          : undefined;
  if (problem !== undefined)
    throw new ValidationError(`${member.email} ${problem}.`, {
      property: 'id',
      help: 'Choose an active Administrator who has signed in with a link by mail.',
    });
};
