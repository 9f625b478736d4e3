/**
 * Mails what begins and ends: all incidents to Owners and Administrators, an integration's own to its contact. A notice
 * is one message per recipient, so that a waiting mail delays no other. It is mailed as the webhook's incident, unless
 * the recipient knows of that.
 */

import { isSuspended, type StaffMember } from '../accounts/staff-member.ts';
import { listStaffMembers, readStaffMember } from '../accounts/staff-store.ts';
import { log } from '../aws/log.ts';
import { maxDelaySeconds, send } from '../aws/queues.ts';
import { countUndelivered, waitingStates } from '../deliveries/records/undelivered.ts';
import { day, second } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { baseUrl, settings } from '../foundation/environment.ts';
import type { IntegrationId, StaffId } from '../foundation/ids.ts';
import { semaphore } from '../foundation/semaphore.ts';
import { contactOf, type Integration } from '../integrations/integration.ts';
import { listIntegrations, listWebhookIdsOf, readIntegration } from '../integrations/store.ts';
import { type Mailer, mailInTurn } from '../limits/mailer.ts';
import { type News, takeNews, type Verdict } from '../limits/news.ts';
import { rateOfNotices } from '../limits/rate.ts';
import { takeAll } from '../limits/store.ts';
import { getMany } from '../table/batch.ts';
import { presentListed } from '../webhooks/declined.ts';
import type { NoticeMessage } from '../webhooks/notice.ts';
import { readWebhook } from '../webhooks/store.ts';
import { webhookKey } from '../webhooks/table-keys.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { failureOf, type IncidentCause, incidentCauses, incidentsOf } from './incident.ts';
import { incidentMail, type Reader, recoveryMail } from './mail.ts';

/** How long a worker waits for a turn. Sign-in links wait longer, so they get turns behind any number of notices. */
const maxWaitMs = 2 * second;
/** After about two days the notice is dropped. */
const maxWaits = 200;

/** An integration can cause as many incidents as it has hosts. */
const limitOfIntegration = { limit: 20, windowMs: day };

/** Handles one message of the mail queue. @throws errors of table and queue, after which SQS delivers it again */
export const notifyOwners = async (mailer: Mailer, message: NoticeMessage): Promise<void> => {
  const webhook = await readWebhook(message.webhook_id);
  if (webhook === undefined || isFailing(webhook) === (message.notice === 'recovered')) return;
  if (message.to === undefined) return splitByRecipient(webhook, message);
  const { recipient, waits } = message.to;
  const reader = await readerOf(recipient, webhook.integration_id);
  if (reader === undefined) return;
  const tell = message.notice === 'recovered' ? tellEnd : tellIncident;
  const waitMs = await tell({ mailer, webhook, reader, message });
  if (waitMs === undefined || waits >= maxWaits) return;
  const delay = Math.min(maxDelaySeconds, Math.max(30 * 2 ** waits, waitMs / second));
  const body: NoticeMessage = { ...message, to: { recipient, waits: waits + 1 } };
  await send('mail', [{ body, delaySeconds: Math.ceil(delay) }]);
};

const isFailing = (webhook: Webhook): boolean => failureOf(presentListed(webhook)) !== undefined;

/** Whether a member gets mails about webhooks: a verified Owner or Administrator. */
const isOwner = ({ role, unverified }: StaffMember): boolean =>
  (role === 'Owner' || role === 'Administrator') && unverified !== true;

const splitByRecipient = async (webhook: Webhook, message: NoticeMessage): Promise<void> => {
  const [staff, integration] = await Promise.all([listStaffMembers(), readIntegration(webhook.integration_id)]);
  const members = staff.filter((member) => isOwner(member) && !isSuspended(member));
  const contact = integration && contactOf(integration);
  const isMember = members.some(({ email }) => normalizedEmail(email) === contact);
  const recipients = [...members.map(({ id }) => id), ...(contact === undefined || isMember ? [] : ['contact'])];
  await send(
    'mail',
    recipients.map((recipient) => ({ body: { ...message, to: { recipient, waits: 0 } } satisfies NoticeMessage })),
  );
};

/** Returns who gets a mail; undefined for a removed or suspended member, and a contact who was replaced. */
const readerOf = async (recipient: string, integrationId: IntegrationId): Promise<Reader | undefined> => {
  if (recipient === 'contact') {
    const integration = await readIntegration(integrationId);
    const to = integration && contactOf(integration);
    return to === undefined ? undefined : { to, isContact: true };
  }
  const member = await readStaffMember(recipient as StaffId);
  return member === undefined || isSuspended(member) ? undefined : { to: member.email, isContact: false };
};

interface Telling {
  readonly mailer: Mailer;
  readonly webhook: Webhook;
  readonly reader: Reader;
  readonly message: NoticeMessage;
}

/** Returns in how many ms to try again; undefined if that is not needed. */
type Tell = (telling: Telling) => Promise<number | undefined>;

