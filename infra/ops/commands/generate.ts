/** `npm run ops -- <noun> <verb>`: a command for each endpoint that is one request, made from the API document. */
import { Argument, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Caller } from '../../command-line/client.ts';
import { command, sections, wholeNumber } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { printError } from '../../command-line/print.ts';
import { apiCommand, type Connection, connect, csvOption, environment } from '../api/connection.ts';
import { type Endpoint, endpoints, type Field, type Schema } from '../api/document.ts';
import { collect, pages, request } from '../api/request.ts';
import { confirm, yesHelp } from '../output/confirm.ts';
import { say } from '../output/print.ts';
import { listed, type Names, printAll, printOne } from './columns.ts';
import { type Given, givensOf, valueIn, valuesOf, withOptionsNamed } from './fields.ts';
import { type Found, nounCalled, roleNames, webhookNames } from './find.ts';
import { type Words, wordsOf } from './words.ts';

type Item = Readonly<Record<string, unknown>>;

const maxPage = 100;

const singular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '');
const past = (verb: string): string => `${verb}${verb.endsWith('e') ? 'd' : 'ed'}`;
const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

interface IdGiven {
  readonly name: string;
  readonly argument: Argument;
  readonly example: string;
  find(caller: Caller, given: string): Promise<Found>;
}

const asIs = (_caller: Caller, given: string): Promise<Found> => Promise.resolve({ id: given, text: given });

const idGiven = (path: string, { name, example }: Endpoint['ids'][number]): IdGiven => {
  const noun = path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '';
  const known = nounCalled(noun);
  const word = known?.argument ?? (name === 'id' ? singular(noun) : name.replace(/_id$/, ''));
  return {
    name,
    argument: new Argument(`<${word}>`, known?.help ?? `The id of the ${word}.`),
    example: known?.example ?? example ?? `<${word}>`,
    find: known?.find ?? asIs,
  };
};

interface Draft {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly words: Words;
  readonly ids: readonly IdGiven[];
  readonly givens: readonly Given[];
}

/** Whether a field is an option. Lists read their pages by themselves; a parameter named as a field is set with it. */
const isOption = (field: Field, { fields }: Endpoint, { query = {}, without = [] }: Words): boolean => {
  if (without.includes(field.name)) return false;
  const isSetOtherwise = (name: string) =>
    ['cursor', 'page', 'limit', 'include'].includes(name) ||
    name in query ||
    fields.some((one) => one !== field && one.name === name);
  return field.in === 'body' || !isSetOtherwise(field.name);
};

const exampleOf = ({ enum: [first = 'x'] = [], examples = [first] }: Schema): string =>
  /^[\w.:/@-]+$/.test(String(examples[0])) ? String(examples[0]) : `'${examples[0]}'`;

const exampleLine = ({ endpoint: { method }, name, ids, givens }: Draft): string =>
  [
    `npm run ops -- ${name}`,
    ...ids.map(({ example }) => example),
    ...givens.flatMap(({ field, form, name: option }, place) => {
      if (form instanceof Argument) return [exampleOf(field.schema)];
      return field.isRequired || (method === 'PUT' && place === 0) ? [`--${option} ${exampleOf(field.schema)}`] : [];
    }),
    ...(method === 'DELETE' ? ['--yes'] : []),
  ].join(' ');

const commandOf = (draft: Draft): CommandUnknownOpts => {
  const { endpoint, name, words, ids, givens } = draft;
  const { method, path, summary, description } = endpoint;
  const made: CommandUnknownOpts = apiCommand(name.split(' ').at(-1) ?? name)
    .summary(`${summary}.`)
    .description([`${summary}.`, description, `Sends ${method} ${path}.`].filter(Boolean).join('\n\n'));
  for (const { argument } of ids) made.addArgument(argument);
  for (const { form } of givens) {
    if (form instanceof Argument) made.addArgument(form);
    else made.addOption(form);
  }
  for (const [flag, text] of Object.entries(words.flags ?? {})) made.option(`--${flag}`, text, false);
  if (method === 'DELETE') made.option('--yes', yesHelp(), false);
  if (endpoint.answer?.isList) made.addOption(csvOption());
  if (endpoint.fields.some((field) => field.name === 'limit'))
    made.addOption(
      new Option('--limit <number>', 'How many to list, at most.').argParser(wholeNumber('--limit')).default(50),
    );
  made.addHelpText('after', sections({ environment, examples: { [summary]: exampleLine(draft), ...words.examples } }));
  return made.action(async () => {
    const inPlace = made.registeredArguments.map((one, place) => [one.name(), made.processedArgs[place]]);
    await act(draft, { ...made.opts(), ...Object.fromEntries(inPlace) } as Typed).catch((error: unknown) => {
      throw withOptionsNamed(givens, error);
    });
  });
};

interface Typed extends Connection {
  readonly limit?: number;
  readonly yes?: boolean;
  readonly [name: string]: unknown;
}

