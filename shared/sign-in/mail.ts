/** The mail with a sign-in link. */
import type { StaffMember } from '../accounts/staff-member.ts';
import type { Mail } from '../aws/mail.ts';
import { minute } from '../foundation/clock.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import { button, buttonFallback, paragraph, smallPrint, writeMail } from '../publication/mail-layout.ts';
import { languageOf, nameInSubject } from '../publication/wording.ts';
import { linkMs } from './token.ts';

/** Returns the link with a token. It is in the path, because programs that rewrite links in mails drop what is behind a `#`. */
export const signInLink = (baseUrl: string, token: string): string => `${baseUrl}/sign-in/${token}/`;

/** Writes the mail for a member. */
export const signInMail = ({ email }: StaffMember, link: string, publication: Settings['publication']): Mail => {
  const { action, title, validity, unexpected } = languageOf(publication).signIn;
  const heading = title(oneLine(publication.name));
  return {
    to: email,
    ...writeMail(
      {
        subject: title(nameInSubject(oneLine(publication.name))),
        title: heading,
        parts: [
          button(action, link, publication),
          paragraph(validity({ address: oneLine(email), minutes: linkMs / minute })),
          smallPrint(unexpected),
          buttonFallback(link, publication),
        ],
      },
      publication,
    ),
  };
};
