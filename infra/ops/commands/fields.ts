/** Options from the API's parameters and fields, and how a person's words become the API's values. */
import { Argument, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Caller } from '../../command-line/client.ts';
import { wholeNumber } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { textOf } from '../../command-line/file-at.ts';
import { type Endpoint, endpointNamed, type Field, type Schema } from '../api/document.ts';
import { RequestError } from '../api/request.ts';
import { timeOption } from '../output/times.ts';
import { findActor, findTarget, nounCalled, nouns } from './find.ts';

export interface Given {
  readonly field: Field;
  /** As a person types it, without dashes. */
  readonly name: string;
  readonly form: Option | Argument;
  /** Returns the API's value. @throws UsageError, RequestError */
  read(value: unknown, caller: Caller): unknown;
}

/** Fields with another name than the API's, or another rule than their schema's. */
const words: Readonly<Record<string, { readonly option?: string; readonly parse?: (text: string) => string }>> = {
  target_url: { option: 'target' },
  contact_email: { option: 'contact' },
  previous_valid_hours: { option: 'overlap' },
  // A stage has event names that the document does not list.
  event: {
    parse: (text) => {
      if (text.includes('.') || text === '*') return text;
      throw new UsageError(
        `--event is '${text}'; it must be an event name such as post.published. ` +
          `For the id of an event use --event-id ${text}.`,
      );
    },
  },
  event_id: {
    parse: (text) => {
      if (!text.includes('.')) return text;
      throw new UsageError(
        `--event-id is '${text}', which is the name of an event. Use --event ${text}, or the id of an event.`,
      );
    },
  },
};

/** Fields with the id of one of several kinds of things, and what finds it by name or address. */
const mixed: Readonly<Record<string, (caller: Caller, given: string) => Promise<string>>> = {
  actor: findActor,
  target: findTarget,
};

/** Fields that name the thing: an argument, if the API requires them. */
const namesTheThing = ['name', 'email'];
/** Values that other users of the machine would see in an argument. */
const isSecret = (name: string): boolean => /^(secret|token|password)$/.test(name);
const isTime = (name: string, { format, examples = [] }: Schema): boolean =>
  /^(since|until)$/.test(name) ||
  format === 'date-time' ||
  examples.some((one) => /^\d{4}-\d\d-\d\d/.test(String(one)));
const isOf = ({ type }: Schema, ...types: readonly string[]): boolean =>
  [type].flat().some((one) => types.includes(one ?? ''));
const isJson = (schema: Schema): boolean =>
  isOf(schema, 'object') ||
  schema.anyOf !== undefined ||
  (isOf(schema, 'array') && !isOf(schema.items ?? {}, 'string'));

/** Returns the noun whose names or addresses stand for the ids of a field. */
const nounOf = (name: string) => {
  const [, stem = '', plural = ''] = /^(\w+)_id(s?)$/.exec(name) ?? [];
  const noun = nounCalled(name) ?? nounCalled(`${stem}s`);
  return noun && { noun, option: `${noun.argument}${plural}`, isMany: plural !== '' || name in nouns };
};

