/**
 * Notifies the owners of a webhook that it is failing or disabled: Owners, Administrators and its integration's contact.
 *
 * One message becomes one for each recipient, so that a mail that has to wait delays no other.
 */
import * as v from 'valibot';
import { isSuspended, type StaffMember } from '../accounts/staff-member.ts';
import type { Mail, MailOutcome } from '../aws/mail.ts';
import { maxDelaySeconds } from '../aws/queues.ts';
import { type Clock, second } from '../foundation/clock.ts';
import type { IntegrationId, StaffId, WebhookId } from '../foundation/ids.ts';
import { idSchema } from '../foundation/resource.ts';
import type { Reserved } from '../limits/rate.ts';
import { type NoticeStage, type NotifiedIntegration, noticeMail } from './notice-mail.ts';
import { type Notice, notices, type Webhook } from './webhook.ts';

/** A notice in the mail queue. */
export const noticeMessage = v.object({
  webhook_id: idSchema<WebhookId>(),
  notice: v.picklist(notices),
  /** Missing in the first message, which becomes one for each recipient. */
  to: v.optional(
    v.object({
      /** Id of a staff member, or `contact`: the queue holds no addresses. */
      recipient: v.string(),
      /** How often the message returned to the queue. */
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
  /** Takes one of the notices that a webhook and its integration may cause; false if there is none left. */
  readonly takeNotice: (webhook: Webhook, now: number) => Promise<boolean>;
  /** Sends messages to the mail queue with a delay in seconds. */
  readonly sendLater: (messages: readonly NoticeMessage[], delaySeconds: number) => Promise<void>;
  /** Reserves turns to send within `horizonMs` from `now` (epoch ms). */
  readonly takeTurns: (wanted: number, now: number, horizonMs: number) => Promise<Reserved>;
  readonly sendMail: (mail: Mail) => Promise<MailOutcome>;
  readonly wait: (ms: number) => Promise<void>;
  readonly clock: Clock;
  readonly stage: NoticeStage;
}

/** How long a worker waits for a turn. Sign-in links wait longer, so they get turns behind any number of notices. */
const maxWaitMs = 2 * second;
/** After about two days the notice is dropped. */
const maxWaits = 200;

/** Handles one message of the mail queue. @throws errors of table and queue, after which SQS delivers the message again */
export const notifyOwners = async (ports: Ports, message: NoticeMessage): Promise<void> => {
  const webhook = await ports.readWebhook(message.webhook_id);
  const { notice, to } = message;
  if (webhook === undefined || !isStillSo(webhook, notice)) return;
  if (to === undefined) return splitByRecipient(ports, webhook, notice);
  const { recipient, waits } = to;
  const integration = await ports.readIntegration(webhook.integration_id);
  const address =
    recipient === 'contact' ? integration?.contact_email : addressOf(await ports.readStaffMember(recipient as StaffId));
  if (typeof address !== 'string') return;
  const { turns, waitMs } = await ports.takeTurns(1, ports.clock(), maxWaitMs);
  const [turn] = turns;
  if (turn !== undefined) {
    await ports.wait(Math.max(0, turn - ports.clock()));
    const outcome = await ports.sendMail(noticeMail(notice, webhook, integration, address, ports.stage));
    // An unknown outcome is final: a missing notice is better than ten copies of it.
    if (outcome.kind !== 'throttled' && outcome.kind !== 'refused') return;
  }
  if (waits >= maxWaits) return;
  const delay = Math.min(maxDelaySeconds, Math.max(30 * 2 ** waits, waitMs / second));
  await ports.sendLater([{ ...message, to: { recipient, waits: waits + 1 } }], Math.ceil(delay));
};

/** A member who was removed or suspended since gets no mail. */
const addressOf = (member: StaffMember | undefined): string | undefined =>
  member === undefined || isSuspended(member) ? undefined : member.email;

const splitByRecipient = async (ports: Ports, webhook: Webhook, notice: Notice): Promise<void> => {
  if (!(await ports.takeNotice(webhook, ports.clock()))) return;
  const [staff, integration] = await Promise.all([
    ports.listStaffMembers(),
    ports.readIntegration(webhook.integration_id),
  ]);
  const members = staff.filter(
    (member) => (member.role === 'Owner' || member.role === 'Administrator') && !isSuspended(member),
  );
  const contact = integration?.contact_email?.toLowerCase();
  const isMember = members.some(({ email }) => email.toLowerCase() === contact);
  const recipients = [...members.map(({ id }) => id), ...(contact === undefined || isMember ? [] : ['contact'])];
  await ports.sendLater(
    recipients.map((recipient) => ({ webhook_id: webhook.id, notice, to: { recipient, waits: 0 } })),
    0,
  );
};

/** Returns false if the webhook has recovered since. */
const isStillSo = (webhook: Webhook, notice: Notice): boolean =>
  notice === 'failing' ? webhook.failing_since !== undefined : webhook.status === 'disabled';
