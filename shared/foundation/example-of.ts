/** Builds examples of resources from the fields and examples of their schemas. */
import * as v from 'valibot';

/** Returns an example with all required fields: given, the schema's, or null. @throws for a field without any */
export const exampleOf = (
  { entries }: { readonly entries: v.ObjectEntries },
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, schema]) => {
      if (name in given) return [[name, given[name]]];
      if (schema.type === 'optional') return [];
      const [example] = v.getExamples(schema) as readonly unknown[];
      if (example === undefined && schema.type !== 'nullable' && schema.type !== 'null')
        throw new Error(`An example needs a value of ${name}.`);
      return [[name, example ?? null]];
    }),
  );
