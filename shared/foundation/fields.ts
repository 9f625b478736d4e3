/** Building blocks of request fields, with the error messages that clients read. */
import * as v from 'valibot';
import { isJsonObject } from './exact-json.ts';
import { named } from './resource.ts';
import { hasControls, hasWebAddress, isBlank } from './text.ts';

/** Refuses an array, which valibot takes for an object. */
const noArray = <Schema extends v.GenericSchema>(schema: Schema): Schema => ({
  ...schema,
  '~run': (dataset, config) => {
    if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config);
    v._addIssue(schema, 'type', dataset, config);
    return dataset;
  },
});

const record = noArray(v.record(v.string(), v.unknown(), 'must be an object.'));

/** A client's object, unchanged: a record of valibot loses the keys `__proto__`, `prototype` and `constructor`. */
export const jsonObject: typeof record = {
  ...record,
  '~run': (dataset, config) => {
    const { value } = dataset;
    return isJsonObject(value) ? { typed: true, value } : record['~run'](dataset, config);
  },
};

export const text = v.string('must be a string.');

/** Returns the schema of an item with these fields; unknown fields are ignored. */
export const objectOf = <Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, 'must be an object.'> => noArray(v.object(entries, 'must be an object.'));

/** Returns the schema of an item of a request; the OpenAPI document has it under the name. */
export const requestItem = <Entries extends v.ObjectEntries>(
  component: string,
  entries: Entries,
): v.ObjectSchema<Entries, 'must be an object.'> => named(component, objectOf(entries));

type Changes<Entries extends v.ObjectEntries> = {
  readonly [Name in keyof Entries]: v.ExactOptionalSchema<Entries[Name], undefined>;
};

/** Returns the schema of an update: any of the fields of an item. */
export const changesOf = <Entries extends v.ObjectEntries>({ entries }: { readonly entries: Entries }) =>
  objectOf(
    Object.fromEntries(
      Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema)]),
    ) as Changes<Entries>,
  );

type Complete<Entries extends v.ObjectEntries> = {
  readonly [Name in keyof Entries]: null extends v.InferOutput<Entries[Name]>
    ? v.OptionalSchema<Entries[Name], null>
    : Entries[Name];
};

/** Returns the fields of a creation: all are required, except nullable ones, which are null by default. */
export const creationOf = <Entries extends v.ObjectEntries>(entries: Entries): Complete<Entries> =>
  Object.fromEntries(
    Object.entries(entries).map(([name, schema]) => [name, v.is(schema, null) ? v.optional(schema, null) : schema]),
  ) as Complete<Entries>;

/** Limits the length in characters as JSON Schema and Ghost count them: one beyond U+FFFF counts once. */
export const maxChars = (length: number): v.MaxLengthAction<string, number, string> => {
  const inCodeUnits = v.maxLength<string, number, string>(length, `must have at most ${length} characters.`);
  return {
    ...inCodeUnits,
    '~run': (dataset, config) =>
      typeof dataset.value === 'string' && [...dataset.value].length <= length
        ? dataset
        : inCodeUnits['~run'](dataset, config),
  };
};

/** How a value violates a custom rule; `limit` is the required value, if it is short. `message` has field and fix. */
interface Violation {
  readonly rule: string;
  readonly limit?: string | number | null;
  readonly message: string;
}

/** Returns a custom rule for values that satisfy all rules before it; `check` returns the violation, if any. */
export const rule = <T>(check: (value: T) => Violation | undefined): v.RawCheckAction<T> =>
  v.rawCheck(({ dataset, addIssue }) => {
    const violation = dataset.typed && dataset.issues === undefined ? check(dataset.value) : undefined;
    // An issue has no field for a limit: the name and the limit share `expected`, and `http/items.ts` splits them.
    if (violation)
      addIssue({ expected: `${violation.rule} ${violation.limit ?? ''}`.trim(), message: violation.message });
  });

/** The maximum length of a name in characters, as in Ghost. */
export const maxNameLength = 191;

/** The name of something that administrators manage. Mails and pages show it, so that it has no web address. */
export const plainName = v.pipe(
  text,
  maxChars(maxNameLength),
  v.check((name) => !isBlank(name), 'must not be blank.'),
  v.check((name) => !hasControls(name), 'must not have control characters.'),
  v.check((name) => !hasWebAddress(name), 'must not have a web address.'),
);

export const emptyAsNull = v.transform((value: string | null) => (value === '' ? null : value));
