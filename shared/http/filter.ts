/** The parameter `filter` as Ghost's clients write it: `field:value`, joined by `+` (and) and `,` (or). */
import * as v from 'valibot';
import { invalidParameter, type Parameter } from './query.ts';

/** Longer ones are refused before they are read. */
const maxChars = 500;

export interface Filter<Field extends string> {
  readonly fields: ReadonlySet<Field>;
  /** Whether an item has the values; letters of addresses count in any case. */
  readonly matches: (item: Readonly<Record<Field, string>>) => boolean;
}

interface Term<Field> {
  readonly field: Field;
  readonly value: string;
}

/** A field, and a value, quoted if it has a character with a meaning. A raw `+` in a query arrives as a space. */
const termForm = /([a-z_]+):(?:'((?:[^'\\]|\\.)*)'|([^\s'"+,()[\]<>~-][^\s'"+,()[\]]*))([+ ,]|$)/y;

/** Returns the parameter for a list whose items have these fields. */
export const filterOn = <const Field extends string>(
  fields: readonly Field[],
): Parameter<Filter<Field> | undefined> => ({
  schema: v.pipe(v.string(), v.maxLength(maxChars), v.metadata({ examples: ["email:'ada@example.com'"] })),
  description:
    'Only items with these values: `field:value`, joined by `+` (and) and `,` (or), where `+` binds first. ' +
    `The fields: ${fields.join(', ')}. ` +
    'Quote a value that has other characters than letters, digits, `.`, `@` and `_`: ' +
    "`email:'ada@example.com'`.",
  invalid: 'it is too long, names another field, or is no equality',
  read: (text, name) => {
    if (text === undefined) return undefined;
    const alternatives = text.length > maxChars ? undefined : read(text, fields);
    if (alternatives === undefined)
      throw invalidParameter(
        name,
        text,
        'filter',
        `is not understood: it compares ${fields.join(', ')} by ` +
          `\`:\`, with \`+\` and \`,\` between them, in at most ${maxChars} characters`,
        null,
        "Write it as `field:value` or `field:'value'`.",
      );
    return {
      fields: new Set(alternatives.flat().map(({ field }) => field)),
      matches: (item) =>
        alternatives.some((terms) => terms.every(({ field, value }) => isEqual(field, item[field], value))),
    };
  },
});

/** Addresses are compared as everywhere (`normalizedEmail`), all else exactly. */
const isEqual = (field: string, actual: string, wanted: string): boolean =>
  field === 'email' ? actual.toLowerCase() === wanted.toLowerCase() : actual === wanted;

/** Returns the alternatives, each with terms that must all hold; undefined for another text. */
const read = <Field extends string>(text: string, fields: readonly Field[]): Term<Field>[][] | undefined => {
  const alternatives: Term<Field>[][] = [[]];
  let at = 0;
  for (let isOver = false; !isOver; ) {
    termForm.lastIndex = at;
    const found = termForm.exec(text);
    const field = fields.find((one) => one === found?.[1]);
    if (found === null || field === undefined) return undefined;
    alternatives.at(-1)?.push({ field, value: found[2]?.replaceAll(/\\(.)/g, '$1') ?? found[3] ?? '' });
    if (found[4] === ',') alternatives.push([]);
    at = termForm.lastIndex;
    isOver = found[4] === '';
  }
  return alternatives;
};
