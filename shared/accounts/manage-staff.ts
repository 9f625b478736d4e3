/**
 * Finds, changes and removes staff members, and replaces their keys (docs/compatibility.md, "Staff"). Others cannot
 * remove, demote or change the Owner: that would be a way to take over the site.
 */

import { actorOf, changesBetween } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import { sendStored, storeMessage } from '../due/outbox.ts';
import type { Caller } from '../foundation/caller.ts';
import { hour, second, systemClock, timestamp } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { settings } from '../foundation/environment.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import type { RoleId, StaffId } from '../foundation/ids.ts';
import { takeOne } from '../limits/store.ts';
import { untilWritten } from '../table/optimistic.ts';
import { accountNotice } from './account-notice.ts';
import { type ApiKey, newApiKey } from './api-key.ts';
import { maxAgeMs } from './find-api-key.ts';
import { lossesBetween } from './lost-roles.ts';
import type { StaffStatus } from './resource.ts';
import { assignableRoles, isAdministrator, rankOf } from './role.ts';
import { listRoles } from './role-store.ts';
import { staffRemoved, staffRoleChanged } from './staff-events.ts';
import { asTarget, isSuspended, type StaffMember, shownToAudit, slugOfMember } from './staff-member.ts';
import type { UserChanges } from './staff-schema.ts';
import { readStaffMember, removeStaffMember, replaceStaffKeys, replaceStaffMember } from './staff-store.ts';

/** Requests that began with the old role can still create invites for this long (`find-api-key.ts`). */
const oldRoleMs = maxAgeMs + second;

export const isSelf = (caller: Caller, id: StaffId): boolean => caller.kind === 'staff' && caller.staffId === id;

/** Finds a member whom the caller can see: any, or themselves. @throws NotFoundError before NoPermissionError */
export const findStaffMember = async (id: StaffId, caller: Caller): Promise<StaffMember> => {
  const member = await readStaffMember(id);
  if (member === undefined)
    throw new NotFoundError(`No staff member has the id \`${id}\`.`, { help: 'GET /admin/users/ lists the staff.' });
  if (!isSelf(caller, id) && !isAdministrator(caller))
    throw new NoPermissionError('You can only read and change yourself.', {
      help: 'Use `/admin/users/me/`, or ask the Owner or an Administrator.',
    });
  return member;
};

/** Finds a staff member that the caller can change. @throws NotFoundError, NoPermissionError */
export const findChangeable = async (id: StaffId, caller: Caller): Promise<StaffMember> => {
  const member = await findStaffMember(id, caller);
  if (member.role === 'Owner' && !isSelf(caller, id))
    throw new NoPermissionError('Only the Owner can change the Owner.', { help: 'Ask the Owner.' });
  return member;
};

/**
 * Changes a member. A suspended one loses the right to assign each role, so that open invitations are revoked for good.
 * @throws NotFoundError, NoPermissionError, ValidationError (unconfirmed promotion), ContentionError after lost races
 */
export const updateStaffMember = async (id: StaffId, changes: UserChanges, caller: Caller): Promise<StaffMember> => {
  const { after, events } = await untilWritten(`the staff member ${id}`, async () => {
    const before = await findChangeable(id, caller);
    const { roles, email, confirm_unverified_email: isConfirmed, ...fields } = changes;
    checkSameAddress(before, email);
    const role = roles === undefined ? before.role : await roleFor(before, roles[0], caller);
    if (isConfirmed !== true) checkVerified(before, role);
    const now = systemClock();
    const status = statusFor(before, fields.status, caller);
    const isMoved = status !== (before.status ?? 'active');
    const after: StaffMember = {
      ...before,
      ...fields,
      role,
      status,
      slug: slugOfMember(before),
      updated_at: timestamp(now),
      ...(isMoved && { sessions_valid_from: timestamp(now) }),
    };
    const events = role === before.role ? [] : [staffRoleChanged(before, after, now)];
    const audit = changesBetween(shownToAudit(before), shownToAudit(after));
    const writes = [
      ...events.map(storeMessage),
      ...(Object.keys(audit).length === 0 ? [] : [audited(actorOf(caller), 'staff.updated', asTarget(before), audit)]),
    ];
    const kept = isSuspended(after) ? noRole : role;
    const lost = lossesBetween(before.role, kept, settings().roles, now + oldRoleMs);
    return (await replaceStaffMember(before, after, lost, writes)) ? { after, events } : undefined;
  });
  await sendStored(events);
  return after;
};

/** No role, which may assign none. */
const noRole = '';

