/** Requests the mails of invites from the mailer, through the mail queue. */
import { log } from '../aws/log.ts';
import { send } from '../aws/queues.ts';
import type { InviteId } from '../foundation/ids.ts';

/** Never fails: the invites are stored and due, so that the sweep repeats a request that was lost. */
export const requestMails = async (invites: readonly InviteId[]): Promise<void> => {
  try {
    await send(
      'mail',
      invites.map((id) => ({ body: { invite_id: id } })),
    );
  } catch (error) {
    log.warn('mails of invites are left to the sweep', { error: error as Error });
  }
};
