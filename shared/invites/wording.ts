/** An invite in the words of the stage's language, the same for the mail and for the page. */

import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import type { Invite } from './invite.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import type { Invitation, Language } from './languages/language.ts';

const languages: Readonly<Record<Settings['publication']['language'], Language>> = { en, de };

export const languageOf = ({ language }: Settings['publication']): Language => languages[language];

export interface Wording {
  readonly language: Language;
  readonly invitation: Invitation;
  /** Label and value of what an invitation is about. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly until: string;
}

/** Whatever people have typed is made one harmless line here. */
export const wordingOf = (invite: Invite, publication: Settings['publication']): Wording => {
  const language = languageOf(publication);
  const { labels } = language;
  const invitation = {
    publication: oneLine(publication.name),
    inviter: invite.inviter && { name: oneLine(invite.inviter.name), email: oneLine(invite.inviter.email) },
    role: nameOf(language, invite.role),
  };
  const until = pointInTime(invite.expires, language.locale);
  const { inviter } = invitation;
  return {
    language,
    invitation,
    until,
    facts: [
      [labels.publication, `${invitation.publication}, ${publication.url}`],
      [labels.role, invitation.role],
      [labels.address, oneLine(invite.email)],
      ...(inviter === null ? [] : [[labels.invitedBy, `${inviter.name}, ${inviter.email}`] as const]),
      [labels.validUntil, until],
    ],
  };
};

/** A role of the stage's own may be called as anything, `constructor` for one. */
const nameOf = ({ roles }: Language, role: string): string =>
  (Object.hasOwn(roles, role) ? roles[role] : undefined) ?? oneLine(role);

/** In UTC, and saying so: a stage has no time zone, and its people have many. */
const pointInTime = (ms: number, locale: string): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`;
