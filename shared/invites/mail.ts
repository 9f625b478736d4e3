/** The invitation mail. */
import type { Mail } from '../aws/mail.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Invitation } from '../publication/languages/language.ts';
import { button, buttonFallback, paragraph, smallPrint, writeMail } from '../publication/mail-layout.ts';
import { languageOf, nameInSubject } from '../publication/wording.ts';
import type { Invite } from './invite.ts';
import { invitationOf } from './wording.ts';

/** A long name would push the rest of a subject out of sight. */
const inSubject = (invitation: Invitation): Invitation => ({
  ...invitation,
  publication: nameInSubject(invitation.publication),
  inviter: invitation.inviter && { ...invitation.inviter, name: nameInSubject(invitation.inviter.name) },
});

/** Writes the mail for an invite; `link` is where it is accepted. Replies go to the inviter, if there is one. */
export const invitationMail = (invite: Invite, link: string, publication: Settings['publication']): Mail => {
  const invitation = invitationOf(invite, publication);
  const { action, validity, mail } = languageOf(publication).invitation;
  return {
    to: invite.email,
    replyTo: invite.inviter?.email,
    ...writeMail(
      {
        subject: mail.subject(inSubject(invitation)),
        title: mail.title(invitation),
        parts: [
          button(action, link, publication),
          paragraph(validity(invitation)),
          smallPrint(mail.unexpected(invitation)),
          buttonFallback(link, publication),
        ],
      },
      publication,
    ),
  };
};
