/** The parameters of queries: an endpoint declares them, its handler gets the values, and the document shows them. */
import * as v from 'valibot';
import { ValidationError } from '../foundation/errors.ts';
import { type AnyId, idPattern, isId } from '../foundation/ids.ts';
import { isoTime, parseTime } from '../foundation/iso-time.ts';
import { shortened } from './body.ts';
import { describe } from './items.ts';

export type SentQuery = Readonly<Record<string, string | undefined>>;

/** A parameter: how it is read, and what the document says about it. */
export interface Parameter<Value> {
  readonly schema: v.GenericSchema;
  readonly description: string;
  /** When a value is refused (422), without a full stop. */
  readonly invalid?: string;
  readonly required?: true;
  /** Returns the value of the text, which is undefined if the parameter was not sent. @throws ValidationError */
  readonly read: (text: string | undefined, name: string, sent: SentQuery) => Value;
}

export type Query = Readonly<Record<string, Parameter<unknown>>>;

export type Values<Declared extends Query> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never;
};

/** Returns the values of the declared parameters. @throws ValidationError for the first one that is invalid */
export const readQuery = <Declared extends Query>(declared: Declared, sent: SentQuery): Values<Declared> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, parameter]) => [name, parameter.read(sent[name], name, sent)]),
  ) as Values<Declared>;

/** Returns the error of a parameter: `violation` completes the sentence after it, such as "must be …". */
export const invalidParameter = (
  field: string,
  value: string,
  rule: string,
  violation: string,
  limit: string | number | null = null,
  help = `Correct \`${field}\` and retry, or omit it.`,
): ValidationError =>
  new ValidationError(`\`${field}=${shortened(value, 50)}\` ${violation}.`, {
    property: field,
    help,
    details: [{ index: null, field, rule, limit, received: describe(value) }],
  });

/** Returns a parameter with any text as its value. */
export const textParameter = (description: string): Parameter<string | undefined> => ({
  schema: v.string(),
  description,
  read: (text) => text,
});

/** Returns a parameter that is one of these names. */
export const choice = <const Name extends string>(
  names: readonly Name[],
  description: string,
  invalid: string,
): Parameter<Name | undefined> => ({
  schema: names.length === 1 ? v.literal(names[0] as Name) : v.picklist(names),
  description,
  invalid,
  read: (text, field) => {
    const known = names.find((name) => name === text);
    const [only, ...others] = names;
    if (text !== undefined && known === undefined)
      throw others.length > 0
        ? invalidParameter(field, text, 'known', `must be one of ${names.join(', ')}`)
        : invalidParameter(field, text, 'known', `must be \`${only}\``, only, `Send \`${field}=${only}\`, or omit it.`);
    return known;
  },
});

/** Returns a parameter that is the id of something. */
export const idParameter = <Id extends AnyId>(
  description: string,
  invalid = 'it is not an id',
): Parameter<Id | undefined> => ({
  schema: v.pipe(v.string(), v.regex(idPattern)),
  description,
  invalid,
  read: (text, field) => {
    if (text === undefined || isId<Id>(text)) return text;
    throw invalidParameter(field, text, 'format', 'must have 24 lower-case hex characters');
  },
});

/** Returns the parameter `include`: names in any case, separated by commas. Unknown ones are ignored, as in Ghost. */
export const includes = <const Name extends string>(
  names: readonly Name[],
  description: string,
  ...examples: readonly string[]
): Parameter<readonly Name[]> => ({
  schema: examples.length === 0 ? v.string() : v.pipe(v.string(), v.metadata({ examples })),
  description,
  read: (text = '') => {
    const sent = text.split(',').map((name) => name.trim().toLowerCase());
    return names.filter((name) => sent.includes(name));
  },
});

const timeSchema = v.pipe(
  v.string(),
  v.regex(isoTime),
  v.metadata({ examples: ['2026-11-21T09:00:00Z', '2026-11-21'] }),
);

const readTime = (text: string | undefined, field: string): number | undefined => {
  if (text === undefined) return undefined;
  const time = parseTime(text);
  if (time === undefined)
    throw invalidParameter(
      field,
      text,
      'time',
      'is not a time such as 2026-11-21T09:00:00Z or a day such as 2026-11-21',
      null,
      // A raw `+` in a query is a space.
      / \d{2}:?\d{2}$/.test(text)
        ? 'Write the `+` of a time zone as `%2B`: ' +
            `\`${field}=${text.replace(/ (?=\d{2}:?\d{2}$)/, '%2B').slice(0, 50)}\`.`
        : undefined,
    );
  return time;
};

/** Returns `since` and `until` (epoch ms, excluded). Equal ones are valid: a client that continues finds nothing. */
export const timeRange = (since: string, until: string) => ({
  since: {
    schema: timeSchema,
    description: since,
    invalid: 'it is not a time',
    read: readTime,
  } satisfies Parameter<number | undefined>,
  until: {
    schema: timeSchema,
    description: until,
    invalid: 'it is not a time, or before `since`',
    read: (text: string | undefined, field: string, sent: SentQuery) => {
      const end = readTime(text, field);
      const beginning = readTime(sent.since, 'since');
      if (text !== undefined && end !== undefined && beginning !== undefined && end < beginning)
        throw invalidParameter(field, text, 'not_before_since', `is before \`since\`, ${sent.since}`);
      return end;
    },
  } satisfies Parameter<number | undefined>,
});
