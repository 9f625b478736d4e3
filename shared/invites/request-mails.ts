/** Asks the mailer for the mails of invites, over the mail queue. */
import { log } from '../aws/log.ts';
import { send } from '../aws/queues.ts';
import type { InviteId } from '../foundation/ids.ts';

/** Never fails: the invites are stored and marked as due, so that the sweep asks for what could not be asked for here. */
export const requestMails = async (invites: readonly InviteId[]): Promise<void> => {
  try {
    await send(
      'mail',
      invites.map((id) => ({ body: { invite_id: id } })),
    );
  } catch (error) {
    log.warn('invites wait for the sweep, the mail queue took no message', { error: error as Error });
  }
};
