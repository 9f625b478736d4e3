/** The options of a webhook: what clients send and see, and how a change applies to the stored options. */
import * as v from 'valibot';
import { type Filter, type FilterProblem, filterProblem } from '../formats/filter.ts';
import { formatSchema, misfitOf, presentFormat, withSecrets } from '../formats/format.ts';
import { headerNameProblem, isHeaderValue, maxHeaders, maxHeaderValue } from '../formats/headers.ts';
import { contradiction } from '../formats/match.ts';
import type { Format } from '../formats/preset.ts';
import { settings } from '../foundation/environment.ts';
import { ValidationError } from '../foundation/errors.ts';
import { eventsIn, namesIn } from '../foundation/event-selection.ts';
import { changesOf, jsonObject, objectOf, requestItem } from '../foundation/fields.ts';
import { describe } from '../http/items.ts';
import { noOptions, type Options, type OptionsResource, optionsResource } from './options-resource.ts';
import type { Webhook } from './webhook.ts';

/** Any of the options: omitted options keep their values, and null removes an option. */
export const optionsChanges = requestItem(
  'OptionsChanges',
  changesOf(
    objectOf({
      description: optionsResource.entries.description,
      headers: v.nullable(jsonObject),
      format: v.nullable(formatSchema),
      filter: v.nullable(jsonObject),
      debounce: optionsResource.entries.debounce,
      throttle: optionsResource.entries.throttle,
    }),
  ).entries,
);

export type OptionsChanges = v.InferOutput<typeof optionsChanges>;

/** Presents options without secrets. */
export const presentOptions = ({ headers, format, ...options }: Options, left_out: number): OptionsResource => ({
  description: options.description,
  headers: Object.fromEntries(Object.keys(headers).map((name) => [name, null])),
  format: presentFormat(format) as OptionsResource['format'],
  filter: options.filter as OptionsResource['filter'],
  debounce: options.debounce,
  throttle: options.throttle,
  left_out,
});

/** Returns changed options; null keeps a header or secret. `prefix` begins fields in errors. @throws ValidationError */
export const changedOptions = (stored: Options, changes: OptionsChanges, prefix: string): Options => {
  const {
    description = stored.description,
    filter = stored.filter,
    debounce = stored.debounce,
    throttle = stored.throttle,
  } = changes;
  const { format, missing } = withSecrets(changes.format ?? noOptions.format, stored.format);
  const [secret] = changes.format === undefined ? [] : missing;
  if (secret !== undefined)
    throw refusal(`${prefix}format.${secret}`, 'required', 'is missing; the format needs it', null);
  const after = {
    description,
    format: changes.format === undefined ? stored.format : format,
    filter,
    debounce,
    throttle,
  };
  if (changes.headers === undefined) return { ...after, headers: stored.headers };
  return { ...after, headers: changedHeaders(stored.headers, changes.headers ?? {}, `${prefix}headers`) };
};

const changedHeaders = (
  stored: Options['headers'],
  sent: Readonly<Record<string, unknown>>,
  path: string,
): Options['headers'] => {
  const names = Object.keys(sent);
  if (names.length > maxHeaders) throw refusal(path, 'max_headers', `must have at most ${maxHeaders} names`, sent);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw refusal(path, 'unique', 'has a name twice, in different cases', sent);
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    names.map((name) => {
      const value = sent[name] ?? known.get(name.toLowerCase());
      if (typeof value !== 'string' || !isHeaderValue(value))
        throw refusal(
          `${path}.${name.slice(0, 100)}`,
          'header_value',
          `must be a string of 1 to ${maxHeaderValue} printable ASCII characters, without spaces at its ends; ` +
            'null keeps a stored value',
          sent[name],
        );
      return [name, value];
    }),
  );
};

/** Returns options for a preview: secrets that are sent as null have no value. */
export const previewedOptions = ({ headers, ...changes }: OptionsChanges): Options => {
  const stored = { ...noOptions, headers: Object.fromEntries(Object.keys(headers ?? {}).map((name) => [name, '-'])) };
  const { format } = changes;
  const hidden = format && Object.fromEntries(Object.entries(format).map(([name, value]) => [name, value ?? '-']));
  const sent = { ...changes, ...(headers !== undefined && { headers }), ...(hidden && { format: hidden as Format }) };
  return changedOptions(stored, sent, 'options.');
};

/**
 * Checks the options of a webhook for its events and its target. A format must fit all events. A filter must be able to
 * match one event of each name and pattern, or the name would never be delivered.
 * @param prefix of the names of fields in errors, such as `options.`
 * @throws ValidationError
 */
export const checkOptions = (
  { headers, format, filter, debounce }: Options,
  { event, target_url }: Pick<Webhook, 'event' | 'target_url'>,
  prefix: string,
): void => {
  for (const name of Object.keys(headers)) {
    const problem = headerNameProblem(name, format.type === 'template');
    if (problem !== undefined) throw refusal(`${prefix}headers.${name.slice(0, 100)}`, 'header_name', problem, name);
  }
  if (debounce !== null && debounce.max_seconds < debounce.seconds)
    throw refusal(
      `${prefix}debounce.max_seconds`,
      'min',
      `must be at least \`seconds\`, which is ${debounce.seconds}`,
      debounce.max_seconds,
    );
  const { ownEvents } = settings();
  const misfit = eventsIn(event, ownEvents)
    .map((one) => misfitOf(format, one, target_url))
    .find((problem) => problem !== undefined);
  if (misfit !== undefined) throw refusal(`${prefix}format`, 'fits', `\`${format.type}\` ${misfit}`, format);
  const wrong =
    filter === null
      ? undefined
      : namesIn(event)
          .map((name) => problemWith(filter, name, eventsIn(name, ownEvents)))
          .find((problem) => problem !== undefined);
  if (wrong !== undefined) throw refusal(`${prefix}${wrong.path}`, 'pattern', wrong.problem, filter);
};

/** Returns why a filter can match none of the events that a name or pattern stands for. */
const problemWith = (filter: Filter, name: string, events: readonly string[]): FilterProblem | undefined => {
  const problems = events.map((event) => filterProblem(filter, event) ?? contradiction(filter, event));
  const [first] = problems;
  if (first === undefined || problems.includes(undefined)) return undefined;
  // What is wrong with the filter itself comes before what an event does not have.
  const ofItself = problems.find((one) => one?.problem.startsWith('never matches') === false);
  if (ofItself !== undefined) return ofItself;
  return events.length === 1 ? first : { path: first.path, problem: `never matches an event of \`${name}\`` };
};

/** `problem` is the end of a sentence that begins with the name of the field. */
const refusal = (path: string, name: string, problem: string, received: unknown): ValidationError =>
  new ValidationError(`\`${path}\` ${problem}.`, {
    property: path,
    help: `Correct \`${path}\` and retry; docs/compatibility.md, "Options of a webhook", describes it.`,
    details: [{ index: 0, field: path, rule: name, limit: null, received: describe(received) }],
  });
