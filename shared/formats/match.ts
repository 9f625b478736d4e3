/** Applies filters: each field, or a member if it is a list, must match one of its patterns; `$not` negates. */
import { isJsonObject } from '../foundation/exact-json.ts';
import { type Comparison, type Filter, type FilterProblem, isPlain, type Plain, pairsOf } from './filter.ts';
import { type Fields, resourceOf } from './rendering.ts';

/** After so many comparisons an event matches: 50 rules on 97,000 members took 0.4 s, and connections failed. */
const maxComparisons = 50_000;

/** Counts comparisons. `add` returns whether the limit is exceeded. */
interface Work {
  readonly add: (comparisons?: number) => boolean;
}

/** Returns whether an event passes a filter. It sees the event's name, which bodies up to API v5 lack. */
export const passesFilter = (filter: Filter, event: string, body: Fields): boolean =>
  matches(filter, { ...body, event });

/** Returns the part of a filter that leaves an event out, such as `post.current.visibility: ["public"]`, if any. */
export const mismatchOf = (filter: Filter, event: string, body: Fields): string | undefined =>
  passesFilter(filter, event, body) ? undefined : firstMismatch(filter, { ...body, event }, []);

const firstMismatch = (pattern: Filter, value: unknown, path: readonly string[]): string => {
  const [name, inner] = Object.entries(pattern).find(([one, part]) => !matches({ [one]: part }, value)) ?? ['', {}];
  const found = isJsonObject(value) && Object.hasOwn(value, name) ? (value as Fields)[name] : undefined;
  const place = [...path, name];
  return name !== '$not' && isJsonObject(inner) && isJsonObject(found)
    ? firstMismatch(inner as Filter, found, place)
    : `${place.join('.')}: ${JSON.stringify(inner)}`;
};

/** Returns where a valid filter can never match an event of this name: at the name, or at parts, which are objects. */
export const contradiction = (filter: Filter, event: string): FilterProblem | undefined => {
  const resource = resourceOf(event);
  const never = (pattern: unknown, value: unknown): boolean =>
    pattern !== undefined && !matches({ value: pattern }, { value });
  const { event: name, [resource]: parts } = filter;
  if (never(name, event))
    return { path: 'filter.event', problem: `never matches: the name of the event is \`${event}\`` };
  const objects = Array.isArray(parts) ? { [resource]: parts } : ((parts ?? {}) as Fields);
  const path = Array.isArray(parts) ? 'filter' : `filter.${resource}`;
  const [wrong] = Object.entries(objects).filter(([, pattern]) => Array.isArray(pattern) && never(pattern, {}));
  return wrong && { path: `${path}.${wrong[0]}`, problem: 'never matches: it is always an object' };
};

/** Returns whether the body of a delivery matches a filter, or takes too many comparisons. */
export const matches = (filter: Filter, body: unknown): boolean => {
  let left = maxComparisons;
  const add = (comparisons = 1): boolean => {
    left -= comparisons;
    return left < 0;
  };
  return matchesPattern(filter, body, { add }) || left < 0;
};

/** Beyond the limit, this and the following functions stop early, and their result does not matter. */
const matchesPattern = (pattern: Filter, value: unknown, work: Work): boolean => {
  const fields = Object.entries(pattern);
  if (work.add(fields.length)) return true;
  return membersOf(value).some(
    (member) =>
      work.add() ||
      (isJsonObject(member) &&
        fields.every(([name, inner]) => {
          if (name === '$not') return !matchesPattern(inner as Filter, member, work);
          const found = Object.hasOwn(member, name) ? member[name] : undefined;
          return Array.isArray(inner)
            ? inner.some((rule) => matchesRule(rule, found, work))
            : matchesPattern(inner as Filter, found, work);
        })),
  );
};

/** Returns the members of a list, or the value itself. A list in a list does not match, as in EventBridge. */
const membersOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const matchesRule = (rule: unknown, value: unknown, work: Work): boolean => {
  if (work.add()) return true;
  if (!isJsonObject(rule)) return membersOf(value).some((member) => work.add() || member === rule);
  const { exists, prefix, numeric, 'anything-but': excluded } = rule;
  if (typeof exists === 'boolean') return (value !== undefined) === exists;
  return membersOf(value).some((member) => {
    if (work.add()) return true;
    if (typeof prefix === 'string') return typeof member === 'string' && member.startsWith(prefix);
    if (Array.isArray(numeric))
      return (
        typeof member === 'number' &&
        pairsOf(numeric).every(([comparison, number]) => compare(member, comparison, number))
      );
    return isPlain(member) && !isExcludedBy(excluded, member, work);
  });
};

const isExcludedBy = (excluded: unknown, member: Plain, work: Work): boolean => {
  if (!isJsonObject(excluded)) return membersOf(excluded).some((one) => work.add() || one === member);
  const { prefix } = excluded as Fields;
  return typeof member === 'string' && typeof prefix === 'string' && member.startsWith(prefix);
};

const compare = (value: number, comparison: Comparison, number: number): boolean => {
  switch (comparison) {
    case '=':
      return value === number;
    case '<':
      return value < number;
    case '<=':
      return value <= number;
    case '>':
      return value > number;
    case '>=':
      return value >= number;
  }
};
