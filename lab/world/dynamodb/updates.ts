/** DynamoDB's update expressions: parsed once, refused if two paths overlap, and applied to a copy of the item. */
import { invalid } from './errors.ts';
import { type Names, nameOf, type Operand, type Path, Reader, valueAt } from './expressions.ts';
import { type Attributes, itemCopy } from './values.ts';

/** Adds to a number or a set, or removes members of a set. */
const combine = (
  target: Record<string | number, unknown>,
  key: string | number,
  action: 'ADD' | 'DELETE',
  value: unknown,
) => {
  const before = target[key];
  if (action === 'ADD' && typeof value === 'number' && (before === undefined || typeof before === 'number')) {
    target[key] = (before ?? 0) + value;
    return;
  }
  if (!(value instanceof Set) || (before !== undefined && !(before instanceof Set)))
    throw invalid('An operand in the update expression has an incorrect data type');
  const members =
    action === 'ADD'
      ? new Set([...(before ?? []), ...value])
      : new Set([...(before ?? [])].filter((member) => !value.has(member)));
  if (members.size > 0) target[key] = members;
  else delete target[key];
};

const readValue = (reader: Reader): Operand => {
  if (reader.takes('(')) {
    const inner = readSum(reader);
    reader.expect(')');
    return inner;
  }
  if (reader.takes('IF_NOT_EXISTS')) {
    reader.expect('(');
    const path = reader.path();
    reader.expect(',');
    const preset = readValue(reader);
    reader.expect(')');
    return (item, names) => {
      // An attribute that is null exists.
      const value = valueAt(item, path, names);
      return value === undefined ? preset(item, names) : value;
    };
  }
  if (reader.takes('LIST_APPEND')) {
    reader.expect('(');
    const first = readValue(reader);
    reader.expect(',');
    const second = readValue(reader);
    reader.expect(')');
    return (item, names) => [...listOf(first(item, names)), ...listOf(second(item, names))];
  }
  const operand = reader.operand();
  return (item, names) => {
    const value = operand(item, names);
    if (value === undefined)
      throw invalid('The provided expression refers to an attribute that does not exist in the item');
    return value;
  };
};

const readSum = (reader: Reader): Operand => {
  const left = readValue(reader);
  const sign = reader.takes('+') ? 1 : reader.takes('-') ? -1 : 0;
  if (sign === 0) return left;
  const right = readValue(reader);
  return (item, names) => numberOf(left(item, names)) + sign * numberOf(right(item, names));
};

const readStep = (reader: Reader, action: Step['action']): Step => {
  const path = reader.path();
  if (action === 'REMOVE') return { action, path, value: undefined };
  if (action !== 'SET') return { action, path, value: reader.operand() };
  reader.expect('=');
  return { action, path, value: readSum(reader) };
};

interface Step {
  readonly action: 'SET' | 'REMOVE' | 'ADD' | 'DELETE';
  readonly path: Path;
  /** Returns the value to set, add or delete, from the item before the update. */
  readonly value: Operand | undefined;
}

interface Update {
  readonly steps: readonly Step[];
  readonly used: ReadonlySet<string>;
}

const updates = new Map<string, Update>();

/** Reads an update expression. @throws ValidationException */
export const readUpdate = (text: string): Update => {
  const known = updates.get(text);
  if (known !== undefined) return known;
  const reader = new Reader(text);
  const steps: Step[] = [];
  const seen = new Set<string>();
  while (!reader.isAtEnd) {
    const action = reader.next().toUpperCase();
    if (!isAction(action) || seen.has(action))
      throw invalid(`Invalid UpdateExpression: Syntax error; token: "${action}"`);
    seen.add(action);
    steps.push(...reader.list(() => readStep(reader, action)));
  }
  if (steps.length === 0) throw invalid('Invalid UpdateExpression: The expression can not be empty;');
  const update = { steps, used: reader.used };
  updates.set(text, update);
  return update;
};

const isAction = (text: string): text is Step['action'] => ['SET', 'REMOVE', 'ADD', 'DELETE'].includes(text);

const numberOf = (value: unknown): number => {
  if (typeof value !== 'number') throw invalid('An operand in the update expression has an incorrect data type');
  return value;
};

const listOf = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw invalid('An operand in the update expression has an incorrect data type');
  return value;
};

/** Refuses an update with overlapping paths: one of them twice, or one within another. */
export const checkPaths = ({ steps }: Update, names: Names): void => {
  const paths = steps.map(({ path }) => path.map((part) => (typeof part === 'number' ? part : nameOf(part, names))));
  paths.forEach((path, position) => {
    for (const other of paths.slice(0, position)) {
      const shorter = Math.min(path.length, other.length);
      if (path.slice(0, shorter).every((part, depth) => part === other[depth]))
        throw invalid(
          'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of ' +
            `these paths; path one: [${other.join(', ')}], path two: [${path.join(', ')}]`,
        );
    }
    if (path.length === 1 && (path[0] === 'pk' || path[0] === 'sk'))
      throw invalid(
        `One or more parameter values were invalid: Cannot update attribute ${path[0]}. ` +
          'This attribute is part of the key',
      );
  });
};

/** Returns the updated item; the original is not changed. @throws ValidationException */
export const updated = ({ steps }: Update, names: Names, before: Attributes): Attributes => {
  const values = steps.map(({ value }) => value?.(before, names));
  const item = itemCopy(before);
  steps.forEach(({ action, path, value }, position) => {
    const holder = valueAt(item, path.slice(0, -1), names) as Attributes | unknown[] | undefined;
    const last = path.at(-1) ?? '';
    const key = typeof last === 'number' ? last : nameOf(last, names);
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder) !== (typeof key === 'number')) {
      if (action === 'REMOVE' && holder === undefined) return;
      throw invalid('The document path provided in the update expression is invalid for update');
    }
    const target = holder as Record<string | number, unknown>;
    if (action === 'REMOVE') {
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete target[key];
    } else if (action === 'SET')
      target[Array.isArray(holder) ? Math.min(Number(key), holder.length) : key] = values[position];
    else if (value !== undefined) combine(target, key, action, values[position]);
  });
  return item;
};
