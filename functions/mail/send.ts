/** Processes the mail queue: sends invitations, sign-in links and notices, at the rate that SES allows this stage. */
import * as v from 'valibot';
import { accountNoticeMessage } from '../../shared/accounts/account-notice.ts';
import { mailAccountNotice } from '../../shared/accounts/account-notice-mail.ts';
import { queueWorker } from '../../shared/aws/worker.ts';
import { notifyOwners } from '../../shared/incidents/notify.ts';
import { contactMessage, mailContact } from '../../shared/integrations/contact.ts';
import { mailMessage } from '../../shared/invites/schema.ts';
import { sendInvites } from '../../shared/invites/send.ts';
import { mailer } from '../../shared/limits/mailer.ts';
import { signInMessage } from '../../shared/sign-in/schema.ts';
import { mailSignIn } from '../../shared/sign-in/send.ts';
import { noticeMessage } from '../../shared/webhooks/notice.ts';

export const handler = queueWorker(
  v.union([mailMessage, noticeMessage, signInMessage, accountNoticeMessage, contactMessage]),
  (batch) => {
    // Invites reserve their turns together.
    const ofInvites = batch.flatMap(({ body }) => ('invite_id' in body ? [body] : []));
    const invited = sendInvites(ofInvites)[Symbol.iterator]();
    return batch.map(({ body }) => {
      if ('invite_id' in body) return Promise.resolve(invited.next().value);
      if ('account_notice' in body) return mailAccountNotice(mailer, body);
      if ('contact_of' in body) return mailContact(mailer, body);
      return 'sign_in' in body ? mailSignIn(mailer, body) : notifyOwners(mailer, body);
    });
  },
);
