/** Resources: one schema declares the fields that clients see; types, presenters and the OpenAPI document derive from it. */
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

/** Adds a description to a field for the OpenAPI document, and an example if the value is not obvious. */
export const field = <Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  ...examples: readonly v.InferInput<Schema>[]
): Schema => {
  const described = v.pipe(schema, v.description(description));
  return (examples.length === 0 ? described : v.pipe(described, v.examples(examples))) as unknown as Schema;
};

type Shown<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Shown<Item>[]
    : { readonly [Name in keyof T]: Shown<T[Name]> };

/** The fields that a schema declares, as models and presenters use them. */
export type Resource<Schema extends v.GenericSchema> = Shown<v.InferOutput<Schema>>;

/** Returns the fields of a record that the schema declares, in the schema's order, without undefined ones. */
export const present = <Schema extends v.GenericSchema>(schema: Schema, record: Resource<Schema>): Resource<Schema> =>
  declared(schema as Node, record) as Resource<Schema>;

/** The parts of a valibot schema that lead to the fields. */
interface Node {
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly wrapped?: Node;
}

const declared = ({ entries, item, wrapped }: Node, value: unknown): unknown => {
  if (value === null || value === undefined) return value;
  if (wrapped !== undefined) return declared(wrapped, value);
  if (item !== undefined) return (value as readonly unknown[]).map((one) => declared(item, one));
  if (entries === undefined) return value;
  const record = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, inner]) =>
      record[name] === undefined ? [] : [[name, declared(inner, record[name])]],
    ),
  );
};
