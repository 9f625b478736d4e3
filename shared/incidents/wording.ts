/** An incident in a few words, in English and German: for console (in browsers), command line and mails. */
import type { IncidentCause } from './incident.ts';

/** Whose incident it is: the webhook's name, which a webhook need not have, or how many webhooks of a host. */
export interface Who {
  readonly name: string | null;
  readonly host: string;
  readonly count: number;
}

export interface IncidentWords {
  readonly causes: Readonly<Record<IncidentCause, string>>;
  /** The webhook's name, or how many webhooks there are at the host. */
  readonly who: (who: Who) => string;
  /** What happens to them, and why. */
  readonly headline: (who: Who, cause: IncidentCause, areDisabled: boolean) => string;
}

const who = ({ name, host, count }: Who): string =>
  count > 1 ? `${count} webhooks at ${host}` : (name ?? `A webhook at ${host}`);

export const english: IncidentWords = {
  causes: {
    unreachable: 'unreachable',
    refused: 'requests refused',
    gone: 'target gone',
    rejected: 'requests rejected',
    too_many: 'too many requests',
  },
  who,
  headline: (of, cause, areDisabled) =>
    `${who(of)} ${of.count > 1 ? 'are' : 'is'} ${areDisabled ? 'disabled' : 'failing'}: ${english.causes[cause]}`,
};

const wer = ({ name, host, count }: Who): string =>
  count > 1 ? `${count} Webhooks auf ${host}` : (name ?? `Ein Webhook auf ${host}`);

export const german: IncidentWords = {
  causes: {
    unreachable: 'nicht erreichbar',
    refused: 'Anfragen verweigert',
    gone: 'Ziel nicht mehr vorhanden',
    rejected: 'Anfragen abgelehnt',
    too_many: 'zu viele Anfragen',
  },
  who: wer,
  headline: (of, cause, areDisabled) =>
    `${wer(of)} ${of.count > 1 ? 'sind' : 'ist'} ${areDisabled ? 'deaktiviert' : 'gestört'}: ${german.causes[cause]}`,
};
