/**
 * Resources: a schema declares the fields, their rules and texts, and which of them clients can set and read. Types,
 * checks, updates, presenters, the OpenAPI document, the console and the command line derive from it.
 */
import * as v from 'valibot';
import { type AnyId, idPattern } from './ids.ts';

/** Returns the schema of an id: 24 lower-case hex characters. */
export const idSchema = <Id extends AnyId>(): v.GenericSchema<Id> =>
  v.pipe(v.string(), v.regex(idPattern)) as v.GenericSchema<string> as v.GenericSchema<Id>;

/** The schema of a timestamp: ISO 8601, UTC, with milliseconds. */
export const timeSchema = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  v.metadata({ format: 'date-time' }),
);

/**
 * Describes a field for the OpenAPI document, with an example if the value is not obvious. Put it before the schema's
 * own rules: the document shows what clients send, and ignores all after a transform.
 */
export const field = <Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  ...examples: readonly v.InferInput<Schema>[]
): Schema => {
  const [first, ...rules] = 'pipe' in schema ? (schema.pipe as [Schema]) : [schema];
  const texts = [v.description(description), ...(examples.length === 0 ? [] : [v.examples(examples)])];
  // Texts check nothing, and a new pipe would lose what `v.config` has set for the rules.
  return {
    ...v.pipe(...([first, ...texts, ...rules] as [Schema])),
    '~run': schema['~run'],
  } as v.GenericSchema as Schema;
};

/** Gives a schema its name in the OpenAPI document. */
export const named = <Schema extends v.GenericSchema>(component: string, schema: Schema): Schema => ({
  ...schema,
  component,
});

/** Returns the schema of a resource with these fields; the document has it under the name. */
export const resource = <Entries extends v.ObjectEntries>(
  component: string,
  entries: Entries,
): v.StrictObjectSchema<Entries, undefined> => named(component, v.strictObject(entries));

/** When clients can set a field: in any request, or in the one that creates the resource only. */
interface Settable {
  readonly settable: 'always' | 'once';
}
interface Writable {
  readonly settable: 'always';
}

/** Marks a field that clients set by POST and change by PUT. Its schema is the rule for what they send. */
export const writable = <Schema extends v.GenericSchema>(schema: Schema): Schema & Writable => ({
  ...schema,
  settable: 'always',
});

/** Marks a field that clients set by POST only. */
export const initial = <Schema extends v.GenericSchema>(schema: Schema): Schema & Settable => ({
  ...schema,
  settable: 'once',
});

/** Marks a secret: clients set it by POST, and only the response to that request contains it. */
export const secret = <Schema extends v.GenericSchema<string | null>>(schema: Schema) => ({
  ...schema,
  settable: 'once' as const,
  isSecret: true,
});

interface WithEntries {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
}

type Marked<Schema extends WithEntries, Mark> = {
  [Name in keyof Schema['entries'] as Schema['entries'][Name] extends Mark ? Name : never]: Schema['entries'][Name];
};

/** Returns the fields that clients can set, with their rules, in the schema's order. */
export const settableEntries = <Schema extends WithEntries>({ entries }: Schema): Marked<Schema, Settable> =>
  Object.fromEntries(Object.entries(entries).filter(([, entry]) => 'settable' in entry)) as Marked<Schema, Settable>;

export type SettableName<Schema extends WithEntries> = keyof Marked<Schema, Settable>;

export type WritableName<Schema extends WithEntries> = keyof Marked<Schema, Writable>;

export const writableFields = <
  Schema extends WithEntries,
  Item extends Readonly<Record<WritableName<Schema>, unknown>>,
>(
  { entries }: Schema,
  record: Item,
): Pick<Item, WritableName<Schema>> =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name]) => Object.hasOwn(entries, name) && (entries[name] as Partial<Settable>).settable === 'always',
    ),
  ) as Pick<Item, WritableName<Schema>>;

export const settableFields = <
  Schema extends WithEntries,
  Item extends Readonly<Record<SettableName<Schema>, unknown>>,
>(
  { entries }: Schema,
  record: Item,
): Pick<Item, SettableName<Schema>> =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => Object.hasOwn(entries, name) && 'settable' in (entries[name] ?? {})),
  ) as Pick<Item, SettableName<Schema>>;

type Shown<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Shown<Item>[]
    : { readonly [Name in keyof T]: Shown<T[Name]> };

/** The fields that a schema declares, as models and presenters use them. */
export type Resource<Schema extends v.GenericSchema> = Shown<v.InferOutput<Schema>>;

/** Returns the fields of a record that the schema declares, in its order, without undefined ones. Secrets are null. */
export const present = <Schema extends v.GenericSchema>(schema: Schema, record: Resource<Schema>): Resource<Schema> =>
  declared(schema as Node, record, false) as Resource<Schema>;

/** Presents a record with its secrets, for the request that has set them. */
export const presentWithSecrets = <Schema extends v.GenericSchema>(
  schema: Schema,
  record: Resource<Schema>,
): Resource<Schema> => declared(schema as Node, record, true) as Resource<Schema>;

interface Node {
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly wrapped?: Node;
  readonly isSecret?: true;
}

const declared = ({ entries, item, wrapped, isSecret }: Node, value: unknown, withSecrets: boolean): unknown => {
  if (value === null || value === undefined) return value;
  if (isSecret && !withSecrets) return null;
  if (wrapped !== undefined) return declared(wrapped, value, withSecrets);
  if (item !== undefined) return (value as readonly unknown[]).map((one) => declared(item, one, withSecrets));
  if (entries === undefined) return value;
  const record = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, inner]) =>
      record[name] === undefined ? [] : [[name, declared(inner, record[name], withSecrets)]],
    ),
  );
};
