/** An invite in the words of the publication's language, the same for the mail and for the page. */
import type { Settings } from '../foundation/settings.ts';
import { oneLine, unlinked } from '../foundation/text.ts';
import type { Invitation, Language } from '../publication/languages/language.ts';
import { languageOf, pointInTime } from '../publication/wording.ts';
import type { Invite } from './invite.ts';

/** Returns an invite as texts show it: names and addresses on one line and without control characters. */
export const invitationOf = (invite: Invite, publication: Settings['publication']): Invitation => {
  const language = languageOf(publication);
  return {
    publication: oneLine(publication.name),
    inviter: invite.inviter && { name: unlinked(oneLine(invite.inviter.name)), email: oneLine(invite.inviter.email) },
    role: roleName(language, invite.role),
    address: oneLine(invite.email),
    until: pointInTime(invite.expires, language),
  };
};

/** The role of a stage can have any name, even `constructor`. */
const roleName = ({ roles }: Language, role: string): string =>
  (Object.hasOwn(roles, role) ? roles[role] : undefined) ?? oneLine(role);
