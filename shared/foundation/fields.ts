/** Pieces that the fields of several nouns are made of, with the sentences that clients read when a value does not fit. */
import * as v from 'valibot';

export const text = v.string('must be a string.');

/** Counts characters as JSON Schema and Ghost do: one beyond U+FFFF is one, though it is two code units. */
export const atMost = (length: number): v.MaxLengthAction<string, number, string> => {
  const inCodeUnits = v.maxLength<string, number, string>(length, `must have at most ${length} characters.`);
  return {
    ...inCodeUnits,
    '~run': (dataset, config) =>
      typeof dataset.value === 'string' && [...dataset.value].length <= length
        ? dataset
        : inCodeUnits['~run'](dataset, config),
  };
};

/** How a value breaks a rule of our own; `limit` is what the rule asks for, where that can be said in short. */
interface Broken {
  readonly rule: string;
  readonly limit?: string | number | null;
  /** Names field, value and way out. */
  readonly message: string;
}

/** A rule that valibot has not, for values that hold all rules before it: `check` says how one breaks it, or nothing. */
export const rule = <T>(check: (value: T) => Broken | undefined): v.RawCheckAction<T> =>
  v.rawCheck(({ dataset, addIssue }) => {
    const broken = dataset.typed && dataset.issues === undefined ? check(dataset.value) : undefined;
    // An issue has no place for a limit: name and limit share this one, and `failureOf` in `http/items.ts` parts them.
    if (broken) addIssue({ expected: `${broken.rule} ${broken.limit ?? ''}`.trim(), message: broken.message });
  });

/** An empty text means that there is none. */
export const emptyAsNull = v.transform((value: string | null) => (value === '' ? null : value));
