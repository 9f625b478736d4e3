/** What an endpoint does not declare: refused if it selects from a list, otherwise ignored and named. */
import type * as v from 'valibot';
import { ValidationError } from '../foundation/errors.ts';
import { isJsonObject } from '../foundation/exact-json.ts';
import type { Body } from './body.ts';
import { describe } from './items.ts';
import type { SentQuery } from './query.ts';

const maxNames = 10;

/** What selects, orders or cuts a list at some API: a script that acts on the whole list would act on wrong items. */
const selecting = ['filter', 'order', 'page', 'search', 'cursor', 'since', 'until', 'status', 'event', 'email'];

/** Refuses the parameters that would select from a list, if the list does not have them. @throws ValidationError */
export const refuseSelection = (sent: SentQuery, declared: readonly string[]): void => {
  const name = selecting.find((one) => sent[one] !== undefined && !declared.includes(one));
  if (name === undefined) return;
  const value = sent[name];
  throw new ValidationError(`This list has no parameter \`${name}\`.`, {
    property: name,
    help: declared.length === 0 ? 'It has no parameters.' : `Its parameters are ${declared.join(', ')}.`,
    details: [{ index: null, field: name, rule: 'known', limit: declared.join(', '), received: describe(value) }],
  });
};

/** What an endpoint knows: the parameters of the query, the root key of the body, and the fields of its items. */
interface Known {
  readonly parameters: readonly string[];
  readonly root: string | undefined;
  readonly schemas: readonly v.GenericSchema[];
}

/** Returns `Masthead-Ignored` for unknown parameters and fields. Fields that clients can read count as known. */
export const ignoredHeader = (
  sent: SentQuery,
  body: Body,
  { parameters, root, schemas }: Known,
): Readonly<Record<string, string>> => {
  const fields = schemas.flatMap((schema) => ('entries' in schema ? Object.keys(schema.entries as object) : []));
  const names = [
    ...Object.keys(sent).filter((name) => !parameters.includes(name)),
    ...itemsIn(body, root).flatMap((item) => Object.keys(item).filter((name) => !fields.includes(name))),
  ];
  if (names.length === 0) return {};
  const shown = [...new Set(names)].slice(0, maxNames).map((name) => (/^[\w.-]{1,50}$/.test(name) ? name : '?'));
  return { 'Masthead-Ignored': [...new Set(shown)].join(', ') };
};

const itemsIn = (body: Body, root = ''): readonly object[] => {
  const items =
    body.kind === 'json' && isJsonObject(body.json) ? (body.json as Record<string, unknown>)[root] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
};
