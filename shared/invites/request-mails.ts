/** Requests the mails of invites from the mailer, through the mail queue. */
import { send, trySending } from '../aws/queues.ts';
import type { InviteId } from '../foundation/ids.ts';

/** Never fails: the invites are stored and due. */
export const requestMails = (invites: readonly InviteId[]): Promise<void> => {
  const messages = invites.map((invite_id) => ({ body: { invite_id } }));
  return trySending(`mails of the invites ${invites.join(', ')}`, send('mail', messages));
};
