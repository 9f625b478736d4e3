/** Sends mail in turns, at the rate that SES allows the stage. */
import { setTimeout } from 'node:timers/promises';
import { log } from '../aws/log.ts';
import { type Mail, type MailOutcome, sendMail } from '../aws/mail.ts';
import { count } from '../aws/metrics.ts';
import { systemClock } from '../foundation/clock.ts';
import type { SendingRate } from './rate.ts';
import { takeTurns } from './store.ts';

const sendCounted = async (mail: Mail): Promise<MailOutcome> => {
  const outcome = await sendMail(mail);
  if (outcome.kind === 'accepted') count('MailsSent');
  else if (outcome.kind === 'rejected') count('MailsBounced');
  if (outcome.kind === 'refused')
    log.error('SES refuses mail because of our configuration', { reason: outcome.reason });
  else if (outcome.kind !== 'accepted')
    log.warn('SES did not accept a mail', { outcome: outcome.kind, reason: outcome.reason });
  return outcome;
};

/** Turns, SES and the time: tests replace them to set the order and the answers of SES. */
export const mailer = {
  takeTurns,
  sendMail: sendCounted,
  wait: (ms: number): Promise<void> => setTimeout(ms),
  clock: systemClock,
};
export type Mailer = typeof mailer;

/** The outcome of a mail, that no turn is free in time, or that no mail was written; `waitMs` until one may be free. */
export interface TurnOutcome {
  readonly kind: MailOutcome['kind'] | 'no turn' | 'no mail';
  readonly waitMs: number;
}

/** Waits up to `maxWaitMs` for a turn and sends the mail that is written then. @throws ContentionError */
export const mailInTurn = async (
  { takeTurns, sendMail, wait, clock }: Mailer,
  rate: SendingRate,
  maxWaitMs: number,
  write: () => Mail | Promise<Mail | undefined>,
): Promise<TurnOutcome> => {
  const { turns, waitMs } = await takeTurns(1, clock(), maxWaitMs, rate);
  const [turn] = turns;
  if (turn === undefined) return { kind: 'no turn', waitMs };
  await wait(Math.max(0, turn - clock()));
  const mail = await write();
  if (mail === undefined) return { kind: 'no mail', waitMs };
  const { kind } = await sendMail(mail);
  return { kind, waitMs };
};
