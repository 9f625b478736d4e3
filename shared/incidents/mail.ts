/** The mails about an incident: what fails, why, what to do and what waits; and at its end, that it works again. */
import type { Mail } from '../aws/mail.ts';
import { day } from '../foundation/clock.ts';
import type { Settings } from '../foundation/settings.ts';
import { hasWebAddress, oneLine, unlinked } from '../foundation/text.ts';
import type { Language } from '../publication/languages/language.ts';
import {
  button,
  buttonFallback,
  facts,
  type MailPart,
  paragraph,
  smallPrint,
  writeMail,
} from '../publication/mail-layout.ts';
import { noticeTextsOf } from '../publication/notice-wording.ts';
import { languageOf, nameInSubject, pointInTime } from '../publication/wording.ts';
import { advice } from '../webhooks/cause.ts';
import { advice as rat } from '../webhooks/cause-de.ts';
import type { ListedWebhook } from '../webhooks/webhook.ts';
import { areDisabled, type Incident } from './incident.ts';
import { english, german, type IncidentWords, type Who } from './wording.ts';

export interface NoticeStage extends Pick<Settings, 'publication' | 'deliveries'> {
  /** The URL that all paths of the API are below, without a slash at the end. */
  readonly baseUrl: string;
}

export interface Reader {
  readonly to: string;
  /** Whether the mail goes to the contact of an integration, who may have no access to the console. */
  readonly isContact: boolean;
}

/** What waits, as far as it was counted; `oldest` in epoch ms. */
export interface Waiting {
  readonly count: number;
  readonly hasMore: boolean;
  readonly oldest: number | undefined;
}

export interface ToldIncident {
  readonly incident: Incident<ListedWebhook>;
  /** The names of its webhooks' integrations. */
  readonly integrations: readonly string[];
  readonly waiting: Waiting;
}

/** Webhooks that a list names, at most. */
const maxNamed = 10;

/** Writes the mail about a lasting incident. It shows only the targets' host: the rest of a URL can be a secret. */
export const incidentMail = (
  { incident, integrations, waiting }: ToldIncident,
  reader: Reader,
  stage: NoticeStage,
): Mail => {
  const { words, language } = wordsOf(stage);
  const notice = noticeTextsOf(stage.publication);
  const { webhooks, host, cause } = incident;
  const { labels } = notice;
  // The ids of many would hide their names.
  const named = webhooks.map((webhook) =>
    webhooks.length === 1 ? nameOf(webhook) : (shownName(webhook, unlinked) ?? webhook.id),
  );
  return mailOf(
    reader,
    stage,
    (who) => words.headline(who(webhooks, host), cause, areDisabled(incident)),
    [
      paragraph(summaryOf(incident, stage, language)),
      paragraph((language.tag === 'de' ? rat : advice)[incident.advice]({ host, path: '/…' })),
      facts([
        [webhooks.length === 1 ? labels.webhook : labels.webhooks, listOf(named, notice.more)],
        ...(integrations.length === 0
          ? []
          : [
              [
                labels.integration,
                listOf(
                  integrations.map((name) => unlinked(oneLine(name))),
                  notice.more,
                ),
              ] as const,
            ]),
        [labels.receiver, host],
        ...answered(webhooks[0], stage, language),
        ...waitingFact(waiting, stage, language),
      ]),
    ],
    {
      label: notice.action.failing,
      note: ` ${notice.often}`,
      query: `host=${encodeURIComponent(host)}&cause=${cause}`,
    },
  );
};

export interface End {
  readonly webhook: ListedWebhook;
  readonly host: string;
  /** Whether the webhook is the only one of the host. */
  readonly isOnly: boolean;
  /** The incidents of the host that last, of other causes. */
  readonly still: readonly Incident<ListedWebhook>[];
  readonly waiting: Waiting;
}

/** Writes the mail at the end of an incident. */
export const recoveryMail = (
  { webhook, host, isOnly, still, waiting }: End,
  reader: Reader,
  stage: NoticeStage,
): Mail => {
  const { words, language } = wordsOf(stage);
  const notice = noticeTextsOf(stage.publication);
  const lasting = still.map((one) => `${listOf(one.webhooks.map(nameOf), notice.more)} (${words.causes[one.cause]})`);
  const waits = waitingFact(waiting, stage, language);
  const isOne = isOnly || still.length > 0;
  return mailOf(
    reader,
    stage,
    (who) => {
      const whose = who([webhook], host);
      return notice.worksAgain(isOne ? words.who(whose) : notice.atHost(whose.host), isOne);
    },
    [
      paragraph(notice.recovered),
      ...(lasting.length === 0 ? [] : [paragraph(notice.stillFailing(lasting.join('; ')))]),
      ...(waits.length === 0 ? [] : [facts(waits)]),
    ],
    { label: notice.action.recovered, note: '', query: `q=${encodeURIComponent(host)}` },
  );
};

