/** Mails a sign-in link: waits for a turn, stores the hash of a new token, and only then calls SES. */
import { isSuspended, type StaffMember } from '../accounts/staff-member.ts';
import type { Mail, MailOutcome } from '../aws/mail.ts';
import { type Clock, second } from '../foundation/clock.ts';
import type { StaffId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Reserved } from '../limits/rate.ts';
import { signInLink, signInMail } from './mail.ts';
import type { SignInMessage } from './schema.ts';
import { linkMs, newSignInToken } from './token.ts';

interface Ports {
  readonly readStaffMember: (id: StaffId) => Promise<StaffMember | undefined>;
  readonly putSignIn: (hash: string, staffId: StaffId, now: number) => Promise<void>;
  /** Sends a message to the mail queue with a delay. */
  readonly sendLater: (message: SignInMessage, delaySeconds: number) => Promise<void>;
  /** Reserves turns to send within `horizonMs` from `now` (epoch ms). */
  readonly takeTurns: (wanted: number, now: number, horizonMs: number) => Promise<Reserved>;
  readonly sendMail: (mail: Mail) => Promise<MailOutcome>;
  readonly wait: (ms: number) => Promise<void>;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly publication: Settings['publication'];
}

/**
 * How long a worker waits for a turn; the function's timeout leaves time for SES after it. Longer than the mailer of invitations waits: otherwise
 * no turn would be free in time while invitations wait, and the link would expire unsent.
 */
const maxWaitMs = 14 * second;

/** Handles one message of the mail queue. @throws errors of table and queue, after which SQS delivers the message again */
export const mailSignIn = async (ports: Ports, message: SignInMessage): Promise<void> => {
  const { staff_id, requested_at, waits } = message.sign_in;
  const member = await ports.readStaffMember(staff_id);
  // By then, the member has requested another link.
  if (member === undefined || isSuspended(member) || ports.clock() - requested_at > linkMs) return;
  const { turns, waitMs } = await ports.takeTurns(1, ports.clock(), maxWaitMs);
  const [turn] = turns;
  if (turn !== undefined) {
    await ports.wait(Math.max(0, turn - ports.clock()));
    const { token, hash } = newSignInToken();
    await ports.putSignIn(hash, member.id, ports.clock());
    const { kind } = await ports.sendMail(signInMail(member, signInLink(ports.baseUrl, token), ports.publication));
    if (kind === 'accepted' || kind === 'rejected') return;
  }
  const delay = Math.max(waitMs / second, 10 * 2 ** Math.min(waits, 6));
  await ports.sendLater({ sign_in: { ...message.sign_in, waits: waits + 1 } }, Math.ceil(delay));
};
