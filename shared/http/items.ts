/** Checks the items of a body, and reports every failure with its index and field. */
import * as v from 'valibot';
import { BadRequestError, type Failure, ValidationError } from '../foundation/errors.ts';
import { isJsonObject } from '../foundation/exact-json.ts';
import { type Body, shortened } from './body.ts';

/** The shape of a body: `{"<root>": [<item>, …]}`. */
export interface BodyShape<Item> {
  readonly root: string;
  readonly item: v.GenericSchema<unknown, Item>;
  /** The maximum number of items; the minimum is one. */
  readonly max: number;
  /** The item of a request whose body is empty, not JSON, or without a root key: no body is required. */
  readonly otherwise?: Item;
  /** Whether an `id` in the item must equal the one in the path. */
  readonly sameIdAsPath?: true;
}

/**
 * Checks the root key and all items.
 * @throws BadRequestError for the root (400), ValidationError for fields and the number of items (422)
 */
export const readItems = <Item>(body: Body, shape: BodyShape<Item>, pathId?: string): Item[] => {
  if (shape.otherwise !== undefined && lacksRoot(body, shape.root)) return [shape.otherwise];
  const items = rootItems(body, shape.root);
  if (shape.sameIdAsPath === true) checkSameId(items, pathId);
  if (items.length > shape.max) throw tooMany(items.length, shape);
  const parsed = items.map((item) =>
    v.safeParse(shape.item, item, { message: ({ expected }) => `must be ${expected}.` }),
  );
  const failures = parsed.flatMap((result, index) =>
    result.success ? [] : result.issues.map((issue) => ({ ...failureOf(issue, index), sentence: sentenceOf(issue) })),
  );
  const [first, ...others] = failures;
  if (first !== undefined)
    throw new ValidationError(first.sentence, {
      property: first.field,
      context: others.length === 0 ? undefined : contextOf(others, items.length),
      help: [
        `Correct ${failures.length > 1 ? 'the fields listed in `details`' : `\`${first.field}\``} and retry.`,
        ...(failures.some(({ rule }) => rule === 'known_event') ? [howToAddEvents] : []),
      ].join(' '),
      details: failures.map(({ sentence: _, ...failure }) => failure),
    });
  return parsed.flatMap((result) => (result.success ? [result.output] : []));
};

const howToAddEvents = 'Events of your own are added in the stage setting `ownEvents`.';

/** The number of failures that `context` describes; `details` has all of them. */
const maxSentences = 4;

const contextOf = (others: readonly { index: number | null; sentence: string }[], items: number): string => {
  const described = others
    .slice(0, maxSentences)
    .map(({ index, sentence }) => (items === 1 ? sentence : `Item ${index}: ${sentence}`));
  const more = others.length - described.length;
  return `Also: ${described.join(' ')}${more > 0 ? ` ${more} more in \`details\`.` : ''}`;
};

const lacksRoot = (body: Body, root: string): boolean =>
  body.kind !== 'json' || (isJsonObject(body.json) && !Object.hasOwn(body.json, root));

const rootItems = (body: Body, root: string): readonly object[] => {
  const help = `Send \`{"${root}": [{…}]}\` with \`Content-Type: application/json\`.`;
  if (body.kind === 'empty') throw new BadRequestError('The request has no body.', { help });
  if (body.kind === 'other')
    throw new BadRequestError(
      body.contentType === undefined
        ? 'The body has no Content-Type.'
        : `The Content-Type \`${shortened(body.contentType)}\` is not supported.`,
      { help },
    );
  const { json } = body;
  if (!isJsonObject(json)) throw new BadRequestError(`The body must be an object; it is ${describe(json)}.`, { help });
  if (!Object.hasOwn(json, root)) {
    const [other] = Object.keys(json);
    throw new BadRequestError(`The body has no top-level key \`${root}\`.`, {
      context: other === undefined ? 'The body is an empty object.' : `The body has \`${shortened(other)}\`.`,
      help,
    });
  }
  const items = json[root];
  if (!Array.isArray(items))
    throw new BadRequestError(`\`${root}\` must be an array; it is ${describe(items)}.`, { help });
  if (items.length === 0) throw new BadRequestError(`\`${root}\` is an empty array.`, { help });
  return items.map((item: unknown, index) => {
    if (!isJsonObject(item))
      throw new BadRequestError(`Item ${index} of \`${root}\` must be an object; it is ${describe(item)}.`, { help });
    if (Object.keys(item).length === 0)
      throw new BadRequestError(`Item ${index} of \`${root}\` is an empty object.`, { help });
    return item;
  });
};

/** An `id` of null is ignored, as in Ghost. */
const checkSameId = (items: readonly object[], pathId: string | undefined): void => {
  for (const [index, item] of items.entries()) {
    if (!Object.hasOwn(item, 'id')) continue;
    const { id } = item as { id: unknown };
    if (id === null || id === pathId) continue;
    throw new BadRequestError(`The \`id\` of item ${index} differs from \`${pathId}\` in the path.`, {
      property: 'id',
      help: 'Omit `id` in the body, or send the same one.',
    });
  }
};

const tooMany = (length: number, { root, max }: BodyShape<unknown>): ValidationError =>
  new ValidationError(
    `\`${root}\` has ${length} items; ${max === 1 ? 'exactly one is' : `at most ${max} are`} allowed per request.`,
    {
      property: root,
      help: 'Send several requests.',
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
  if (isMissing(issue)) return { index, field, rule: 'required', limit: null, received: 'missing' };
  return { index, field, ...ruleOf(issue), received: received(issue) };
};

/** Custom rules have their name and limit in `expected` (see `rule` in `shared/foundation/fields.ts`). */
const ruleOf = (issue: v.BaseIssue<unknown>): { rule: string; limit: unknown } => {
  if (issue.type.startsWith('raw_')) {
    const [rule = '', ...limit] = (issue.expected ?? '').split(' ');
    return { rule, limit: limit.length === 0 ? null : limit.join(' ') };
  }
  if (issue.kind === 'schema')
    return { rule: 'type', limit: issue.expected?.replace(/^\w+$/, (type) => type.toLowerCase()) ?? null };
  const { requirement } = issue;
  if (requirement instanceof RegExp) return { rule: 'format', limit: requirement.source };
  return { rule: issue.type, limit: typeof requirement === 'number' ? requirement : null };
};

/** valibot reports a missing key with the name of the key and no value. */
const isMissing = (issue: v.BaseIssue<unknown>): boolean => issue.input === undefined && issue.path !== undefined;

const sentenceOf = (issue: v.BaseIssue<unknown>): string => {
  const field = v.getDotPath(issue);
  if (isMissing(issue)) return `\`${field}\` is missing.`;
  const named = field === null || issue.message.startsWith(field) || issue.message.startsWith(`\`${field}\``);
  const message = named ? issue.message : `\`${field}\` ${issue.message}`;
  // Messages of custom rules already contain the value, unless it may be secret.
  return issue.type.startsWith('raw_') ? message : `${message.replace(/\.$/, '')}; it is ${received(issue)}.`;
};

/** A number that breaks a rule for numbers is no secret. */
const received = ({ kind, input }: v.BaseIssue<unknown>): string =>
  kind === 'validation' && typeof input === 'number' ? String(input) : describe(input);

const inCharacters = (length: number): string => `a string of ${length} character${length === 1 ? '' : 's'}`;

/** Describes the type and size of a value, never the value: it may be a secret. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return inCharacters([...value].length);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return isJsonObject(value) ? 'an object' : `a ${typeof value === 'object' ? 'number' : typeof value}`;
};
