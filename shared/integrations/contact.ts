/** The contact of an integration, who gets mails about its webhooks after confirming the address by a link. */

import * as v from 'valibot';
import { integrationKey } from '../accounts/integration-guard.ts';
import { masthead } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import type { Mail } from '../aws/mail.ts';
import { send } from '../aws/queues.ts';
import type { OutboxMessage } from '../due/outbox.ts';
import { day, second } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { baseUrl, settings } from '../foundation/environment.ts';
import { type Html, html } from '../foundation/html.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { idSchema } from '../foundation/resource.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine, unlinked } from '../foundation/text.ts';
import type { HttpResponse } from '../http/response.ts';
import { type Mailer, mailInTurn } from '../limits/mailer.ts';
import { rateOfInvites } from '../limits/rate.ts';
import { takeAll } from '../limits/store.ts';
import { button, buttonFallback, paragraph, smallPrint, writeMail } from '../publication/mail-layout.ts';
import { noticeTextsOf } from '../publication/notice-wording.ts';
import { answerPage, document, explanationPage } from '../publication/page.ts';
import { nameInSubject } from '../publication/wording.ts';
import { signInLink } from '../sign-in/mail.ts';
import { hashOfToken, newSignInToken } from '../sign-in/token.ts';
import { is } from '../table/condition.ts';
import { get, put } from '../table/item.ts';
import { tryOnce } from '../table/once.ts';
import type { Key } from '../table/table-key.ts';
import { transact } from '../table/transaction.ts';
import { asTarget, contactOf, type Integration } from './integration.ts';

export const contactMessage = v.object({
  contact_of: idSchema<IntegrationId>(),
  /** How often the message returned to the queue. */
  waits: v.number(),
});
type ContactMessage = v.InferOutput<typeof contactMessage>;

const linkMs = 7 * day;
/** Mails to one address: staff choose it, and it may be anybody's. */
const mailsPerAddress = { limit: 3, windowMs: day };
const maxWaitMs = 2 * second;
const maxWaits = 50;

/** Returns the messages that ask a contact who has not confirmed, for the transaction that sets the address. */
export const askContact = (integration: Integration): readonly OutboxMessage[] =>
  integration.contact_email === null || contactOf(integration) !== undefined
    ? []
    : [
        {
          queue: 'mail',
          id: `contact-${newId()}`,
          body: { contact_of: integration.id, waits: 0 } satisfies ContactMessage,
        },
      ];

interface Link {
  readonly integration_id: IntegrationId;
  readonly email: string;
  /** Until when it works, in epoch ms. */
  readonly until: number;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

const linkKey = (hash: string): Key => ({ pk: `SIGN_IN#${hash}`, sk: 'CONTACT' });

const readIntegrationOf = (id: IntegrationId): Promise<Integration | undefined> => get<Integration>(integrationKey(id));

/** Handles one message of the mail queue. @throws errors of table and queue, after which SQS delivers it again */
export const mailContact = async (mailer: Mailer, { contact_of: id, waits }: ContactMessage): Promise<void> => {
  const integration = await readIntegrationOf(id);
  const email = integration?.contact_email;
  if (integration === undefined || email == null || contactOf(integration) !== undefined) return;
  const now = mailer.clock();
  const name = `contact mails to ${normalizedEmail(email)}`;
  if (waits === 0 && (await takeAll([{ name, count: 1, window: mailsPerAddress }], now)).length > 0) return;
  const { publication, mail: rate } = settings();
  const { kind, waitMs } = await mailInTurn(mailer, rateOfInvites(rate), maxWaitMs, async () => {
    const { token, hash } = newSignInToken();
    const until = mailer.clock() + linkMs;
    const link: Link = { integration_id: id, email, until, expires_at: Math.ceil(until / second) };
    await put({ ...linkKey(hash), ...link });
    return contactMail(integration, email, signInLink(baseUrl(), token), publication);
  });
  if (kind === 'accepted' || kind === 'rejected' || kind === 'no mail' || waits >= maxWaits) return;
  const delaySeconds = Math.ceil(Math.max(waitMs / second, 10 * 2 ** Math.min(waits, 6)));
  await send('mail', [{ body: { contact_of: id, waits: waits + 1 } satisfies ContactMessage, delaySeconds }]);
};

/** Writes the mail that asks for the confirmation. */
export const contactMail = (
  { name }: Pick<Integration, 'name'>,
  email: string,
  link: string,
  publication: Settings['publication'],
): Mail => {
  const { title, lead, action, unexpected } = noticeTextsOf(publication).contact;
  return {
    to: email,
    ...writeMail(
      {
        subject: title(nameInSubject(oneLine(publication.name))),
        title: title(oneLine(publication.name)),
        parts: [
          paragraph(lead(unlinked(oneLine(name)))),
          button(action, link, publication),
          smallPrint(unexpected),
          buttonFallback(link, publication),
        ],
      },
      publication,
    ),
  };
};

export interface ContactLink {
  readonly integration: Integration;
  readonly email: string;
}

/** Looks at a link at `now`; undefined if it is no contact's, has expired, or the contact has changed. */
export const findContactLink = async (token: string, now: number): Promise<ContactLink | undefined> => {
  const link = await get<Link>(linkKey(hashOfToken(token)));
  if (link === undefined || link.until <= now) return undefined;
  const integration = await readIntegrationOf(link.integration_id);
  return integration?.contact_email === link.email ? { integration, email: link.email } : undefined;
};

/** Confirms the address. A second press of the button changes nothing more. */
export const confirmContact = async ({ integration, email }: ContactLink): Promise<void> => {
  if (contactOf(integration) !== undefined) return;
  const key = integrationKey(integration.id);
  const isDone = async () => (await get<Integration>(key))?.confirmed_contact === email;
  const entry = audited(masthead, 'integration.updated', asTarget(integration), {
    contact_confirmed: { from: false, to: true },
  });
  const change = { set: { confirmed_contact: email } };
  await tryOnce(transact([{ kind: 'update', key, change, condition: is('contact_email', email) }, entry]), isDone);
};

/** Returns the page behind the link: the question, with a form that posts to its own address, or that it is done. */
export const contactPage = (publication: Settings['publication'], { integration }: ContactLink): HttpResponse => {
  const { title, lead, action, unexpected, done } = noticeTextsOf(publication).contact;
  const name = oneLine(integration.name);
  if (contactOf(integration) !== undefined) return answerPage(publication, 200, explanationPage(publication, done));
  const heading = title(oneLine(publication.name));
  const content: Html = html`<h1>${heading}</h1>
<p>${lead(name)}</p>
<form method="post"><button class="action" type="submit">${action}</button></form>
<p class="quiet">${unexpected}</p>`;
  return answerPage(publication, 200, document(publication, heading, content));
};