const wordsOf = ({ publication }: NoticeStage): { readonly words: IncidentWords; readonly language: Language } => {
  const language = languageOf(publication);
  return { language, words: language.tag === 'de' ? german : english };
};

type Name = (webhooks: readonly ListedWebhook[], host: string) => Who;

/** In a subject nothing becomes a link; a title is longer. */
const inSubject: Name = (webhooks, host) => ({
  name: shownName(webhooks[0], (name) => nameInSubject(unlinked(name))),
  host: nameInSubject(host),
  count: webhooks.length,
});
const inTitle: Name = (webhooks, host) => ({
  name: shownName(webhooks[0], unlinked),
  host: unlinked(host),
  count: webhooks.length,
});

/** The API accepts a name with a web address, as Ghost does, but it could lead readers elsewhere. */
const shownName = (webhook: ListedWebhook | undefined, show: (name: string) => string): string | null =>
  webhook?.name == null || hasWebAddress(webhook.name) ? null : show(oneLine(webhook.name));

const nameOf = (webhook: ListedWebhook): string => {
  const name = shownName(webhook, unlinked);
  return name === null ? webhook.id : `${name} (${webhook.id})`;
};

const listOf = (names: readonly string[], more: (count: number) => string): string =>
  [...names.slice(0, maxNamed), ...(names.length > maxNamed ? [more(names.length - maxNamed)] : [])].join(', ');

const mailOf = (
  { to, isContact }: Reader,
  { publication, baseUrl }: NoticeStage,
  title: (name: Name) => string,
  parts: readonly MailPart[],
  { label, note, query }: { readonly label: string; readonly note: string; readonly query: string },
): Mail => {
  const { why, action } = noticeTextsOf(publication);
  const link = isContact ? `${baseUrl}/admin/docs/` : `${baseUrl}/console/#/webhooks?${query}`;
  return {
    to,
    ...writeMail(
      {
        subject: title(inSubject),
        title: title(inTitle),
        parts: [
          ...parts,
          button(isContact ? action.contact : label, link, publication),
          smallPrint(`${isContact ? why.contact : why.member}${note}`),
          buttonFallback(link, publication),
        ],
      },
      publication,
    ),
  };
};

const summaryOf = (
  incident: Incident<ListedWebhook>,
  { deliveries, publication }: NoticeStage,
  language: Language,
): string => {
  const { summary, someDisabled } = noticeTextsOf(publication);
  const { webhooks, since } = incident;
  const disabled = webhooks.filter(({ status }) => status === 'disabled');
  const deletions = webhooks.flatMap(({ declined }) => (declined === undefined ? [] : [declined.deletion_at])).sort();
  const isAll = areDisabled(incident);
  const kind = isAll ? (deletions.length === webhooks.length ? 'declined' : 'disabled') : 'failing';
  const began = Date.parse(since);
  const text = summary[kind]({
    count: webhooks.length,
    since: pointInTime(began, language),
    end: pointInTime(began + deliveries.disableAfterDays * day, language),
    keepDays: deliveries.keepDays,
    deletion: pointInTime(Date.parse(deletions[0] ?? since), language),
  });
  return isAll || disabled.length === 0 ? text : `${text} ${someDisabled(disabled.length)}`;
};

/** Returns what the receiver said when it declined, or the last attempt's error and time; empty for none. */
const answered = (
  webhook: ListedWebhook,
  { publication }: NoticeStage,
  language: Language,
): readonly (readonly [label: string, value: string])[] => {
  const { labels, errors } = noticeTextsOf(publication);
  const { declined, last_triggered_at: at, last_triggered_status: status, last_triggered_error: error } = webhook;
  if (declined !== undefined)
    return [[labels.answer, `${unlinked(declined.answer)} (${pointInTime(Date.parse(declined.at), language)})`]];
  if (at === null || error === null) return [];
  const shown = status === null ? (errors[error] ?? error) : `HTTP ${status}`;
  return [[labels.lastError, `${shown} (${pointInTime(Date.parse(at), language)})`]];
};

const waitingFact = (
  { count, hasMore, oldest }: Waiting,
  { deliveries, publication }: NoticeStage,
  language: Language,
): readonly (readonly [label: string, value: string])[] => {
  const { labels, waiting } = noticeTextsOf(publication);
  if (oldest === undefined) return [];
  const until = pointInTime(oldest + deliveries.keepDays * day, language);
  return [[labels.waiting, waiting(`${count}${hasMore ? '+' : ''}`, until)]];
};