const act = async (draft: Draft, typed: Typed): Promise<void> => {
  const { endpoint, name, words, ids, givens } = draft;
  const { method, path, answer, root } = endpoint;
  const isEmpty = givens.every(({ form }) => valueIn(typed, form) === undefined);
  if (method === 'PUT' && givens.length > 0 && isEmpty)
    throw new UsageError(`Nothing to change: give at least one of ${givens.map((one) => `--${one.name}`).join(', ')}.`);
  const caller = await connect(typed);
  const found: Found[] = [];
  let at = path;
  for (const { name: id, argument, find } of ids) {
    const one = await find(caller, String(typed[argument.name()]));
    found.push(one);
    at = at.replace(`{${id}}`, encodeURIComponent(one.id));
  }
  if (method === 'DELETE') {
    const what = `the ${ids.at(-1)?.argument.name() ?? ''} ${found.at(-1)?.text ?? ''}`;
    const [verb = ''] = (name.split(' ').at(-1) ?? name).split('-');
    await confirm(`${capital(verb)} ${what}?`, typed.yes ?? false);
    await request(caller, method, at);
    return say(typed, `${capital(past(verb))} ${what}.`);
  }
  const values = await valuesOf(givens, typed, caller);
  const query = { ...values.query, ...words.query, ...words.queryFor?.(values, typed) };
  if (answer?.isList) {
    const { limit = Number.POSITIVE_INFINITY } = typed;
    const page = { ...query, limit: typed.limit && Math.min(limit + 1, maxPage) };
    const read = await collect(
      pages(caller, at, page, (body) => itemsIn(body, answer.root)),
      limit + 1,
    );
    const items = read.slice(0, limit);
    const names = items.length === 0 ? {} : await namesFor(typed, listed(answer), caller);
    const empty = isEmpty ? `No ${answer.root} yet.${words.empty ?? ''}` : `No ${answer.root} match.`;
    printAll(typed, answer, items, names, empty);
    if (read.length > limit) printError(`There are more than ${limit}: use --limit <number>.`);
    return;
  }
  const search = new URLSearchParams(query).toString();
  const sent = root !== undefined && Object.keys(values.body).length > 0 ? { [root]: [values.body] } : undefined;
  const known = method === 'GET' ? found.at(-1)?.item : undefined;
  const body = known ?? (await request(caller, method, `${at}${search && '?'}${search}`, sent));
  if (answer === undefined) return say(typed, 'Done.');
  for (const item of known === undefined ? itemsIn(body, answer.root) : [known]) {
    printOne(typed, answer, item, await namesFor(typed, Object.keys(item), caller));
    if (words.after !== undefined) say(typed, `\n${words.after(item)}`);
  }
};

/** Reads names for the fields that have ids of webhooks or roles. */
const namesFor = async ({ json, csv }: Connection, fields: readonly string[], caller: Caller): Promise<Names> => ({
  ...(!json && !csv && fields.includes('webhook_id') && { webhook_id: await webhookNames(caller) }),
  ...(!json && !csv && fields.includes('role_id') && { role_id: await roleNames(caller) }),
});

/** Returns the objects of an answer. @throws Error if the API answers with something else */
const itemsIn = (body: unknown, root: string): readonly Item[] => {
  const items: unknown = Object(body)[root];
  if (typeof items !== 'object' || items === null) throw new Error(`The API returned no \`${root}\`.`);
  return Array.isArray(items) ? items : [{ ...items }];
};

const order = ['list', 'show', 'create', 'update'];
const placeOf = (one: CommandUnknownOpts): number => order.indexOf(one.name()) + 1 || order.length + 1;

const groupOf = (noun: string, commands: readonly CommandUnknownOpts[]): CommandUnknownOpts => {
  const sorted = commands.toSorted((one, other) => placeOf(one) - placeOf(other));
  const names = sorted.map((one) => one.name());
  const examples = { 'What a command does and takes': `npm run ops -- ${noun} ${names[0]} --help` };
  const group: CommandUnknownOpts = command(noun)
    .description(`${capital(noun)}: ${names.join(', ')}.`)
    .addHelpText('after', sections({ examples }));
  for (const one of sorted) group.addCommand(one);
  return group;
};

/**
 * Returns the commands of the API document beside those that are written by hand.
 * @param inGroups those below a noun @param alone those without one
 */
export const withGenerated = (
  inGroups: Readonly<Record<string, readonly CommandUnknownOpts[]>>,
  alone: readonly CommandUnknownOpts[],
): CommandUnknownOpts[] => {
  const groups = new Map(Object.entries(inGroups).map(([noun, some]) => [noun, [...some]]));
  const single: CommandUnknownOpts[] = [];
  for (const endpoint of endpoints) {
    const { name, ...words } = wordsOf(endpoint.function);
    if (name === null) continue;
    const ids = endpoint.ids.map((id) => idGiven(endpoint.path, id));
    const givens = givensOf(endpoint, (field) => isOption(field, endpoint, words));
    const made = commandOf({ endpoint, name, words, ids, givens });
    const [noun = '', verb] = name.split(' ');
    if (verb === undefined) single.push(made);
    else groups.set(noun, [...(groups.get(noun) ?? []), made]);
  }
  return [...[...groups].map(([noun, some]) => groupOf(noun, some)), ...single, ...alone];
};
