/** Why an attempt failed, and what to do: the sentences of the console. */
import { areDisabled, type Failing, incidentsOf } from '../../../shared/incidents/incident.ts';
import { english } from '../../../shared/incidents/wording.ts';
import { advice, causeOf, unknownTarget } from '../../../shared/webhooks/cause.ts';

/** Returns the advice for an attempt without success; `url` is its target, if it is known. */
export const adviceFor = (status: string | null, error: string | null, url: string | undefined): string => {
  if (url === undefined) {
    const sentence = advice[causeOf(status, error)](unknownTarget);
    return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
  }
  const { host, pathname } = new URL(url);
  return advice[causeOf(status, error)]({ host, path: pathname });
};

/** Webhooks that fail together, with what to say of them; one that fails alone is none. */
export const incidentsAmong = <Of extends Failing>(
  webhooks: readonly Of[],
): { readonly webhooks: readonly Of[]; readonly text: string; readonly host: string }[] =>
  incidentsOf(webhooks)
    .filter((incident) => incident.webhooks.length > 1)
    .map((incident) => {
      const { host, cause, since } = incident;
      const who = { name: null, host, count: incident.webhooks.length };
      const what = english.headline(who, cause, areDisabled(incident));
      const text = `${what}, since ${since}. ${advice[incident.advice]({ host, path: 'the paths of the webhooks' })}`;
      return { webhooks: incident.webhooks, text, host };
    });
