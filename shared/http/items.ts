/** The items of a body: from JSON to checked values, with every failure told by index and field. */
import * as v from 'valibot';
import { BadRequestError, type Failure, ValidationError } from '../foundation/errors.ts';
import { type Body, shortened } from './body.ts';

/** What a resource's body may hold: `{"<root>": [<item>, …]}`. */
export interface BodyShape<Item> {
  readonly root: string;
  readonly item: v.GenericSchema<unknown, Item>;
  /** At most so many items; fewer than one is always refused. */
  readonly max: number;
  /** Whether an item may carry an `id`, which then has to be the path's. */
  readonly sameIdAsPath?: true;
}

/**
 * Checks the root key and every item.
 * @throws BadRequestError for the root (400), ValidationError for fields and the number of items (422)
 */
export const readItems = <Item>(body: Body, shape: BodyShape<Item>, pathId?: string): Item[] => {
  const items = rootItems(body, shape.root);
  if (shape.sameIdAsPath === true) checkSameId(items, pathId);
  if (items.length > shape.max) throw tooMany(items.length, shape);
  const parsed = items.map((item) => v.safeParse(shape.item, item));
  const failures = parsed.flatMap((result, index) =>
    result.success ? [] : result.issues.map((issue) => ({ ...failureOf(issue, index), sentence: sentenceOf(issue) })),
  );
  const [first, ...others] = failures;
  if (first !== undefined)
    throw new ValidationError(first.sentence, {
      property: first.field,
      context: others.length === 0 ? undefined : toldWith(others, items.length),
      help: `Mend ${failures.length > 1 ? 'what `details` lists' : `\`${first.field}\``} and send the request again.`,
      details: failures.map(({ sentence: _, ...failure }) => failure),
    });
  return parsed.flatMap((result) => (result.success ? [result.output] : []));
};

/** So many failures beside the first are told in a sentence each; `details` has all of them. */
const sentences = 4;

const toldWith = (others: readonly { index: number | null; sentence: string }[], items: number): string => {
  const told = others
    .slice(0, sentences)
    .map(({ index, sentence }) => (items === 1 ? sentence : `Item ${index}: ${sentence}`));
  const more = others.length - told.length;
  return `Also: ${told.join(' ')}${more > 0 ? ` And ${more} more, see \`details\`.` : ''}`;
};

const rootItems = (body: Body, root: string): readonly object[] => {
  const help = `Send \`{"${root}": [{…}]}\` with \`Content-Type: application/json\`.`;
  if (body.kind === 'empty') throw new BadRequestError('The request has no body.', { help });
  if (body.kind === 'other')
    throw new BadRequestError(
      body.contentType === undefined
        ? 'The body has no Content-Type.'
        : `The body's Content-Type is \`${shortened(body.contentType)}\`; only JSON is read here.`,
      { help },
    );
  const { json } = body;
  if (!isObject(json)) throw new BadRequestError(`The body is ${describe(json)} and not an object.`, { help });
  if (!Object.hasOwn(json, root)) {
    const [other] = Object.keys(json);
    throw new BadRequestError(`The body has no top-level key \`${root}\`.`, {
      context: other === undefined ? 'It is empty.' : `It has \`${shortened(other)}\`.`,
      help,
    });
  }
  const items = (json as Record<string, unknown>)[root];
  if (!Array.isArray(items)) throw new BadRequestError(`\`${root}\` is ${describe(items)} and not an array.`, { help });
  if (items.length === 0) throw new BadRequestError(`\`${root}\` is an empty array.`, { help });
  return items.map((item: unknown, index) => {
    if (!isObject(item)) throw new BadRequestError(`Item ${index} of \`${root}\` is ${describe(item)}.`, { help });
    if (Object.keys(item).length === 0)
      throw new BadRequestError(`Item ${index} of \`${root}\` is an empty object.`, { help });
    return item;
  });
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An `id` of null says nothing, as for Ghost. */
const checkSameId = (items: readonly object[], pathId: string | undefined): void => {
  for (const [index, item] of items.entries()) {
    if (!Object.hasOwn(item, 'id')) continue;
    const { id } = item as { id: unknown };
    if (id === null || id === pathId) continue;
    throw new BadRequestError(`The \`id\` of item ${index} is not \`${pathId}\`, the one in the path.`, {
      property: 'id',
      help: 'Leave `id` out of the body, or send the same one.',
    });
  }
};

const tooMany = (length: number, { root, max }: BodyShape<unknown>): ValidationError =>
  new ValidationError(
    `\`${root}\` holds ${length} items; ${max === 1 ? 'exactly one is' : `at most ${max} are`} taken in one request.`,
    {
      property: root,
      help: 'Send them in several requests.',
      details: Array.from({ length: length - max }, (_, beyond) => ({
        index: max + beyond,
        field: root,
        rule: 'max_items',
        limit: max,
        received: `${length} items`,
      })),
    },
  );

const failureOf = (issue: v.BaseIssue<unknown>, index: number): Failure => {
  const field = v.getDotPath(issue) ?? 'item';
  if (isMissing(issue)) return { index, field, rule: 'required', limit: null, received: 'nothing' };
  return { index, field, ...ruleOf(issue), received: describe(issue.input) };
};

/** Rules of our own name themselves and their limit in `expected` (see `rule` in `shared/foundation/fields.ts`). */
const ruleOf = (issue: v.BaseIssue<unknown>): { rule: string; limit: unknown } => {
  if (issue.type.startsWith('raw_')) {
    const [rule = '', ...limit] = (issue.expected ?? '').split(' ');
    return { rule, limit: limit.length === 0 ? null : limit.join(' ') };
  }
  if (issue.kind === 'schema') return { rule: 'type', limit: issue.type };
  const { requirement } = issue;
  if (requirement instanceof RegExp) return { rule: 'format', limit: requirement.source };
  return { rule: issue.type, limit: typeof requirement === 'number' ? requirement : null };
};

/** valibot's `object` reports a missing key with the expected key's name and no value. */
const isMissing = (issue: v.BaseIssue<unknown>): boolean => issue.input === undefined && issue.path !== undefined;

const sentenceOf = (issue: v.BaseIssue<unknown>): string => {
  const field = v.getDotPath(issue);
  if (isMissing(issue)) return `\`${field}\` is missing.`;
  const named = field === null || issue.message.startsWith(field) || issue.message.startsWith(`\`${field}\``);
  const message = named ? issue.message : `\`${field}\` ${issue.message}`;
  // What our own rules say names the value already, where it may be named.
  return issue.type.startsWith('raw_') ? message : `${message.replace(/\.$/, '')}; it is ${describe(issue.input)}.`;
};

const inCharacters = (length: number): string => `a string of ${length} character${length === 1 ? '' : 's'}`;

/** Type and size of a value, and never the value: it may be a secret. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return inCharacters([...value].length);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
