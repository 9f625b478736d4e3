/** Mails a member what somebody changed about the account. */
import type { Mail, MailOutcome } from '../aws/mail.ts';
import { type Clock, second } from '../foundation/clock.ts';
import type { StaffId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine, unlinked } from '../foundation/text.ts';
import type { Reserved } from '../limits/rate.ts';
import { button, buttonFallback, paragraph, smallPrint, writeMail } from '../publication/mail-layout.ts';
import { languageOf, nameInSubject, pointInTime } from '../publication/wording.ts';
import type { AccountNotice, AccountNoticeMessage } from './account-notice.ts';
import { isSuspended, type StaffMember } from './staff-member.ts';

interface Ports {
  readonly readStaffMember: (id: StaffId) => Promise<StaffMember | undefined>;
  /** Sends a message to the mail queue with a delay. */
  readonly sendLater: (message: AccountNoticeMessage, delaySeconds: number) => Promise<void>;
  /** Reserves turns to send within `horizonMs` from `now` (epoch ms). */
  readonly takeTurns: (wanted: number, now: number, horizonMs: number) => Promise<Reserved>;
  readonly sendMail: (mail: Mail) => Promise<MailOutcome>;
  readonly wait: (ms: number) => Promise<void>;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly publication: Settings['publication'];
}

/** How long a worker waits for a turn. Sign-in links wait longer, so they get turns behind any number of notices. */
const maxWaitMs = 2 * second;

/** Handles one message of the mail queue. @throws errors of table and queue, after which SQS delivers the message again */
export const mailAccountNotice = async (
  ports: Ports,
  { account_notice: notice }: AccountNoticeMessage,
): Promise<void> => {
  const member = await ports.readStaffMember(notice.staff_id);
  if (member === undefined || isSuspended(member)) return;
  const { turns, waitMs } = await ports.takeTurns(1, ports.clock(), maxWaitMs);
  const [turn] = turns;
  if (turn !== undefined) {
    await ports.wait(Math.max(0, turn - ports.clock()));
    const { kind } = await ports.sendMail(accountNoticeMail(member, notice, ports));
    if (kind === 'accepted' || kind === 'rejected') return;
  }
  const delay = Math.max(waitMs / second, 10 * 2 ** Math.min(notice.waits, 6));
  await ports.sendLater({ account_notice: { ...notice, waits: notice.waits + 1 } }, Math.ceil(delay));
};

/** Writes the mail to a member. */
export const accountNoticeMail = (
  member: StaffMember,
  { kind, by, other, at }: Pick<AccountNotice, 'kind' | 'by' | 'other' | 'at'>,
  { baseUrl, publication }: Pick<Ports, 'baseUrl' | 'publication'>,
): Mail => {
  const language = languageOf(publication);
  const { title, made, unexpected } = language.accountNotice[kind];
  const { action } = language.accountNotice;
  const link = `${baseUrl}/console/#/staff/access`;
  return {
    to: member.email,
    ...writeMail(
      {
        subject: title(nameInSubject(oneLine(publication.name))),
        title: title(oneLine(publication.name)),
        parts: [
          paragraph(
            made({
              address: oneLine(member.email),
              by: by === null ? null : unlinked(oneLine(by)),
              other: unlinked(oneLine(other ?? '')),
              at: pointInTime(Date.parse(at), language),
            }),
          ),
          button(action, link, publication),
          smallPrint(unexpected),
          buttonFallback(link, publication),
        ],
      },
      publication,
    ),
  };
};
