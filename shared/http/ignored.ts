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
  const names = [
    ...Object.keys(sent).filter((name) => !parameters.includes(name)),
    ...itemsIn(body, root).flatMap((item) => unknownIn(item, schemas)),
  ];
  if (names.length === 0) return {};
  const shown = [...new Set(names)].slice(0, maxNames).map((name) => (/^[\w.-]{1,50}$/.test(name) ? name : '?'));
  return { 'Masthead-Ignored': [...new Set(shown)].join(', ') };
};

/** The paths of the fields that none of the schemas has; what a schema describes without fields, it takes as it is. */
const unknownIn = (item: object, schemas: readonly v.GenericSchema[], path = ''): readonly string[] => {
  const fields = schemas.map(fieldsOf);
  if (fields.every((one) => one === undefined)) return [];
  return Object.entries(item).flatMap(([name, value]) => {
    const known = fields.flatMap((one) =>
      one !== undefined && Object.hasOwn(one, name) ? [one[name] as v.GenericSchema] : [],
    );
    if (known.length === 0) return [`${path}${name}`];
    return isJsonObject(value) ? unknownIn(value, known, `${path}${name}.`) : [];
  });
};

const fieldsOf = (schema: v.GenericSchema): Readonly<Record<string, v.GenericSchema>> | undefined => {
  if ('wrapped' in schema) return fieldsOf(schema.wrapped as v.GenericSchema);
  return 'entries' in schema ? (schema.entries as Record<string, v.GenericSchema>) : undefined;
};

const itemsIn = (body: Body, root = ''): readonly object[] => {
  const items =
    body.kind === 'json' && isJsonObject(body.json) ? (body.json as Record<string, unknown>)[root] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
};
