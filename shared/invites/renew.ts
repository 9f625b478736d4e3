/** Mails an expired invitation again, for the person who has its link. Each link does so only once. */
import { masthead } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import { timestamp } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { asTarget } from './audit.ts';
import { endsOf, type Invite } from './invite.ts';
import { mailDueAt, requestMails } from './request-mails.ts';
import { beginMailing } from './store.ts';

/** Starts another mailing at `now`; false if the invite has changed, or no mail has proved the mailbox. */
export const renew = async (invite: Invite, now: number): Promise<boolean> => {
  if (invite.without_mail) return false;
  const audit = audited(masthead, 'invite.resent', asTarget(invite));
  const ends = endsOf(invite.id, now, settings());
  if (!(await beginMailing(invite, ends, timestamp(now), mailDueAt(now, now), [audit]))) return false;
  await requestMails([{ id: invite.id, mailAt: now }], now);
  return true;
};
