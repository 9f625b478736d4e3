/** Processes the mail queue: sends invitations, sign-in links, and notices about webhooks and accounts, at the rate that SES allows this stage. */
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { type AccountNoticeMessage, accountNoticeMessage } from '../../shared/accounts/account-notice.ts';
import { mailAccountNotice } from '../../shared/accounts/account-notice-mail.ts';
import { listStaffMembers, readStaffMember } from '../../shared/accounts/staff-store.ts';
import { log } from '../../shared/aws/log.ts';
import { type Mail, sendMail } from '../../shared/aws/mail.ts';
import { count, measureLate } from '../../shared/aws/metrics.ts';
import { send } from '../../shared/aws/queues.ts';
import { queueWorker } from '../../shared/aws/worker.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { baseUrl, settings } from '../../shared/foundation/environment.ts';
import { readIntegration } from '../../shared/integrations/store.ts';
import { currentInvite } from '../../shared/invites/current.ts';
import type { Invite, StateChange } from '../../shared/invites/invite.ts';
import { linkFor } from '../../shared/invites/link.ts';
import { inviteGroup } from '../../shared/invites/request-mails.ts';
import { type MailMessage, mailMessage } from '../../shared/invites/schema.ts';
import { sendInvites } from '../../shared/invites/send.ts';
import {
  claimInvite,
  forgetDue,
  noteMailed,
  postponeInvite,
  readInvite,
  releaseInvite,
} from '../../shared/invites/store.ts';
import { rateOfInvites, rateOfNotices, type SendingRate } from '../../shared/limits/rate.ts';
import { takeTurns } from '../../shared/limits/store.ts';
import { type SignInMessage, signInMessage } from '../../shared/sign-in/schema.ts';
import { mailSignIn } from '../../shared/sign-in/send.ts';
import { putSignIn } from '../../shared/sign-in/store.ts';
import { type NoticeMessage, noticeMessage, notifyOwners } from '../../shared/webhooks/notice.ts';
import { takeNotice } from '../../shared/webhooks/notice-limits.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

const { publication, mail: rate, deliveries } = settings();

const sendCounted = async (mail: Mail) => {
  const outcome = await sendMail(mail);
  if (outcome.kind === 'accepted') count('MailsSent');
  else if (outcome.kind === 'rejected') count('MailsBounced');
  if (outcome.kind === 'refused')
    log.error('SES refuses mail because of our configuration', { reason: outcome.reason });
  else if (outcome.kind !== 'accepted')
    log.warn('SES did not accept a mail', { outcome: outcome.kind, reason: outcome.reason });
  return outcome;
};

const turnsAt = (rate: SendingRate) => async (wanted: number, now: number, horizonMs: number) => {
  const reserved = await takeTurns(wanted, now, horizonMs, rate);
  // After the day's quota it may be hours until the next turn.
  if (reserved.turns.length < wanted) measureLate('LateMail', reserved.waitMs);
  return reserved;
};
const turns = turnsAt(rate);
const turnsOfNotices = (wanted: number, now: number, horizonMs: number) =>
  takeTurns(wanted, now, horizonMs, rateOfNotices(rate));
const wait = (ms: number) => setTimeout(ms);

const ports = {
  readInvite,
  currentInvite: (invite: Invite) => currentInvite(invite, systemClock()),
  takeTurns: turnsAt(rateOfInvites(rate)),
  claimInvite,
  releaseInvite,
  postponeInvite,
  noteMailed: (invite: Invite, change: StateChange) => {
    log.info(change.status, { invite_id: invite.id });
    return noteMailed(invite, change);
  },
  noteWait: (ms: number) => measureLate('LateMail', ms),
  forgetDue,
  sendMail: sendCounted,
  sendLater: (message: MailMessage, delaySeconds: number) =>
    send('mail', [{ body: message, delaySeconds, group: inviteGroup }]),
  perSecond: rate.perSecond,
  wait,
  clock: systemClock,
  random: Math.random,
  linkFor,
  publication,
};

const noticePorts = {
  readWebhook: webhookStore.read,
  readIntegration,
  listStaffMembers,
  readStaffMember,
  takeNotice,
  sendLater: (messages: readonly NoticeMessage[], delaySeconds: number) =>
    send(
      'mail',
      messages.map((body) => ({ body, delaySeconds })),
    ),
  takeTurns: turnsOfNotices,
  sendMail: sendCounted,
  wait,
  clock: systemClock,
  stage: { publication, deliveries, baseUrl: baseUrl() },
};

const signInPorts = {
  readStaffMember,
  putSignIn,
  sendLater: (message: SignInMessage, delaySeconds: number) => send('mail', [{ body: message, delaySeconds }]),
  takeTurns: turns,
  sendMail: sendCounted,
  wait,
  clock: systemClock,
  baseUrl: baseUrl(),
  publication,
};

const accountNoticePorts = {
  readStaffMember,
  sendLater: (message: AccountNoticeMessage, delaySeconds: number) => send('mail', [{ body: message, delaySeconds }]),
  takeTurns: turnsOfNotices,
  sendMail: sendCounted,
  wait,
  clock: systemClock,
  baseUrl: baseUrl(),
  publication,
};

export const handler = queueWorker(
  v.union([mailMessage, noticeMessage, signInMessage, accountNoticeMessage]),
  (batch) => {
    // Invites reserve their turns together.
    const ofInvites = batch.flatMap(({ body }) => ('invite_id' in body ? [body] : []));
    const invited = sendInvites(ports, ofInvites)[Symbol.iterator]();
    return batch.map(({ body }) => {
      if ('invite_id' in body) return Promise.resolve(invited.next().value);
      if ('account_notice' in body) return mailAccountNotice(accountNoticePorts, body);
      return 'sign_in' in body ? mailSignIn(signInPorts, body) : notifyOwners(noticePorts, body);
    });
  },
);
