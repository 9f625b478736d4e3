/**
 * Filters: a subset of EventBridge's event patterns over the body of a delivery
 * (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html), and `$not`: there a
 * pattern matches a list by one of its members, so none can exclude a tag. `match.ts` applies them.
 */
import { isJsonObject } from '../foundation/exact-json.ts';
import type { Fields } from './rendering.ts';
import { resourceOf } from './rendering.ts';

export type Plain = string | number | boolean | null;
export type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** A pattern that `filterProblem` has accepted. */
export type Filter = Fields;

const maxBytes = 4 * 1024;
const maxRules = 50;
const maxDepth = 8;
const comparisons: readonly string[] = ['=', '<', '<=', '>', '>='];
const operators = '`prefix`, `exists`, `anything-but` and `numeric`';

/** What is wrong with a filter at `path`; `problem` completes a sentence that begins with it: 'must be an object'. */
export interface FilterProblem {
  readonly path: string;
  readonly problem: string;
}

/** Returns why a value is not a filter, or why it can never match events of this name. */
export const filterProblem = (filter: unknown, event: string): FilterProblem | undefined => {
  if (!isJsonObject(filter)) return { path: 'filter', problem: 'must be an object' };
  if (Buffer.byteLength(JSON.stringify(filter)) > maxBytes)
    return { path: 'filter', problem: `must have at most ${maxBytes} bytes` };
  const resource = resourceOf(event);
  for (const [name, inner] of Object.entries(filter)) {
    const known = event === 'site.changed' ? ['event'] : ['event', resource];
    if (!known.includes(name))
      return {
        path: `filter.${name}`,
        problem: `never matches: the payload of ${event} has ${known.map((one) => `\`${one}\``).join(' and ')}`,
      };
    if (name !== resource || !isJsonObject(inner)) continue;
    const part = Object.keys(inner).find((key) => key !== 'current' && key !== 'previous');
    if (part !== undefined)
      return { path: `filter.${name}.${part}`, problem: `never matches: \`${name}\` has \`current\` and \`previous\`` };
  }
  let rules = 0;
  const check = (pattern: unknown, path: string, depth: number): FilterProblem | undefined => {
    if (depth > maxDepth) return { path, problem: `is below ${maxDepth} levels, which are the most` };
    if (Array.isArray(pattern)) {
      if (pattern.length === 0) return { path, problem: 'is an empty list, which never matches' };
      rules += pattern.length;
      for (const [index, value] of pattern.entries()) {
        const problem = ruleProblem(value);
        if (problem !== undefined) return { path: `${path}.${index}`, problem };
      }
      return undefined;
    }
    if (!isJsonObject(pattern)) return { path, problem: 'must be a list of values, or an object with further fields' };
    const entries = Object.entries(pattern);
    if (entries.length === 0) return { path, problem: 'is an empty object' };
    if (Array.isArray(pattern.$not)) return { path: `${path}.$not`, problem: 'must be an object with fields' };
    for (const [name, inner] of entries) {
      const problem = check(inner, `${path}.${name}`, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  return (
    check(filter, 'filter', 0) ??
    (rules > maxRules ? { path: 'filter', problem: `must have at most ${maxRules} values` } : undefined)
  );
};

const ruleProblem = (value: unknown): string | undefined => {
  if (isPlain(value)) return undefined;
  if (!isJsonObject(value)) return 'must be a value, or an object with one operator';
  const [[operator, operand] = [], ...others] = Object.entries(value);
  if (operator === undefined || others.length > 0) return `must have one operator of ${operators}`;
  switch (operator) {
    case 'prefix':
      return typeof operand === 'string' && operand !== '' ? undefined : '`prefix` takes a string that is not empty';
    case 'exists':
      return typeof operand === 'boolean' ? undefined : '`exists` takes true or false';
    case 'anything-but':
      return isExcluded(operand) ? undefined : '`anything-but` takes a value, a list of values, or {"prefix": "…"}';
    case 'numeric':
      return numericProblem(operand);
    default:
      return `has the operator \`${operator.slice(0, 40)}\`; supported are ${operators}`;
  }
};

export const isPlain = (value: unknown): value is Plain =>
  value === null ||
  typeof value === 'boolean' ||
  typeof value === 'string' ||
  (typeof value === 'number' && Number.isFinite(value));

const isExcluded = (operand: unknown): boolean => {
  if (Array.isArray(operand)) return operand.length > 0 && operand.every(isPlain);
  if (!isJsonObject(operand)) return isPlain(operand);
  const [[name, prefix] = [], ...others] = Object.entries(operand);
  return name === 'prefix' && typeof prefix === 'string' && prefix !== '' && others.length === 0;
};

const numericProblem = (operand: unknown): string | undefined => {
  const help = '`numeric` takes one or two comparisons, such as [">", 0, "<=", 5]';
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4)) return help;
  const bounds = pairsOf(operand);
  if (
    !bounds.every(
      ([comparison, number]) => comparisons.includes(comparison) && isPlain(number) && typeof number === 'number',
    )
  )
    return help;
  if (bounds.length === 1) return undefined;
  const lower = bounds.filter(([comparison]) => comparison.startsWith('>'));
  const upper = bounds.filter(([comparison]) => comparison.startsWith('<'));
  const [[over, from] = [], [under, to] = []] = [lower[0], upper[0]];
  if (lower.length !== 1 || upper.length !== 1 || from === undefined || to === undefined)
    return '`numeric` takes a lower and an upper bound if it has two comparisons';
  const isEmpty = from > to || (from === to && (over === '>' || under === '<'));
  return isEmpty ? '`numeric` never matches: its lower bound is above its upper one' : undefined;
};

export const pairsOf = (operand: readonly unknown[]): [Comparison, number][] =>
  operand.length === 4
    ? [operand.slice(0, 2) as [Comparison, number], operand.slice(2) as [Comparison, number]]
    : [operand.slice(0, 2) as [Comparison, number]];
