/** The parameter `order` as Ghost's clients write it: fields and directions, such as `name asc, created_at desc`. */
import * as v from 'valibot';
import { invalidParameter, type Parameter } from './query.ts';

/** Longer ones are refused before they are read. */
const maxChars = 200;

/** Returns the items in the order that the client wants; by default as they are. */
type Sort<Field extends string> = <Item extends Readonly<Record<Field, string | null>>>(
  items: readonly Item[],
) => readonly Item[];

/** As databases order texts: without regard to case, and none before all others. */
const { compare } = new Intl.Collator('en');

/** Returns the parameter for a list whose items have these fields. */
export const orderBy = <const Field extends string>(fields: readonly Field[]): Parameter<Sort<Field>> => ({
  schema: v.pipe(v.string(), v.maxLength(maxChars), v.metadata({ examples: ['name asc, created_at desc'] })),
  description:
    'The order: fields, each with `asc` (the default) or `desc`, separated by commas. ' +
    `The fields: ${fields.join(', ')}.`,
  invalid: 'it names another field or direction, or is too long',
  read: (text, name) => {
    if (text === undefined) return (items) => items;
    const terms = text.length > maxChars ? [undefined] : text.split(',').map((term) => read(term, fields));
    const known = terms.filter((term) => term !== undefined);
    if (known.length < terms.length)
      throw invalidParameter(
        name,
        text,
        'order',
        `is not understood: it orders by ${fields.join(', ')}, with \`asc\` or \`desc\` after each`,
        null,
        'Write it as `field asc` or `field desc`, separated by commas.',
      );
    return (items) =>
      items.toSorted((a, b) =>
        known.reduce((order, { field, sign }) => order || sign * compare(a[field] ?? '', b[field] ?? ''), 0),
      );
  },
});

/** Returns one term; undefined for another text. A raw `+` in a query arrives as a space. */
const read = <Field extends string>(text: string, fields: readonly Field[]) => {
  const [, name, direction] = /^ *([a-z_]+)(?: +(asc|desc))? *$/i.exec(text) ?? [];
  const field = fields.find((one) => one === name);
  return field && { field, sign: direction?.toLowerCase() === 'desc' ? -1 : 1 };
};
