/** Stops an inviter whose mails bounce, until staff have looked: invented addresses ruin the sender's reputation. */
import { accountNotice } from '../accounts/account-notice.ts';
import type { ApiKeyOwner } from '../accounts/api-key.ts';
import { keyOfOwner, ownerId, ownerOf } from '../accounts/removed-owners.ts';
import { isAdministrator } from '../accounts/role.ts';
import { isSuspended } from '../accounts/staff-member.ts';
import { listStaffMembers } from '../accounts/staff-store.ts';
import { send } from '../aws/queues.ts';
import type { Caller } from '../foundation/caller.ts';
import { hour, second, timestamp } from '../foundation/clock.ts';
import { NoPermissionError } from '../foundation/errors.ts';
import { limitKey } from '../limits/store.ts';
import { get, put } from '../table/item.ts';
import type { Invite } from './invite.ts';
import type { InviteState } from './resource.ts';
import { pageOfInvites } from './store.ts';

/** SES reviews an account at 5 % and may pause it at 10 %. A short list with a few typing errors stops nobody. */
const countedMails = 50;
const maxBounced = 10;

/** As many invites as a member may create in an hour, and as many of others among them. */
const pages = 4;
const pageSize = 500;

/** States that say what became of a mail. */
const ofMail: readonly InviteState[] = ['sent', 'bounced', 'complained'];

/** Returns how many of an inviter's last fifty mails came back, or were reported as spam. */
const countBounced = async (inviter: ApiKeyOwner): Promise<number> => {
  const id = ownerId(inviter);
  let mailed = 0;
  let bounced = 0;
  let after: Invite['id'] | undefined;
  for (let page = 0; page < pages; page++) {
    const { invites, next } = await pageOfInvites(pageSize, after);
    for (const invite of invites) {
      const fate = invite.history.findLast(({ status }) => ofMail.includes(status))?.status;
      if (fate === undefined || ownerId(invite.invited_by) !== id) continue;
      mailed += 1;
      if (fate !== 'sent' && invite.status !== 'accepted' && invite.is_forgiven !== true) bounced += 1;
      if (mailed === countedMails) return bounced;
    }
    if (next === undefined) break;
    after = next;
  }
  return bounced;
};

/** Whether an inviter is stopped. Staff end that by revoking, or sending again, what bounced. */
export const isStopped = async (inviter: ApiKeyOwner): Promise<boolean> => (await countBounced(inviter)) >= maxBounced;

/** @throws NoPermissionError if the caller's invitations are stopped */
export const checkNotStopped = async (caller: Caller): Promise<void> => {
  if (!(await isStopped(ownerOf(caller)))) return;
  throw new NoPermissionError(
    `Your invitations are stopped: at least ${maxBounced} of your last ${countedMails} mails bounced or were ` +
      'reported as spam.',
    {
      code: 'INVITES_STOPPED',
      help:
        'The Owner or an Administrator can let you go on by revoking the bounced invites in the console ' +
        '(#/staff/invitations?status=bounced). Your own key cannot.',
    },
  );
};

/** Whether revoking an invite takes its bounce from the count: a stolen key must not do that for its own invites. */
export const forgives = (invite: Invite, caller: Caller): boolean =>
  ownerId(invite.invited_by) !== ownerId(ownerOf(caller)) ||
  (caller.kind === 'staff' && caller.sessionId !== undefined);

/** Tells Owner and Administrators at `now` that an inviter is stopped, hourly while mails bounce. */
export const tellStaff = async (inviter: ApiKeyOwner, now: number): Promise<void> => {
  const told = limitKey(`told that ${ownerId(inviter)} is stopped`);
  if (((await get<Told>(told))?.until ?? 0) > now) return;
  const [owner, staff] = await Promise.all([get<Named>(keyOfOwner(inviter)), listStaffMembers()]);
  const recipients = staff.filter(
    (member) => isAdministrator({ kind: 'staff', role: member.role }) && !isSuspended(member),
  );
  await send(
    'mail',
    recipients.map(({ id }) => ({
      body: accountNotice({
        kind: 'invitesStopped',
        staff_id: id,
        by: null,
        other: owner?.name ?? '',
        at: timestamp(now),
      }).body,
    })),
  );
  // Afterwards, because a notice that comes twice is better than none.
  await put({ ...told, until: now + hour, expires_at: Math.ceil((now + hour) / second) });
};

interface Told {
  readonly until: number;
}
interface Named {
  readonly name: string;
}
