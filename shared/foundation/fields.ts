/** Building blocks of request fields, with the error messages that clients read. */
import * as v from 'valibot';

export const text = v.string('must be a string.');

/** Returns the schema of an item with these fields; unknown fields are ignored. */
export const objectOf = <Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, 'must be an object.'> => v.object(entries, 'must be an object.');

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

/** Limits the length in characters as JSON Schema and Ghost count them: one beyond U+FFFF counts once, not as two code units. */
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

/** How a value violates a custom rule; `limit` is the required value, if it is short. */
interface Violation {
  readonly rule: string;
  readonly limit?: string | number | null;
  /** Names the field, the value and how to correct it. */
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

/** Turns an empty string into null. */
export const emptyAsNull = v.transform((value: string | null) => (value === '' ? null : value));
