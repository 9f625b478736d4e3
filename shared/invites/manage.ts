/** Finds, lists, resends and revokes invites. */
import { assignableRoles } from '../accounts/role.ts';
import { actorOf, changesBetween } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import type { Caller } from '../foundation/caller.ts';
import { systemClock, timestamp } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import type { InviteId } from '../foundation/ids.ts';
import type { Filter } from '../http/filter.ts';
import { untilWritten } from '../table/optimistic.ts';
import { asTarget } from './audit.ts';
import { checkNotStopped, forgives } from './bounces.ts';
import { asOfNow } from './current.ts';
import { endsOf, type Invite } from './invite.ts';
import { countInvites, countMails } from './limits.ts';
import { mailDueAt, mailTimes } from './request-mails.ts';
import type { InviteState } from './resource.ts';
import { beginMailing, markRevoked, pageOfInvites, readInvite } from './store.ts';

const dead: readonly InviteState[] = ['revoked', 'replaced'];

/** Returns an invite as of now. @throws NotFoundError if it is unknown, revoked or replaced */
export const findInvite = async (id: InviteId): Promise<Invite> => {
  const stored = await readInvite(id);
  const invite = stored && (await asOfNow([stored], systemClock()))[0];
  if (invite === undefined || dead.includes(invite.status))
    throw new NotFoundError(`No invite has the id \`${id}\`.`, {
      help:
        'It may have been revoked, or replaced by a newer one to the same address. ' +
        'GET /admin/invites/ lists the invites.',
    });
  return invite;
};

type InviteFilter = Filter<'id' | 'email' | 'status' | 'role_id'>;

/** Rows per request: a page may be short, even empty, and its `next` continues. */
const rowsPerPage = 200;

/** Lists invites as of now, newest first, after `after`, by status or filter. `next` is null at the end. */
export const listInvites = async (
  { status, filter }: { readonly status: InviteState | undefined; readonly filter: InviteFilter | undefined },
  limit: number,
  after: InviteId | undefined,
): Promise<{ invites: Invite[]; next: InviteId | null }> => {
  const now = systemClock();
  const selectsState = status !== undefined || filter?.fields.has('status') === true;
  const isListed = (invite: Invite): boolean =>
    (status === undefined || invite.status === status) &&
    (selectsState || !dead.includes(invite.status)) &&
    (filter === undefined || filter.matches(invite));
  const page = await pageOfInvites(rowsPerPage, after);
  const invites = (await asOfNow(page.invites, now)).filter(isListed);
  // One more than the limit proves that there is a next page.
  if (invites.length > limit) return { invites: invites.slice(0, limit), next: invites[limit - 1]?.id ?? null };
  return { invites, next: page.next ?? null };
};

/** Repeats a change that meets the mailer or another request; each attempt sees the newer state. */
const changeInvite = <T>(
  id: InviteId,
  caller: Caller,
  change: (invite: Invite) => Promise<T | undefined>,
): Promise<T> =>
  untilWritten('an invite', async () => {
    const invite = await findInvite(id);
    checkMayChange(invite, caller);
    return change(invite);
  });

/** A caller who can assign the role can also resend and revoke. */
const checkMayChange = (invite: Invite, caller: Caller): void => {
  const assignable = assignableRoles(caller, settings().roles);
  if (!assignable.includes(invite.role))
    throw new NoPermissionError(`You cannot manage invites for the role ${invite.role}.`, {
      help: assignable.length > 0 ? `You can manage those for: ${assignable.join(', ')}.` : 'Ask an Administrator.',
    });
  if (invite.status === 'accepted')
    throw new ValidationError(`${invite.email} has already accepted this invite.`, {
      code: 'USER_ALREADY_REGISTERED',
      property: 'email',
      help: 'An accepted invite cannot be resent or revoked.',
    });
};

/**
 * Resends an invite with a new link and expiry; the old links are dead at once. Returns it, and when its mail is due.
 * @throws NotFoundError, NoPermissionError, ValidationError, TooManyRequestsError
 */
export const resendInvite = async (
  id: InviteId,
  caller: Caller,
): Promise<{ readonly invite: Invite; readonly mailAt: number }> => {
  const { email } = await changeInvite(id, caller, async (invite) => invite);
  const now = systemClock();
  await Promise.all([countInvites(1, caller, now), checkNotStopped(caller)]);
  await countMails([{ index: 0, email }], caller, now);
  const [mailAt = now] = await mailTimes(1, now);
  return changeInvite(id, caller, async (invite) => {
    const now = systemClock();
    const ends = endsOf(invite.id, now, settings());
    const updated_at = timestamp(now);
    return (await beginMailing(invite, ends, updated_at, mailDueAt(mailAt, now), [
      audited(actorOf(caller), 'invite.resent', asTarget(invite), invite.without_mail ? nowByMail : {}),
    ]))
      ? { invite: { ...invite, status: 'pending' as const, ...ends, updated_at }, mailAt }
      : undefined;
  });
};

/** What the audit log records when a link without mail is replaced by a mail. */
const nowByMail = changesBetween({ send_email: false }, { send_email: true });

/** Revokes an invite: its links are dead at once. @throws NotFoundError, NoPermissionError, ValidationError */
export const revokeInvite = async (id: InviteId, caller: Caller): Promise<void> => {
  await changeInvite(
    id,
    caller,
    async (invite) =>
      (await markRevoked(invite, timestamp(systemClock()), forgives(invite, caller), [
        audited(actorOf(caller), 'invite.revoked', asTarget(invite)),
      ])) || undefined,
  );
};
