/** Parses DynamoDB's expressions: conditions, key conditions and updates become functions of an item. */
import { invalid } from './errors.ts';
import { type Attributes, isSame, typeOf } from './values.ts';

/** Values of different types are never equal, and a missing value equals nothing. */
const compare = (sign: string, left: unknown, right: unknown): boolean => {
  if (left === undefined || right === undefined) return sign === '<>' && left !== right;
  if (sign === '=') return isSame(left, right);
  if (sign === '<>') return !isSame(left, right);
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const other = right as typeof left;
  if (sign === '<') return left < other;
  if (sign === '<=') return left <= other;
  return sign === '>' ? left > other : left >= other;
};

export interface Names {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/** A document path: names in the expression, and positions in lists. */
export type Path = readonly (string | number)[];
export type Operand = (item: Attributes | undefined, names: Names) => unknown;
export type Test = (item: Attributes | undefined, names: Names) => boolean;

/** Returns the attribute's name for a name or placeholder in an expression. */
export const nameOf = (token: string, { ExpressionAttributeNames }: Names): string =>
  ExpressionAttributeNames?.[token] ?? token;

/** Returns the value at a path; undefined if there is none. */
export const valueAt = (item: Attributes | undefined, path: Path, names: Names): unknown => {
  let value: unknown = item;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Attributes)[typeof part === 'number' ? part : nameOf(part, names)];
  }
  return value;
};

