/**
 * Notifies the owners of a webhook that it is failing or disabled: Owners, Administrators and its integration's contact.
 *
 * One message becomes one for each recipient, so that a mail that has to wait delays no other.
 */
import * as v from 'valibot';
import { isSuspended, type StaffMember } from '../accounts/staff-member.ts';
import { listStaffMembers, readStaffMember } from '../accounts/staff-store.ts';
import { log } from '../aws/log.ts';
import { maxDelaySeconds, send } from '../aws/queues.ts';
import { day, second } from '../foundation/clock.ts';
import { baseUrl, settings } from '../foundation/environment.ts';
import type { IntegrationId, StaffId, WebhookId } from '../foundation/ids.ts';
import { idSchema } from '../foundation/resource.ts';
import { type Mailer, mailInTurn } from '../limits/mailer.ts';
import { rateOfNotices } from '../limits/rate.ts';
import { takeAll } from '../limits/store.ts';
import { type NotifiedIntegration, noticeMail } from './notice-mail.ts';
import { readWebhook } from './store.ts';
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

type ReadIntegration = (id: IntegrationId) => Promise<NotifiedIntegration | undefined>;

/** How long a worker waits for a turn. Sign-in links wait longer, so they get turns behind any number of notices. */
const maxWaitMs = 2 * second;
/** After about two days the notice is dropped. */
const maxWaits = 200;

/** Each notice is mailed to all Owners and Administrators, and an integration can cause notices as often as it likes. */
const limitOfWebhook = { limit: 3, windowMs: day };
const limitOfIntegration = { limit: 20, windowMs: day };

/**
 * Handles one message of the mail queue.
 * @param readIntegration reads from a room above this one
 * @throws errors of table and queue, after which SQS delivers the message again
 */
export const notifyOwners = async (
  mailer: Mailer,
  readIntegration: ReadIntegration,
  message: NoticeMessage,
): Promise<void> => {
  const webhook = await readWebhook(message.webhook_id);
  const { notice, to } = message;
  if (webhook === undefined || !isStillSo(webhook, notice)) return;
  const integration = await readIntegration(webhook.integration_id);
  if (to === undefined) return splitByRecipient(webhook, integration, notice, mailer.clock());
  const { recipient, waits } = to;
  const address =
    recipient === 'contact' ? integration?.contact_email : addressOf(await readStaffMember(recipient as StaffId));
  if (typeof address !== 'string') return;
  const { publication, deliveries, mail: rate } = settings();
  const stage = { publication, deliveries, baseUrl: baseUrl() };
  const { kind, waitMs } = await mailInTurn(mailer, rateOfNotices(rate), maxWaitMs, () =>
    noticeMail(notice, webhook, integration, address, stage),
  );
  // An unknown outcome is final: a missing notice is better than ten copies of it.
  if (kind === 'accepted' || kind === 'rejected' || kind === 'unknown' || waits >= maxWaits) return;
  const delay = Math.min(maxDelaySeconds, Math.max(30 * 2 ** waits, waitMs / second));
  const body: NoticeMessage = { ...message, to: { recipient, waits: waits + 1 } };
  await send('mail', [{ body, delaySeconds: Math.ceil(delay) }]);
};

/** A member who was removed or suspended since gets no mail. */
const addressOf = (member: StaffMember | undefined): string | undefined =>
  member === undefined || isSuspended(member) ? undefined : member.email;

const splitByRecipient = async (
  webhook: Webhook,
  integration: NotifiedIntegration | undefined,
  notice: Notice,
  now: number,
): Promise<void> => {
  if (!(await takeNotice(webhook, now))) return;
  const staff = await listStaffMembers();
  const members = staff.filter(
    (member) => (member.role === 'Owner' || member.role === 'Administrator') && !isSuspended(member),
  );
  const contact = integration?.contact_email?.toLowerCase();
  const isMember = members.some(({ email }) => email.toLowerCase() === contact);
  const recipients = [...members.map(({ id }) => id), ...(contact === undefined || isMember ? [] : ['contact'])];
  const messages = recipients.map(
    (recipient): NoticeMessage => ({
      webhook_id: webhook.id,
      notice,
      to: { recipient, waits: 0 },
    }),
  );
  await send(
    'mail',
    messages.map((body) => ({ body })),
  );
};

/** Takes one notice of a webhook and its integration; returns false beyond the limits. */
const takeNotice = async ({ id, integration_id }: Webhook, now: number): Promise<boolean> => {
  const refused = await takeAll(
    [
      { name: `notices of ${id}`, count: 1, window: limitOfWebhook },
      { name: `notices of integration ${integration_id}`, count: 1, window: limitOfIntegration },
    ],
    now,
  );
  if (refused.length > 0) log.warn('A notice is not mailed: too many today', { webhook_id: id, integration_id });
  return refused.length === 0;
};

/** Returns false if the webhook has recovered since. */
const isStillSo = (webhook: Webhook, notice: Notice): boolean =>
  notice === 'failing' ? webhook.failing_since !== undefined : webhook.status === 'disabled';
