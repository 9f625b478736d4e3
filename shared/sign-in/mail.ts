/** The mails with a sign-in link: to a member's address, or to the one that it is about to be. */
import type { StaffMember } from '../accounts/staff-member.ts';
import type { Mail } from '../aws/mail.ts';
import { hour, minute } from '../foundation/clock.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import type { Language } from '../publication/languages/language.ts';
import { button, buttonFallback, paragraph, smallPrint, writeMail } from '../publication/mail-layout.ts';
import { languageOf, nameInSubject } from '../publication/wording.ts';
import { changeMs, linkMs } from './token.ts';

/** Returns the link. Its token is in the path, because programs that rewrite links in mails drop what follows a `#`. */
export const signInLink = (baseUrl: string, token: string): string => `${baseUrl}/sign-in/${token}/`;

/** Writes the mail with a link for a member who has this address. */
export const signInMail = (
  { email }: Pick<StaffMember, 'email'>,
  link: string,
  publication: Settings['publication'],
): Mail => {
  const texts = languageOf(publication).signIn;
  const validity = texts.validity({ address: oneLine(email), minutes: linkMs / minute });
  return mailWith(email, link, { ...texts, validity }, publication);
};

/** Writes the mail to the address that a member is about to get. */
export const addressMail = (email: string, link: string, publication: Settings['publication']): Mail => {
  const texts = languageOf(publication).signIn.change;
  const validity = texts.validity({ address: oneLine(email), hours: changeMs / hour });
  return mailWith(email, link, { ...texts, validity }, publication);
};

interface Texts extends Pick<Language['signIn'], 'action' | 'title' | 'unexpected'> {
  readonly validity: string;
}

const mailWith = (
  email: string,
  link: string,
  { action, title, validity, unexpected }: Texts,
  publication: Settings['publication'],
): Mail => ({
  to: email,
  ...writeMail(
    {
      subject: title(nameInSubject(oneLine(publication.name))),
      title: title(oneLine(publication.name)),
      parts: [
        button(action, link, publication),
        paragraph(validity),
        smallPrint(unexpected),
        buttonFallback(link, publication),
      ],
    },
    publication,
  ),
});
