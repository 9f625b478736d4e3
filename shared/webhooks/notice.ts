/**
 * Tells a webhook's owners that it fails or is disabled: the staff who may mend it, and its integration's contact.
 *
 * What they have still to be told stands in the webhook, so that it cannot be forgotten. One message becomes one for each of
 * them, so that a mail that cannot be sent just now keeps nobody else from theirs.
 */
import * as v from 'valibot';
import type { StaffMember } from '../accounts/staff-member.ts';
import type { Mail, MailOutcome } from '../aws/mail.ts';
import { maxDelaySeconds } from '../aws/queues.ts';
import { type Clock, second } from '../foundation/clock.ts';
import { type IntegrationId, idPattern, type StaffId, type WebhookId } from '../foundation/ids.ts';
import type { Given } from '../limits/rate.ts';
import { type NoticeStage, type NotifiedIntegration, noticeMail } from './notice-mail.ts';
import { type Notice, notices, type Webhook } from './webhook.ts';

/** What the mail queue carries for it. */
export const noticeMessage = v.object({
  webhook_id: v.pipe(
    v.string(),
    v.regex(idPattern),
    v.transform((id) => id as WebhookId),
  ),
  /** Left out where it has still to become one message for each recipient. */
  to: v.optional(
    v.object({
      notice: v.picklist(notices),
      /** Id of a staff member, or `contact`: no address lies in a queue. */
      recipient: v.string(),
      /** How often it came back to the queue. */
      waits: v.number(),
    }),
  ),
});

export type NoticeMessage = v.InferOutput<typeof noticeMessage>;

interface Ports {
  readonly readWebhook: (id: WebhookId) => Promise<Webhook | undefined>;
  readonly readIntegration: (id: IntegrationId) => Promise<NotifiedIntegration | undefined>;
  readonly listStaffMembers: () => Promise<readonly StaffMember[]>;
  readonly readStaffMember: (id: StaffId) => Promise<StaffMember | undefined>;
  /** Notes that the messages for this notice are in the queue. */
  readonly forgetNotice: (webhook: WebhookId, notice: Notice) => Promise<void>;
  /** Puts messages into the mail queue, to be received after these seconds. */
  readonly sendLater: (messages: readonly NoticeMessage[], delaySeconds: number) => Promise<void>;
  /** Turns to send within so many ms from now (epoch ms). */
  readonly takeTurns: (wanted: number, now: number, horizonMs: number) => Promise<Given>;
  readonly sendMail: (mail: Mail) => Promise<MailOutcome>;
  readonly wait: (ms: number) => Promise<void>;
  readonly clock: Clock;
  readonly stage: NoticeStage;
}

/** A worker waits so long for a turn; the function's timeout leaves room for SES beyond it. */
const longestWaitMs = 10 * second;
/** Then it is old news: about two days. */
const mostWaits = 200;

/** Works on one message of the mail queue. @throws whatever table and queue throw: the queue shows the message again */
export const tellOwners = async (ports: Ports, message: NoticeMessage): Promise<void> => {
  const webhook = await ports.readWebhook(message.webhook_id);
  if (webhook === undefined) return;
  if (message.to === undefined) return askForMails(ports, webhook);
  const { notice, recipient, waits } = message.to;
  if (!isStillSo(webhook, notice)) return;
  const integration = await ports.readIntegration(webhook.integration_id);
  const address =
    recipient === 'contact' ? integration?.contact_email : (await ports.readStaffMember(recipient as StaffId))?.email;
  if (typeof address !== 'string') return;
  const { turns, waitMs } = await ports.takeTurns(1, ports.clock(), longestWaitMs);
  const [turn] = turns;
  if (turn !== undefined) {
    await ports.wait(Math.max(0, turn - ports.clock()));
    const outcome = await ports.sendMail(noticeMail(notice, webhook, integration, address, ports.stage));
    // A mail whose fate is not known is not sent again: one that never came is less of a nuisance than ten.
    if (outcome.kind !== 'throttled' && outcome.kind !== 'refused') return;
  }
  if (waits >= mostWaits) return;
  const delay = Math.min(maxDelaySeconds, Math.max(30 * 2 ** Math.min(waits, 5), waitMs / second));
  await ports.sendLater([{ ...message, to: { ...message.to, waits: waits + 1 } }], Math.ceil(delay));
};

const askForMails = async (ports: Ports, webhook: Webhook): Promise<void> => {
  const { notice } = webhook;
  if (notice === undefined) return;
  const [staff, integration] = await Promise.all([
    ports.listStaffMembers(),
    ports.readIntegration(webhook.integration_id),
  ]);
  const members = staff.filter(({ role }) => role === 'Owner' || role === 'Administrator');
  const contact = integration?.contact_email?.toLowerCase();
  const isMember = members.some(({ email }) => email.toLowerCase() === contact);
  const recipients = [...members.map(({ id }) => id), ...(contact === undefined || isMember ? [] : ['contact'])];
  await ports.sendLater(
    recipients.map((recipient) => ({ webhook_id: webhook.id, to: { notice, recipient, waits: 0 } })),
    0,
  );
  await ports.forgetNotice(webhook.id, notice);
};

/** Nobody is told of what has mended itself meanwhile. */
const isStillSo = (webhook: Webhook, notice: Notice): boolean =>
  notice === 'failing' ? webhook.failing_since !== undefined : webhook.status === 'disabled';