/** Reads an expression token by token, and records the placeholders that it uses. */
export class Reader {
  readonly used = new Set<string>();
  private readonly tokens: readonly string[];
  private at = 0;
  private isInParentheses = false;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.tokens = text.match(/<=|>=|<>|[()=<>,+\-.[\]]|[#:]?\w+|\S/g) ?? [];
  }

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  next(): string {
    const token = this.tokens[this.at++];
    if (token === undefined) throw invalid(`Invalid expression: Syntax error; token: <EOF>, in: ${this.text}`);
    if (/^[#:]/.test(token)) this.used.add(token);
    return token;
  }

  /** Reads the next token if it is this one, case-insensitively. */
  takes(token: string): boolean {
    const found = this.tokens[this.at]?.toUpperCase() === token;
    if (found) this.at++;
    return found;
  }

  expect(token: string): void {
    if (!this.takes(token))
      throw invalid(`Invalid expression: Syntax error; token: "${this.tokens[this.at] ?? '<EOF>'}", in: ${this.text}`);
  }

  list<T>(member: () => T): T[] {
    const members = [member()];
    while (this.takes(',')) members.push(member());
    return members;
  }

  path(first = this.next()): Path {
    if (!/^[#A-Za-z_]/.test(first))
      throw invalid(`Invalid expression: Syntax error; token: "${first}", in: ${this.text}`);
    const path: (string | number)[] = [first];
    for (;;) {
      if (this.takes('.')) path.push(this.next());
      else if (this.takes('[')) {
        path.push(Number(this.next()));
        this.expect(']');
      } else return path;
    }
  }

  pair(): readonly [Path, Operand] {
    const path = this.path();
    this.expect(',');
    return [path, this.operand()];
  }

  operand(): Operand {
    const token = this.next();
    if (token.startsWith(':')) return (_item, names) => names.ExpressionAttributeValues?.[token];
    if (token === 'size') {
      this.expect('(');
      const path = this.path();
      this.expect(')');
      return (item, names) => sizeOf(valueAt(item, path, names));
    }
    const path = this.path(token);
    return (item, names) => valueAt(item, path, names);
  }

  condition(): Test {
    const terms = [this.conjunction()];
    while (this.takes('OR')) terms.push(this.conjunction());
    const [only] = terms;
    if (terms.length > 1) this.isInParentheses = false;
    return terms.length === 1 && only ? only : (item, names) => terms.some((term) => term(item, names));
  }

  end(): void {
    if (!this.isAtEnd)
      throw invalid(`Invalid expression: Syntax error; token: "${this.tokens[this.at]}", in: ${this.text}`);
  }

  private conjunction(): Test {
    const terms = [this.negation()];
    while (this.takes('AND')) terms.push(this.negation());
    const [only] = terms;
    if (terms.length > 1) this.isInParentheses = false;
    return terms.length === 1 && only ? only : (item, names) => terms.every((term) => term(item, names));
  }

  private negation(): Test {
    if (!this.takes('NOT')) return this.term();
    const inner = this.negation();
    return (item, names) => !inner(item, names);
  }

  private term(): Test {
    if (this.takes('(')) {
      const inner = this.condition();
      this.expect(')');
      if (this.isInParentheses) throw invalid('Invalid expression: The expression has redundant parentheses;');
      this.isInParentheses = true;
      return inner;
    }
    this.isInParentheses = false;
    for (const [name, make] of Object.entries(functions)) {
      if (!this.takes(name.toUpperCase())) continue;
      this.expect('(');
      const test = make(this);
      this.expect(')');
      return test;
    }
    return this.comparison();
  }

  private comparison(): Test {
    const left = this.operand();
    if (this.takes('BETWEEN')) {
      const from = this.operand();
      this.expect('AND');
      const to = this.operand();
      return (item, names) => {
        const value = left(item, names);
        return compare('>=', value, from(item, names)) && compare('<=', value, to(item, names));
      };
    }
    if (this.takes('IN')) {
      this.expect('(');
      const members = this.list(() => this.operand());
      this.expect(')');
      return (item, names) => members.some((member) => compare('=', left(item, names), member(item, names)));
    }
    const sign = this.next();
    if (!['=', '<>', '<', '<=', '>', '>='].includes(sign))
      throw invalid(`Invalid expression: Syntax error; token: "${sign}", in: ${this.text}`);
    const right = this.operand();
    return (item, names) => compare(sign, left(item, names), right(item, names));
  }
}

const functions: Readonly<Record<string, (reader: Reader) => Test>> = {
  attribute_exists: (reader) => {
    const path = reader.path();
    return (item, names) => valueAt(item, path, names) !== undefined;
  },
  attribute_not_exists: (reader) => {
    const path = reader.path();
    return (item, names) => valueAt(item, path, names) === undefined;
  },
  attribute_type: (reader) => {
    const [path, type] = reader.pair();
    return (item, names) => typeOf(valueAt(item, path, names)) === type(item, names);
  },
  begins_with: (reader) => {
    const [path, beginning] = reader.pair();
    return (item, names) => {
      const [value, start] = [valueAt(item, path, names), beginning(item, names)];
      return typeof value === 'string' && typeof start === 'string' && value.startsWith(start);
    };
  },
  contains: (reader) => {
    const [path, member] = reader.pair();
    return (item, names) => {
      const [value, wanted] = [valueAt(item, path, names), member(item, names)];
      if (typeof value === 'string') return typeof wanted === 'string' && value.includes(wanted);
      return (Array.isArray(value) || value instanceof Set) && [...value].some((one) => isSame(one, wanted));
    };
  },
};

const sizeOf = (value: unknown): number | undefined => {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return value.size;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
};

interface Condition {
  readonly test: Test;
  readonly used: ReadonlySet<string>;
}

/** Parsed expressions; there are few, and each is used by every command of its kind. */
const conditions = new Map<string, Condition>();

/** Reads a condition or filter expression. @throws ValidationException */
export const readCondition = (text: string): Condition => {
  const known = conditions.get(text);
  if (known !== undefined) return known;
  const reader = new Reader(text);
  const test = reader.condition();
  reader.end();
  const condition = { test, used: reader.used };
  conditions.set(text, condition);
  return condition;
};

/** Refuses undefined placeholders, and definitions that no expression of the command uses, as DynamoDB does. */
export const checkUse = (names: Names, used: readonly ReadonlySet<string>[]): void => {
  const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = names;
  for (const token of used.flatMap((set) => [...set])) {
    if (
      token.startsWith('#')
        ? Object.hasOwn(ExpressionAttributeNames, token)
        : Object.hasOwn(ExpressionAttributeValues, token)
    )
      continue;
    throw invalid(
      `An expression attribute ${token.startsWith('#') ? 'name' : 'value'} used in expression is not defined; ${token}`,
    );
  }
  for (const kind of ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const) {
    if (names[kind] === undefined) continue;
    const keys = Object.keys(names[kind]);
    if (keys.length === 0) throw invalid(`${kind} must not be empty`);
    const unused = keys.filter((key) => !used.some((set) => set.has(key)));
    if (unused.length > 0)
      throw invalid(`Value provided in ${kind} unused in expressions: keys: {${unused.join(', ')}}`);
  }
};
