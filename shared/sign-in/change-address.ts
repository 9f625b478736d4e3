/** Changes a staff member's address: by a link to the new one, with mails to the old, or at once by the operator. */
import { accountNotice } from '../accounts/account-notice.ts';
import { readAddress } from '../accounts/address.ts';
import { findByAddress } from '../accounts/find-staff.ts';
import { requireRecentSession } from '../accounts/hand-over.ts';
import { hasLostSince } from '../accounts/lost-roles.ts';
import { findChangeable, isSelf } from '../accounts/manage-staff.ts';
import { isAdministrator } from '../accounts/role.ts';
import { asTarget, isSuspended, isVoidSince, type StaffMember } from '../accounts/staff-member.ts';
import { moveAddress, noteNextAddress, readStaffMember } from '../accounts/staff-store.ts';
import { actorOf, changesBetween, operator } from '../audit/entry.ts';
import type { Actor } from '../audit/resource.ts';
import { audited } from '../audit/store.ts';
import { type OutboxMessage, sendStored, storeMessage } from '../due/outbox.ts';
import { countedAs, type staffOnly } from '../foundation/caller.ts';
import { hour, systemClock, timestamp } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { ValidationError } from '../foundation/errors.ts';
import type { StaffId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { checkInviter } from '../invites/current.ts';
import { takeOne } from '../limits/store.ts';
import { tryOnce } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import { transact, type Write } from '../table/transaction.ts';
import type { SignInMessage } from './schema.ts';

/** Each request mails two addresses. */
const requests = { limit: 10, windowMs: hour };
const tooManyRequests = `At most ${requests.limit} changes of an address an hour.`;

/**
 * Asks for another address, in place of an earlier request; the present one only withdraws that. To change one's own, a
 * recent session is needed: the new mailbox is a way in.
 * @throws NotFoundError, NoPermissionError, TooManyRequestsError, ValidationError (suspended member, taken address)
 */
export const requestAddress = async (
  id: StaffId,
  email: string,
  caller: ReturnType<typeof staffOnly>,
  now: number,
): Promise<void> => {
  await findChangeable(id, caller);
  if (isSelf(caller, id)) requireRecentSession(caller, now);
  await takeOne(`address changes by ${countedAs(caller)}`, requests, now, tooManyRequests);
  const messages = await untilWritten(`the staff member ${id}`, async () => {
    const member = await findChangeable(id, caller);
    if (isSuspended(member))
      throw new ValidationError(`${member.name} is suspended.`, {
        property: 'id',
        help: 'Activate the member first: PUT /admin/users/{id}/ with `status: active`.',
      });
    const isPresent = normalizedEmail(email) === normalizedEmail(member.email);
    if (!isPresent) await checkFree(email);
    const messages = isPresent ? [] : [linkFor(id, now), noticeTo(member, 'addressAsked', email, actorOf(caller), now)];
    const entry = audited(actorOf(caller), 'staff.address.requested', asTarget(member), {
      email: { from: member.email, to: email },
    });
    const next = isPresent ? undefined : { email, by: caller.staffId, at: timestamp(now) };
    return (await noteNextAddress(member, next, [entry, ...messages.map(storeMessage)])) ? messages : undefined;
  });
  await sendStored(messages);
};

/** @throws ValidationError */
const checkFree = async (email: string): Promise<void> => {
  if ((await readAddress(email))?.holder !== 'staff') return;
  throw new ValidationError(`${email} already belongs to a staff member.`, {
    code: 'USER_ALREADY_REGISTERED',
    property: 'email',
    help: 'Use another address.',
  });
};

const linkFor = (staff_id: StaffId, now: number): OutboxMessage => ({
  queue: 'mail',
  id: `address-${newId()}`,
  body: { sign_in: { staff_id, to_next_address: true, requested_at: now, waits: 0 } } satisfies SignInMessage,
});

const noticeTo = (
  { id, email }: StaffMember,
  kind: 'addressAsked' | 'addressChanged',
  other: string,
  by: Actor,
  now: number,
): OutboxMessage => accountNotice({ kind, staff_id: id, to: email, other, by: by.name, at: timestamp(now) });

interface AddressChange {
  readonly writes: readonly Write[];
  /** To send after the writes, which store them. */
  readonly messages: readonly OutboxMessage[];
}

const changeOf = (member: StaffMember, email: string, by: Actor, now: number): AddressChange => {
  const messages = [noticeTo(member, 'addressChanged', email, by, now)];
  const changes = changesBetween({ email: member.email }, { email });
  const entry = audited(by, 'staff.updated', asTarget(member), changes);
  return {
    writes: [...moveAddress(member, email, by.type === 'staff', now), entry, ...messages.map(storeMessage)],
    messages,
  };
};

/** Those who can assign this role can change others: the Owner and Administrators. */
const theirRole = 'Administrator';

/** Whether the request stands: like an invitation, it dies with its sender's rights and the member's sessions. */
export const mayStillChange = async (member: StaffMember): Promise<boolean> => {
  const { id, next_email_by: by, next_email_at: since = '' } = member;
  if (isVoidSince(member, since)) return false;
  if (by === undefined || by === id) return true;
  const asker = await readStaffMember(by);
  if (asker === undefined) return false;
  return isAdministrator({ kind: 'staff', role: asker.role }) && !hasLostSince(asker, theirRole, since);
};

/** Returns the change by the link that was mailed to the new address. `now` in epoch ms. */
export const changeByLink = (member: StaffMember, newAddress: string, now: number): AddressChange => {
  const { id, name, next_email_by: by, next_email_at: since = '' } = member;
  const { writes, messages } = changeOf(member, newAddress, { type: 'staff', id, name }, now);
  const asker = { invited_by: { kind: 'staff', staff_id: by ?? id }, role: theirRole, created_at: since } as const;
  return { writes: by === undefined || by === id ? writes : [...writes, checkInviter(asker)], messages };
};

/**
 * Gives a member another address at once, as the operator. No mail has reached it, so it counts as unverified.
 * @throws NotFoundError, ValidationError for the address of somebody else, ServiceUnavailableError after lost races
 */
export const changeAddress = async (from: string, to: string): Promise<void> => {
  const messages = await untilWritten(`the address ${from}`, async () => {
    const member = await findByAddress(from);
    await checkFree(to);
    const { writes, messages } = changeOf(member, to, operator, systemClock());
    const isDone = async () => (await readStaffMember(member.id))?.email === to;
    return (await tryOnce(transact(writes), isDone)).written ? messages : undefined;
  });
  await sendStored(messages);
};
