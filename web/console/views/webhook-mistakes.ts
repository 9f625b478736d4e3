/** What is wrong with the form of a webhook, at its fields: before it is sent, and after the API has refused it. */
import { useState } from 'preact/hooks';
import { missingIn, mistakeIn, settingIn } from '../api/options.ts';
import { ApiError, type ErrorEntry } from '../api/problem.ts';
import { type Texts, useTexts } from '../texts/dictionary.ts';
import type { Action } from '../use-action.ts';
import type { Typed } from './webhook-typed.ts';

interface Mistakes {
  /** Returns what is wrong with a field by its name in the API; `more` stands for the options that are closed. */
  readonly mistakeOf: (field: string) => string | undefined;
  /** The error of the last attempt, if it is about no field. */
  readonly other: unknown;
  readonly isWrong: boolean;
  /** Saves if nothing is wrong, and otherwise shows what is. */
  readonly submit: () => void;
}

/** Follows what is typed: JSON at once, missing fields from the first save. @param isKept whether secrets are kept */
export const useMistakes = (typed: Typed, isKept: boolean, { run, error }: Action): Mistakes => {
  const texts = useTexts();
  const [isTried, setIsTried] = useState(false);
  const [sent, setSent] = useState<Typed>();
  const found = mistakesIn(typed, isKept, texts);
  const refused = error instanceof ApiError && typed === sent ? refusedField(error.entry, texts) : undefined;
  const shown = {
    ...(refused && { [refused.field]: refused.text }),
    ...(isTried ? found : jsonMistakes(typed, texts)),
  };
  return {
    mistakeOf: (field) =>
      field === 'more' ? Object.entries(shown).find(([name]) => moreFields.test(name))?.[1] : shown[field],
    other: refused === undefined && typed === sent ? error : undefined,
    isWrong: isTried && Object.keys(shown).length > 0,
    submit: () => {
      setIsTried(true);
      if (Object.keys(found).length > 0) return;
      setSent(typed);
      run();
    },
  };
};

const moreFields = /^(headers|filter|description|debounce|throttle)/;

type Found = Readonly<Record<string, string>>;

const mistakesIn = ({ fields, draft }: Typed, isKept: boolean, texts: Texts): Found => {
  const { options, webhooks } = texts;
  const missing = missingIn(draft, isKept);
  return {
    ...(!URL.canParse(fields.target_url) && {
      target_url: fields.target_url.trim() === '' ? webhooks.missing(webhooks.target) : webhooks.refusals.url,
    }),
    ...(fields.event === '' && { event: webhooks.noEvents }),
    ...Object.fromEntries(missing.settings.map((name) => [`format.${name}`, webhooks.missing(options.settings[name])])),
    ...Object.fromEntries(missing.headers.map(({ name }) => [`headers.${name}.value`, webhooks.missing(name)])),
    ...jsonMistakes({ fields, draft }, texts),
  };
};

const jsonMistakes = ({ draft }: Typed, { options }: Texts): Found => {
  const mistake = mistakeIn(draft);
  if (mistake === 'filter') return { filter: options.noJson };
  return mistake === 'template' && settingIn(draft, 'template') !== '' ? { 'format.template': options.noJson } : {};
};

/** Returns the field that the API refused, and why, in the words of the form where it has some. */
const refusedField = (entry: ErrorEntry, { options, webhooks }: Texts) => {
  const [detail] = entry.details ?? [];
  const property = (entry.property ?? detail?.field)?.replace(/^options\./, '');
  if (property === undefined) return undefined;
  const field = property.startsWith('filter') ? 'filter' : property;
  const labels: Readonly<Record<string, string>> = {
    target_url: webhooks.target,
    event: webhooks.events,
    name: webhooks.name,
    format: options.format,
    filter: options.filter,
    description: options.description,
    debounce: options.debounce,
    'debounce.seconds': options.debounceSeconds,
    'debounce.max_seconds': options.debounceMax,
    'throttle.requests': options.throttleRequests,
    ...Object.fromEntries(Object.entries(options.settings).map(([name, label]) => [`format.${name}`, label])),
  };
  const header = /^headers\.(.+)$/.exec(field)?.[1];
  const label = header ?? labels[field];
  if (label === undefined) return undefined;
  const { refusals } = webhooks;
  const own = field === 'target_url' ? refusals[detail?.rule as keyof typeof refusals] : undefined;
  return { field, text: own ?? entry.message.replace(/^`?[\w.-]+`?/, label) };
};