const tellIncident: Tell = async ({ mailer, webhook, reader, message }) => {
  const failure = failureOf(presentListed(webhook));
  if (failure === undefined) return undefined;
  const { host, cause } = failure;
  const verdict = await takeNews(nameOf(reader, host, cause), newsOf(message, 'begins'), mailer.clock(), () =>
    mayTell(webhook, reader, mailer.clock()),
  );
  if (verdict.kind !== 'tell') return waitOf(verdict);
  return mail(mailer, async () => {
    const { webhooks, names } = await visibleTo(reader);
    const incident = incidentsOf(webhooks.map(presentListed)).find((one) => one.host === host && one.cause === cause);
    if (incident === undefined) return undefined;
    const integrations = [...new Set(incident.webhooks.map(({ integration_id }) => names.get(integration_id) ?? ''))];
    return incidentMail(
      { incident, integrations, waiting: await countUndelivered(incident.webhooks, waitingStates) },
      reader,
      stage(),
    );
  });
};

/** Tells the end of each ended incident of the webhook's host; later, if what still fails has only just begun. */
const tellEnd: Tell = async ({ mailer, webhook, reader, message }) => {
  const { host } = new URL(webhook.target_url);
  const { webhooks } = await visibleTo(reader);
  const there = webhooks.filter(({ target_url }) => new URL(target_url).host === host);
  const still = incidentsOf(there.map(presentListed));
  const isKnown = (id: string): boolean =>
    there.some((one) => one.id === id && (one.warned_at !== undefined || one.status === 'disabled'));
  const verdicts = await Promise.all(
    incidentCauses.map(async (cause): Promise<Verdict> => {
      const lasting = still.find((one) => one.cause === cause);
      if (lasting?.webhooks.some(({ id }) => isKnown(id))) return { kind: 'drop' };
      const name = nameOf(reader, host, cause);
      return takeNews(name, newsOf(message, 'ends', lasting !== undefined), mailer.clock());
    }),
  );
  if (!verdicts.some(({ kind }) => kind === 'tell')) return verdicts.map(waitOf).find((waitMs) => waitMs !== undefined);
  const end = { webhook: presentListed(webhook), host, isOnly: there.length === 1, still };
  return mail(mailer, async () =>
    recoveryMail({ ...end, waiting: await countUndelivered(there, waitingStates) }, reader, stage()),
  );
};

const stage = () => {
  const { publication, deliveries } = settings();
  return { publication, deliveries, baseUrl: baseUrl() };
};

const newsOf = ({ webhook_id, notice, at }: NoticeMessage, kind: News['kind'], isEarly = false): News => ({
  kind,
  id: `${notice} ${webhook_id} ${at}`,
  at: Date.parse(at),
  isEarly,
});

const nameOf = ({ to }: Reader, host: string, cause: IncidentCause): string =>
  `incident of ${host}, ${cause}, to ${normalizedEmail(to)}`;

const waitOf = (verdict: Verdict): number | undefined => (verdict.kind === 'wait' ? verdict.waitMs : undefined);

const mail = async (mailer: Mailer, write: Parameters<typeof mailInTurn>[3]): Promise<number | undefined> => {
  const { kind, waitMs } = await mailInTurn(mailer, rateOfNotices(settings().mail), maxWaitMs, write);
  // An unknown outcome is final: a missing notice is better than ten copies of it.
  return kind === 'no turn' || kind === 'throttled' || kind === 'refused' ? waitMs : undefined;
};

/** Takes one mail about an integration; returns false beyond the limit. */
const mayTell = async ({ integration_id }: Webhook, { to }: Reader, now: number): Promise<boolean> => {
  const name = `incidents of ${integration_id} to ${normalizedEmail(to)}`;
  const refused = await takeAll([{ name, count: 1, window: limitOfIntegration }], now);
  if (refused.length > 0) log.warn('An incident is not mailed: too many of the integration today', { integration_id });
  return refused.length === 0;
};

const concurrency = 25;
const integrationsOfPage = 100;

/** Reads the webhooks that a recipient may see, with their integrations' names: all, or those of its contact. */
const visibleTo = async ({ to, isContact }: Reader) => {
  const integrations: Integration[] = [];
  let after: IntegrationId | undefined;
  do {
    const page = await listIntegrations(integrationsOfPage, after);
    integrations.push(...page.integrations.filter((one) => !isContact || contactOf(one) === to));
    after = page.next ?? undefined;
  } while (after !== undefined);
  const limited = semaphore(concurrency);
  const max = settings().caps.webhooks;
  const ids = await Promise.all(integrations.map(({ id }) => limited(() => listWebhookIdsOf(id, max))));
  return {
    webhooks: await getMany<Webhook>(ids.flat().map(webhookKey)),
    names: new Map(integrations.map(({ id, name }) => [id, name])),
  };
};
