/** Requests the mails of invites from the mailer, through the mail queue. */
import { log } from '../aws/log.ts';
import { maxDelaySeconds, send, trySending } from '../aws/queues.ts';
import { day, minute, second } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import type { InviteId } from '../foundation/ids.ts';
import { takeTurns } from '../limits/store.ts';

/**
 * All mails of invites take one turn in the fair queue, so that a sign-in link does not wait behind a long list.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
 */
export const inviteGroup = 'invites';

/** If a mail has not been sent within this time, the sweep (`functions/due/sweep.ts`) requests it again. */
const graceMs = 2 * minute;

/** An invite whose mail enters the queue at a time in epoch ms. */
export interface MailRequest {
  readonly id: InviteId;
  readonly mailAt: number;
}

/** Returns when mails may enter the queue (epoch ms): at SES's pace, so that no sign-in link waits behind them. */
export const mailTimes = async (count: number, now: number): Promise<readonly number[]> => {
  const rate = { perSecond: settings().mail.perSecond, perDay: null };
  try {
    const { turns } = await takeTurns(count, now, 30 * day, rate, 'invites in the mail queue');
    return turns;
  } catch (error) {
    log.warn('Mails of invites enter the queue at once: the table did not answer', { error });
    return [];
  }
};

const fitsIntoQueue = (mailAt: number, now: number): boolean => mailAt - now <= maxDelaySeconds * second;

/** Returns when the sweep looks after a mail: it requests what waits longer than the queue can delay, or was lost. */
export const mailDueAt = (mailAt: number, now: number): number =>
  fitsIntoQueue(mailAt, now) ? mailAt + graceMs : mailAt;

/** Never fails: the invites are stored and due. */
export const requestMails = (requests: readonly MailRequest[], now: number): Promise<void> => {
  const soon = requests.filter(({ mailAt }) => fitsIntoQueue(mailAt, now));
  const messages = soon.map(({ id, mailAt }) => ({
    body: { invite_id: id },
    delaySeconds: Math.max(0, Math.floor((mailAt - now) / second)),
    group: inviteGroup,
  }));
  return trySending(`mails of the invites ${soon.map(({ id }) => id).join(', ')}`, send('mail', messages));
};