/** Returns the status of a member after a change. @throws NoPermissionError */
const statusFor = (member: StaffMember, wanted: StaffStatus | undefined, caller: Caller): StaffStatus => {
  const { status = 'active' } = member;
  if (wanted === undefined || wanted === status) return status;
  if (member.role === 'Owner')
    throw new NoPermissionError('The Owner cannot be suspended.', { property: 'status', help: 'Omit `status`.' });
  if (isSelf(caller, member.id))
    throw new NoPermissionError('You cannot suspend yourself.', {
      property: 'status',
      help: 'Omit `status`, or ask another Administrator.',
    });
  return wanted;
};

/** @throws ValidationError, because a PUT proves no mailbox */
const checkSameAddress = ({ id, email }: StaffMember, sent = email): void => {
  if (normalizedEmail(sent) === normalizedEmail(email)) return;
  throw new ValidationError('A PUT does not change the address.', {
    property: 'email',
    help: `Omit \`email\`, or send the new address to POST /admin/users/${id}/email/.`,
  });
};

/** An invite without mail proves no mailbox: anyone who gets its link can use it. @throws ValidationError */
const checkVerified = ({ unverified, role, name, email }: StaffMember, next: string): void => {
  if (unverified !== true || rankOf(next) <= rankOf(role)) return;
  throw new ValidationError(`${email} has never received a mail, so another person may have joined as ${name}.`, {
    code: 'EMAIL_NOT_VERIFIED',
    property: 'roles',
    help: 'Ask the member to sign in once with a link by mail, or send `confirm_unverified_email: true` with `roles`.',
  });
};

/** Returns the name of a role for a member. @throws NotFoundError, NoPermissionError */
const roleFor = async (member: StaffMember, id: RoleId | undefined, caller: Caller): Promise<string> => {
  const role = (await listRoles()).find((candidate) => candidate.id === id);
  if (role === undefined)
    throw new NotFoundError(`No role has the id \`${id}\`.`, {
      property: 'roles',
      help: 'GET /admin/roles/?permissions=assign lists the roles that you can assign.',
    });
  if (role.name === member.role) return role.name;
  if (member.role === 'Owner')
    throw new NoPermissionError('The Owner cannot have another role.', { property: 'roles', help: 'Omit `roles`.' });
  if (isSelf(caller, member.id))
    throw new NoPermissionError('You cannot change your own role.', {
      property: 'roles',
      help: 'Omit `roles`, or ask another Administrator.',
    });
  if (!assignableRoles(caller, settings().roles).includes(role.name))
    throw new NoPermissionError(`You cannot assign the role ${role.name}.`, {
      property: 'roles',
      help: 'GET /admin/roles/?permissions=assign lists the roles that you can assign.',
    });
  return role.name;
};

/** Removes a member, and publishes that. @throws NotFoundError, NoPermissionError (Owner), ContentionError */
export const dismissStaffMember = async (id: StaffId, caller: Caller): Promise<StaffMember> => {
  const { member, event } = await untilWritten(`the staff member ${id}`, async () => {
    const member = await findStaffMember(id, caller);
    if (member.role === 'Owner')
      throw new NoPermissionError('The Owner cannot be removed.', { help: 'Remove another staff member.' });
    const now = systemClock();
    const event = staffRemoved(member, now);
    const writes = [
      storeMessage(event),
      audited(actorOf(caller), 'staff.removed', asTarget(member), changesBetween(shownToAudit(member), {})),
    ];
    return (await removeStaffMember(member, writes)) ? { member, event } : undefined;
  });
  await sendStored([event]);
  return member;
};

/** Each renewal mails the member. */
const renewals = { limit: 10, windowMs: hour };
const tooManyRenewals = `The token of a staff member can be renewed ${renewals.limit} times an hour.`;

/** Replaces a member's keys, with a mail. @throws NotFoundError, NoPermissionError, TooManyRequestsError */
export const renewStaffKey = async (id: StaffId, caller: Caller): Promise<{ member: StaffMember; key: ApiKey }> => {
  await findChangeable(id, caller);
  await takeOne(`token renewals of ${id}`, renewals, systemClock(), tooManyRenewals, 'Use the newest token.');
  const { notice, ...renewed } = await untilWritten(`the keys of the staff member ${id}`, async () => {
    const member = await findChangeable(id, caller);
    const now = systemClock();
    const key = newApiKey({ kind: 'staff', staff_id: id }, timestamp(now));
    const notice = accountNotice({ kind: 'token', staff_id: id, by: actorOf(caller).name, at: timestamp(now) });
    const writes = [
      audited(actorOf(caller), 'staff.token.renewed', asTarget(member), {
        key_id: { from: member.key_ids?.[0] ?? null, to: key.id },
      }),
      storeMessage(notice),
    ];
    return (await replaceStaffKeys(member, key, writes)) ? { member, key, notice } : undefined;
  });
  await sendStored([notice]);
  return renewed;
};
