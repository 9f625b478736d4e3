/** Mails a member what somebody changed about the account. */
import type { Mail } from '../aws/mail.ts';
import { send } from '../aws/queues.ts';
import { second } from '../foundation/clock.ts';
import { baseUrl, settings } from '../foundation/environment.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine, unlinked } from '../foundation/text.ts';
import { type Mailer, mailInTurn } from '../limits/mailer.ts';
import { rateOfNotices } from '../limits/rate.ts';
import { button, buttonFallback, paragraph, smallPrint, writeMail } from '../publication/mail-layout.ts';
import { noticeTextsOf } from '../publication/notice-wording.ts';
import { languageOf, nameInSubject, pointInTime } from '../publication/wording.ts';
import type { AccountNotice, AccountNoticeMessage } from './account-notice.ts';
import { isSuspended, type StaffMember } from './staff-member.ts';
import { readStaffMember } from './staff-store.ts';

/** How long a worker waits for a turn. Sign-in links wait longer, so they get turns behind any number of notices. */
const maxWaitMs = 2 * second;

/** Handles one message of the mail queue. @throws errors of table and queue, after which SQS delivers it again */
export const mailAccountNotice = async (
  mailer: Mailer,
  { account_notice: notice }: AccountNoticeMessage,
): Promise<void> => {
  const member = await readStaffMember(notice.staff_id);
  if (member === undefined || isSuspended(member)) return;
  const { publication, mail: rate } = settings();
  const { kind, waitMs } = await mailInTurn(mailer, rateOfNotices(rate), maxWaitMs, () =>
    accountNoticeMail(member, notice, { baseUrl: baseUrl(), publication }),
  );
  if (kind === 'accepted' || kind === 'rejected') return;
  const delaySeconds = Math.ceil(Math.max(waitMs / second, 10 * 2 ** Math.min(notice.waits, 6)));
  const body: AccountNoticeMessage = { account_notice: { ...notice, waits: notice.waits + 1 } };
  await send('mail', [{ body, delaySeconds }]);
};

/** Writes the mail to a member. */
export const accountNoticeMail = (
  member: StaffMember,
  { kind, by, other, at, to = member.email }: Pick<AccountNotice, 'kind' | 'by' | 'other' | 'at' | 'to'>,
  { baseUrl, publication }: { readonly baseUrl: string; readonly publication: Settings['publication'] },
): Mail => {
  const texts = noticeTextsOf(publication).account;
  const { title, made, unexpected, action = texts.action } = texts[kind];
  const link = `${baseUrl}/console/#/staff/${kind === 'invitesStopped' ? 'invitations?status=bounced' : 'access'}`;
  return {
    to,
    ...writeMail(
      {
        subject: title(nameInSubject(oneLine(publication.name))),
        title: title(oneLine(publication.name)),
        parts: [
          paragraph(
            made({
              address: oneLine(to),
              by: by === null ? null : unlinked(oneLine(by)),
              other: unlinked(oneLine(other ?? '')),
              at: pointInTime(Date.parse(at), languageOf(publication)),
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