const jsonIn = (file: string, flag: string): unknown => {
  try {
    const value: unknown = JSON.parse(textOf(file, flag));
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError(`${flag} has to be a JSON object, such as {"format":{"type":"slack"}}.`);
};

const inFile = 'In a file; - is standard input. An argument would be visible to other users of the machine.';

type Form = Omit<Given, 'field'>;
const asIs = (value: unknown): unknown => value;

const option = (name: string, value: string, description: string, read: Given['read'] = asIs): Form => ({
  name,
  form: new Option(`--${name} <${value}>`, description),
  read,
});

const idsForm = (name: string, { noun, isMany }: NonNullable<ReturnType<typeof nounOf>>, description: string): Form => {
  const idOf = async (caller: Caller, text: string) => (await noun.find(caller, text)).id;
  return option(name, name, `${description} ${noun.help}`, (value, caller) =>
    isMany
      ? Promise.all(
          String(value)
            .split(',')
            .map((one) => idOf(caller, one.trim())),
        )
      : idOf(caller, String(value)),
  );
};

const scalarForm = (name: string, schema: Schema, parse: ((text: string) => unknown) | undefined): Form => {
  const choices = (schema.enum ?? []).filter((choice) => choice !== null);
  const isNumber = isOf(schema, 'integer', 'number');
  const [value, read] = isTime(name, schema)
    ? ['time', timeOption(`--${name}`)]
    : isNumber
      ? ['number', wholeNumber(`--${name}`, schema.minimum)]
      : [name, undefined];
  const made = option(name, value, schema.description ?? '');
  const parser = parse ?? read;
  if (parser !== undefined) (made.form as Option).argParser(parser);
  else if (choices.length > 0) made.form.choices(choices);
  return made;
};

const formOf = ({ name: api, schema }: Field): Form => {
  const { description = '' } = schema;
  const found = nounOf(api);
  const word = words[api];
  const name = word?.option ?? found?.option ?? api.replaceAll('_', '-');
  if (found !== undefined) return idsForm(name, found, description);
  const find = mixed[api];
  if (find !== undefined)
    return option(name, 'id, name or address', description, (value, caller) => find(caller, String(value)));
  if (isSecret(api)) {
    const flag = `${name}-file`;
    return option(flag, 'file', `${description} ${inFile}`, (value) => textOf(String(value), `--${flag}`).trim());
  }
  if (isJson(schema)) {
    const flag = `${name}-file`;
    return option(flag, 'file', `${description} ${inFile}`, (value) => jsonIn(String(value), `--${flag}`));
  }
  if (isOf(schema, 'array')) return option(name, name, description, (value) => String(value).split(','));
  if (schema.const !== undefined || (isOf(schema, 'boolean') && schema.default === false))
    return { name, form: new Option(`--${name}`, description), read: () => schema.const ?? true };
  if (!isOf(schema, 'boolean')) return scalarForm(name, schema, word?.parse);
  const made = option(name, 'yes|no', description, (value) => value === 'yes');
  made.form.choices(['yes', 'no']);
  return made;
};

/** Returns the fields of an endpoint as options; the one that names a new thing is an argument. */
export const givensOf = (endpoint: Endpoint, isHere: (field: Field) => boolean): Given[] =>
  endpoint.fields.filter(isHere).map((field) => {
    const made = formOf(field);
    if (endpoint.method === 'POST' && field.isRequired && namesTheThing.includes(field.name))
      return { field, ...made, form: new Argument(`<${made.name}>`, field.schema.description) };
    if (field.isRequired && made.form instanceof Option) made.form.makeOptionMandatory();
    return { field, ...made };
  });

/** Returns what was typed for an option or an argument. */
export const valueIn = (typed: Readonly<Record<string, unknown>>, form: Given['form']): unknown =>
  typed[form instanceof Option ? form.attributeName() : form.name()];

/** Returns an error of the API that names the command's options instead of fields; other errors unchanged. */
export const withOptionsNamed = (givens: readonly Given[], error: unknown): unknown =>
  error instanceof RequestError
    ? error.withText(
        givens.reduce(
          (text, { field, form }) =>
            text.replace(
              new RegExp(`\`${field.name}(?=[\`=])`, 'g'),
              `\`${form instanceof Option ? form.long : form.name()}`,
            ),
          error.message,
        ),
      )
    : error;

export interface Values {
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns what the user gave, as the API takes it. @throws UsageError, RequestError */
export const valuesOf = async (
  givens: readonly Given[],
  typed: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<Values> => {
  const query: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const { field, form, read } of givens) {
    const words = valueIn(typed, form);
    if (words === undefined) continue;
    const value = await read(words, caller);
    if (field.in === 'query') query[field.name] = String(value);
    else body[field.name] = value;
  }
  return { query, body };
};

/** Returns a command with these options of an endpoint, and a function that reads them, for hand-written commands. */
export const withFields = <Made extends CommandUnknownOpts>(command: Made, of: string, names: readonly string[]) => {
  const givens = givensOf(endpointNamed(of), ({ name }) => names.includes(name));
  for (const { form } of givens) if (form instanceof Option) command.addOption(form);
  return { command, read: (typed: object, caller: Caller) => valuesOf(givens, { ...typed }, caller) };
};
