/** The mail about a webhook that fails or is disabled, as text and as HTML. */
import type { Mail } from '../aws/mail.ts';
import { day } from '../foundation/clock.ts';
import { html } from '../foundation/html.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import type { Notice, Webhook } from './webhook.ts';

/** What a notice needs of a webhook's integration. */
export interface NotifiedIntegration {
  readonly name: string;
  readonly contact_email: string | null;
}

interface Language {
  readonly tag: string;
  readonly locale: string;
  readonly labels: Readonly<Record<'webhook' | 'event' | 'receiver' | 'integration' | 'since' | 'last', string>>;
  readonly subject: Readonly<Record<Notice, string>>;
  /** What has happened, and what to do; `end` is when it will be disabled. */
  readonly text: Readonly<Record<Notice, (end: string) => readonly string[]>>;
}

const en: Language = {
  tag: 'en',
  locale: 'en-GB',
  labels: {
    webhook: 'Webhook',
    event: 'Event',
    receiver: 'Receiver',
    integration: 'Integration',
    since: 'Failing since',
    last: 'Last attempt',
  },
  subject: {
    failing: 'A webhook is failing',
    disabled: 'A webhook was disabled',
    declined: 'A webhook was disabled by its receiver',
  },
  text: {
    failing: (end) => [
      'For some time, nothing has reached the receiver of this webhook. Nothing is lost yet: every delivery is tried again.',
      `If nothing arrives until ${end}, the webhook is disabled. Its log of deliveries shows what went wrong.`,
    ],
    disabled: () => [
      'Nothing has reached the receiver of this webhook for days, so nothing is sent to it any more. Its events are still recorded.',
      'When the receiver works again: ping the webhook or change it, which makes it available, and replay what was held.',
    ],
    declined: () => [
      'The receiver of this webhook has asked for no more deliveries (`webhook-delivery: disable`). Its events are still recorded.',
      'If that was a mistake: ping the webhook or change it, which makes it available, and replay what was held.',
    ],
  },
};

const de: Language = {
  tag: 'de',
  locale: 'de-DE',
  labels: {
    webhook: 'Webhook',
    event: 'Ereignis',
    receiver: 'Empfänger',
    integration: 'Integration',
    since: 'Gestört seit',
    last: 'Letzter Versuch',
  },
  subject: {
    failing: 'Ein Webhook ist gestört',
    disabled: 'Ein Webhook wurde abgeschaltet',
    declined: 'Ein Webhook wurde von seinem Empfänger abgeschaltet',
  },
  text: {
    failing: (end) => [
      'Seit einiger Zeit erreicht nichts mehr den Empfänger dieses Webhooks. Noch ist nichts verloren: Jede Zustellung wird wiederholt.',
      `Kommt bis ${end} nichts an, wird der Webhook abgeschaltet. Sein Protokoll zeigt, was schiefging.`,
    ],
    disabled: () => [
      'Seit Tagen erreicht nichts mehr den Empfänger dieses Webhooks. Er bekommt nun nichts mehr; seine Ereignisse werden weiter aufgezeichnet.',
      'Sobald der Empfänger wieder arbeitet: Senden Sie einen Ping oder ändern Sie den Webhook, dann ist er wieder verfügbar, und holen Sie das Zurückgehaltene nach.',
    ],
    declined: () => [
      'Der Empfänger dieses Webhooks möchte nichts mehr bekommen (`webhook-delivery: disable`). Seine Ereignisse werden weiter aufgezeichnet.',
      'War das ein Versehen: Senden Sie einen Ping oder ändern Sie den Webhook, dann ist er wieder verfügbar, und holen Sie das Zurückgehaltene nach.',
    ],
  },
};

/** Writes the mail. Of the target it tells the origin only: the rest of a URL may be what keeps strangers out. */
export const noticeMail = (
  notice: Notice,
  webhook: Webhook,
  integration: NotifiedIntegration | undefined,
  to: string,
  { publication, deliveries }: Pick<Settings, 'publication' | 'deliveries'>,
): Mail => {
  const language = { en, de }[publication.language];
  const { labels } = language;
  const { name, event, target_url, failing_since, last_triggered_status, last_triggered_error } = webhook;
  const since = failing_since === undefined ? undefined : Date.parse(failing_since);
  const facts = [
    [labels.webhook, name === null ? webhook.id : `${oneLine(name)} (${webhook.id})`],
    [labels.event, event],
    [labels.receiver, new URL(target_url).origin],
    ...(integration === undefined ? [] : [[labels.integration, oneLine(integration.name)] as const]),
    ...(since === undefined ? [] : [[labels.since, pointInTime(since, language)] as const]),
    [labels.last, last_triggered_status ?? last_triggered_error ?? ''],
  ] as const;
  const end = since === undefined ? '' : pointInTime(since + deliveries.disableAfterDays * day, language);
  const paragraphs = language.text[notice](end);
  const subject = `${language.subject[notice]}: ${event}`;
  const heading = oneLine(publication.name);
  return {
    to,
    subject,
    text: `${subject}\n\n${paragraphs.join('\n\n')}\n\n${facts.map(([label, value]) => `${label}: ${value}`).join('\n')}\n\n-- \n${heading}\n${publication.url}\n`,
    html: `<!doctype html>\n${
      html`<html lang="${language.tag}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="max-width: 40em; margin: 0 auto; padding: 1.5em; font-family: system-ui, sans-serif; line-height: 1.5">
<h1 style="font-size: 1.3em">${subject}</h1>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
<table role="presentation">${facts.map(([label, value]) => html`<tr><td style="padding-right: 1em; vertical-align: top">${label}</td><td>${value}</td></tr>\n`)}</table>
<p><a href="${publication.url}">${heading}</a></p>
</body></html>`.html
    }`,
  };
};

/** In UTC, and saying so: a stage has no time zone, and its people have many. */
const pointInTime = (ms: number, { locale }: Language): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`;
