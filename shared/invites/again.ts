/** Writes an open invitation once more, for somebody who asks for a sign-in link. The earlier links keep working. */
import type { Mail } from '../aws/mail.ts';
import { settings } from '../foundation/environment.ts';
import type { InviteId } from '../foundation/ids.ts';
import { currentInvite } from './current.ts';
import { canBeAccepted } from './invite.ts';
import { linkFor } from './link.ts';
import { invitationMail } from './mail.ts';
import { addLink, readInvite } from './store.ts';
import { newToken } from './token.ts';

/** Stores a further token and returns the mail; undefined unless it was mailed, is open, and may have one more link. */
export const invitationAgain = async (id: InviteId, now: number): Promise<Mail | undefined> => {
  const stored = await readInvite(id);
  const invite = stored && (await currentInvite(stored, now));
  // A link that was passed on proves no mailbox, and a mail would.
  if (invite?.status !== 'sent' || invite.without_mail || !canBeAccepted(invite, now)) return undefined;
  const { token, hash } = newToken(id);
  if (!(await addLink(invite, hash))) return undefined;
  return {
    ...invitationMail(invite, linkFor(token), settings().publication),
    tags: { invite: id, mailing: String(invite.mailing) },
  };
};
