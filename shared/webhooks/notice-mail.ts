/** The mail about a webhook that fails or is disabled: what happened, and commands for the next steps. */
import type { Mail } from '../aws/mail.ts';
import { day, timestamp } from '../foundation/clock.ts';
import { longestDeliveryDays } from '../foundation/delivery-times.ts';
import type { Settings } from '../foundation/settings.ts';
import { hasWebAddress, oneLine, unlinked } from '../foundation/text.ts';
import type { Language } from '../publication/languages/language.ts';
import {
  button,
  buttonFallback,
  command,
  facts,
  type MailPart,
  paragraph,
  smallPrint,
  writeMail,
} from '../publication/mail-layout.ts';
import { languageOf, pointInTime } from '../publication/wording.ts';
import { advice, causeOf } from './cause.ts';
import { advice as german } from './cause-de.ts';
import { deletionTimeOf } from './declined.ts';
import type { Notice, Webhook } from './webhook.ts';

/** The parts of an integration that a notice shows. */
export interface NotifiedIntegration {
  readonly name: string;
  readonly contact_email: string | null;
}

/** The parts of the stage that a notice shows. */
export interface NoticeStage extends Pick<Settings, 'publication' | 'deliveries'> {
  /** The URL that all paths of the API are below, without a slash at the end. */
  readonly baseUrl: string;
}

/** Writes the mail. It shows the origin of the target only, because the rest of a URL can be a secret. */
export const noticeMail = (
  notice: Notice,
  webhook: Webhook,
  integration: NotifiedIntegration | undefined,
  to: string,
  stage: NoticeStage,
): Mail => {
  const { publication, deliveries } = stage;
  const language = languageOf(publication);
  const { texts, labels, token, action } = language.notice;
  const { title, summary, steps } = texts[notice];
  const since = Date.parse(webhook.failing_since ?? webhook.last_triggered_at ?? webhook.created_at);
  const end = since + deliveries.disableAfterDays * day;
  const { id, name, event, target_url } = webhook;
  const docs = `${stage.baseUrl}/admin/docs/`;
  const heldFrom = since - longestDeliveryDays * day;
  const commands = commandsFor(webhook, stage.baseUrl, heldFrom, end + deliveries.keepDays * day);
  const subject = `${title}: ${event}`;
  return {
    to,
    ...writeMail(
      {
        subject,
        title: subject,
        parts: [
          paragraph(
            summary({
              since: pointInTime(since, language),
              end: pointInTime(end, language),
              keepDays: deliveries.keepDays,
              deletion: pointInTime(deletionTimeOf(webhook), language),
            }),
          ),
          facts([
            // The API accepts a name with a web address, as Ghost does, but it could lead readers elsewhere.
            [labels.webhook, name === null || hasWebAddress(name) ? id : `${unlinked(oneLine(name))} (${id})`],
            ...(integration === undefined ? [] : [[labels.integration, unlinked(oneLine(integration.name))] as const]),
            [labels.receiver, new URL(target_url).origin],
            ...answered(webhook, language),
          ]),
          ...advised(webhook, language),
          ...(['log', 'enable', 'replay'] as const).flatMap((step) => {
            const text = steps[step];
            return text === undefined ? [] : [paragraph(text), command(commands[step])];
          }),
          smallPrint(token),
          button(action, docs, publication),
          buttonFallback(docs, publication),
        ],
      },
      publication,
    ),
  };
};

/** Returns what the receiver said when it declined the webhook, or else the error of the last attempt, with its time; empty if there was none. */
const answered = (webhook: Webhook, language: Language): readonly (readonly [label: string, value: string])[] => {
  const { labels, errors } = language.notice;
  const { declined_at, declined_with } = webhook;
  if (declined_at !== undefined && declined_with !== undefined)
    return [[labels.answer, `${unlinked(declined_with)} (${pointInTime(Date.parse(declined_at), language)})`]];
  const { last_triggered_at: at, last_triggered_status: status, last_triggered_error: error } = webhook;
  if (at === null || error === null) return [];
  const shown = status === null ? (errors[error] ?? error) : `HTTP ${status}`;
  return [[labels.lastError, `${shown} (${pointInTime(Date.parse(at), language)})`]];
};

/** Returns what to do about the last error; empty if there was none, or if the receiver declined. The path of a target can be a secret. */
const advised = (webhook: Webhook, { tag }: Language): readonly MailPart[] => {
  const { declined_at, last_triggered_status: status, last_triggered_error: error, target_url } = webhook;
  if (declined_at !== undefined || error === null) return [];
  const { [causeOf(status, error)]: sentence } = tag === 'de' ? german : advice;
  return [paragraph(sentence({ host: new URL(target_url).host, path: '/…' }))];
};

/** Held deliveries were accepted at `since` at the earliest, and are stored until `until` at most (epoch ms). */
const commandsFor = ({ id }: Webhook, baseUrl: string, since: number, until: number) => {
  const url = `${baseUrl}/admin/webhooks/${id}/`;
  const authorization = '-H "Authorization: Ghost $TOKEN"';
  const json = (body: object) => ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`];
  const range = { since: timestamp(since), until: timestamp(until) };
  return {
    log: [`curl ${url}deliveries/`, authorization],
    enable: [`curl -X POST ${url}enable/`, authorization],
    replay: [`curl ${url}replays/`, authorization, ...json({ replays: [{ ...range, status: 'held' }] })],
  };
};
