/** Converts valibot schemas to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { additions, components, optional } from './components.ts';

export type Json = { [keyword: string]: unknown };

const config: Parameters<typeof toJsonSchema>[1] = {
  target: 'draft-2020-12',
  // The values on the wire: before transforms such as `""` to null.
  typeMode: 'input',
  errorMode: 'throw',
  // Custom rules (known events, target URLs) are in the descriptions.
  ignoreActions: ['raw_check', 'check'],
};

const reference = ({ referenceId }: { referenceId: string }): string => `#/components/schemas/${referenceId}`;

/** Returns all components by name, with descriptions. */
export const componentSchemas = (): Record<string, Json> => {
  const converted: Record<string, JsonSchema> = toJsonSchemaDefs(components, { ...config, overrideRef: reference });
  const tidied = Object.fromEntries(Object.entries(converted).map(([name, schema]) => [name, tidy(schema) as Json]));
  for (const [name, component] of Object.entries(tidied)) {
    const resource = properties(tidied[name.replace(/^New|Changes$/, '')]);
    const required = (component.required ?? []) as readonly string[];
    if (optional[name]) component.required = required.filter((field) => !optional[name]?.includes(field));
    for (const [field, schema] of Object.entries(properties(component))) {
      const { description = resource[field]?.description, examples = resource[field]?.examples } = schema;
      Object.assign(schema, description && { description }, examples && { examples }, additions[name]?.[field]);
    }
  }
  return tidied;
};

/** Returns a schema that is not a component, such as a parameter's. */
export const plainSchema = (schema: v.GenericSchema): Json => {
  const { $schema: _, ...converted } = toJsonSchema(schema, config);
  return tidy(converted) as Json;
};

export const properties = (schema: Json | undefined): Record<string, Json> =>
  (schema?.properties ?? {}) as Record<string, Json>;

/** Writes `string | null` as one type, and lets responses have further fields, so that clients tolerate future ones. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...keywords } = value as Json;
  if (keywords.additionalProperties === false) delete keywords.additionalProperties;
  const rest = Object.fromEntries(Object.entries(keywords).map(([keyword, inner]) => [keyword, tidy(inner)]));
  if (!Array.isArray(anyOf)) return rest;
  const [first, second] = anyOf.map((inner) => tidy(inner) as Json);
  if (anyOf.length === 2 && typeof first?.type === 'string' && second?.type === 'null')
    return {
      ...first,
      // An `enum` has to list null too.
      ...(Array.isArray(first.enum) && { enum: [...first.enum, null] }),
      type: [first.type, 'null'],
      ...rest,
    };
  return { anyOf: anyOf.map(tidy), ...rest };
};
