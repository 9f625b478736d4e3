/** Mails a sign-in link, or the open invitation of an address that no member has: waits for a turn, stores the hash of a new token, and only then calls SES. */
import { isSuspended } from '../accounts/staff-member.ts';
import { readStaffMember } from '../accounts/staff-store.ts';
import { measureLate } from '../aws/metrics.ts';
import { send } from '../aws/queues.ts';
import { second } from '../foundation/clock.ts';
import { baseUrl, settings } from '../foundation/environment.ts';
import { invitationAgain } from '../invites/again.ts';
import { type Mailer, mailInTurn } from '../limits/mailer.ts';
import { signInLink, signInMail } from './mail.ts';
import type { SignInMessage } from './schema.ts';
import { putSignIn } from './store.ts';
import { linkMs, newSignInToken } from './token.ts';

/**
 * How long a worker waits for a turn; the function's timeout leaves time for SES after it. Longer than the mailer of invitations waits: otherwise
 * no turn would be free in time while invitations wait, and the link would expire unsent.
 */
const maxWaitMs = 14 * second;

/** Handles one message of the mail queue. @throws errors of table and queue, after which SQS delivers the message again */
export const mailSignIn = async (mailer: Mailer, message: SignInMessage): Promise<void> => {
  const { staff_id, invite_id, requested_at, waits } = message.sign_in;
  const member = await readStaffMember(staff_id);
  const isUnknown = member === undefined ? invite_id === undefined : isSuspended(member);
  // By then, the person has requested another link.
  if (isUnknown || mailer.clock() - requested_at > linkMs) return;
  const { mail: rate, publication } = settings();
  const { kind, waitMs } = await mailInTurn(mailer, rate, maxWaitMs, async () => {
    if (member === undefined) return invite_id && invitationAgain(invite_id, mailer.clock());
    const { token, hash } = newSignInToken();
    await putSignIn(hash, member.id, mailer.clock());
    return signInMail(member, signInLink(baseUrl(), token), publication);
  });
  if (kind === 'accepted' || kind === 'rejected' || kind === 'no mail') return;
  // After the day's quota it may be hours until the next turn.
  if (kind === 'no turn') measureLate('LateMail', waitMs);
  const delaySeconds = Math.ceil(Math.max(waitMs / second, 10 * 2 ** Math.min(waits, 6)));
  const body: SignInMessage = { sign_in: { ...message.sign_in, waits: waits + 1 } };
  await send('mail', [{ body, delaySeconds }]);
};
