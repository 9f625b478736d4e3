/** Mails a sign-in link, a link to a new address, or an open invitation: takes a turn, stores a hash, calls SES. */
import { isSuspended } from '../accounts/staff-member.ts';
import { readStaffMember } from '../accounts/staff-store.ts';
import { measureLate } from '../aws/metrics.ts';
import { send } from '../aws/queues.ts';
import { second } from '../foundation/clock.ts';
import { baseUrl, settings } from '../foundation/environment.ts';
import { invitationAgain } from '../invites/again.ts';
import { type Mailer, mailInTurn } from '../limits/mailer.ts';
import { addressMail, signInLink, signInMail } from './mail.ts';
import type { SignInMessage } from './schema.ts';
import { putSignIn } from './store.ts';
import { changeMs, linkMs, newSignInToken } from './token.ts';

/** How long a worker waits for a turn: longer than for invitations, or no turn would be free; SES still has time. */
const maxWaitMs = 14 * second;

/** Handles one message of the mail queue. @throws errors of table and queue, after which SQS delivers it again */
export const mailSignIn = async (mailer: Mailer, message: SignInMessage): Promise<void> => {
  const { staff_id, invite_id, to_next_address, requested_at, waits } = message.sign_in;
  const member = await readStaffMember(staff_id);
  const email = to_next_address ? member?.next_email : member?.email;
  const isUnknown = member === undefined ? invite_id === undefined : email === undefined || isSuspended(member);
  const worksMs = to_next_address ? changeMs : linkMs;
  // By then, the person has requested another link.
  if (isUnknown || mailer.clock() - requested_at > worksMs) return;
  const { mail: rate, publication } = settings();
  const { kind, waitMs } = await mailInTurn(mailer, rate, maxWaitMs, async () => {
    if (member === undefined || email === undefined) return invite_id && invitationAgain(invite_id, mailer.clock());
    const { token, hash } = newSignInToken();
    await putSignIn(hash, { id: member.id, email }, mailer.clock(), worksMs);
    const link = signInLink(baseUrl(), token);
    return to_next_address ? addressMail(email, link, publication) : signInMail({ email }, link, publication);
  });
  if (kind === 'accepted' || kind === 'rejected' || kind === 'no mail') return;
  // After the day's quota it may be hours until the next turn.
  if (kind === 'no turn') measureLate('LateMail', waitMs);
  const delaySeconds = Math.ceil(Math.max(waitMs / second, 10 * 2 ** Math.min(waits, 6)));
  const body: SignInMessage = { sign_in: { ...message.sign_in, waits: waits + 1 } };
  await send('mail', [{ body, delaySeconds }]);
};
