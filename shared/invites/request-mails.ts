/** Requests the mails of invites from the mailer, through the mail queue. */
import { send, trySending } from '../aws/queues.ts';
import type { InviteId } from '../foundation/ids.ts';

/**
 * All mails of invites take one turn in the queue, which is a fair one: a sign-in link has a turn of its own, so that it doesn't wait behind a long list.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
 */
export const inviteGroup = 'invites';

/** Never fails: the invites are stored and due. */
export const requestMails = (invites: readonly InviteId[]): Promise<void> => {
  const messages = invites.map((invite_id) => ({ body: { invite_id }, group: inviteGroup }));
  return trySending(`mails of the invites ${invites.join(', ')}`, send('mail', messages));
};
