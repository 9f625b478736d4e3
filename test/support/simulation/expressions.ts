/** DynamoDB's expressions, as far as `shared/table` writes them: conditions are judged and updates carried out. */

type Attributes = Record<string, unknown>;

interface Names {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

const tokensOf = (expression: string): string[] => expression.match(/[()]|<=|>=|<>|[=<>,+]|[#:\w]+/g) ?? [];

/** Whether the condition holds for an item; undefined stands for one that is not there. */
export function holds(expression: string, names: Names, item: Attributes | undefined): boolean {
  const tokens = tokensOf(expression);
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const operand = (token: string): unknown =>
    token.startsWith(':')
      ? names.ExpressionAttributeValues?.[token]
      : item?.[names.ExpressionAttributeNames?.[token] ?? token];
  const expect = (token: string) => {
    const found = next();
    if (found !== token) throw new Error(`${token} and not ${found} was expected in ${expression}`);
  };
  const argument = () => {
    expect('(');
    const value = operand(next());
    return value;
  };
  const term = (): boolean => {
    const token = next();
    if (token === '(') {
      const inner = any();
      expect(')');
      return inner;
    }
    if (token === 'attribute_exists' || token === 'attribute_not_exists') {
      const value = argument();
      expect(')');
      return (value !== undefined) === (token === 'attribute_exists');
    }
    if (token === 'begins_with') {
      const value = argument();
      expect(',');
      const beginning = operand(next());
      expect(')');
      return typeof value === 'string' && value.startsWith(String(beginning));
    }
    let left: unknown;
    if (token === 'size') {
      const value = argument();
      expect(')');
      left = Array.isArray(value) || typeof value === 'string' ? value.length : undefined;
    } else left = operand(token);
    const comparison = next();
    if (comparison === 'BETWEEN') {
      const from = operand(next());
      expect('AND');
      return compare('>=', left, from) && compare('<=', left, operand(next()));
    }
    return compare(comparison, left, operand(next()));
  };
  const all = (): boolean => {
    let result = term();
    while (tokens[at] === 'AND') {
      at++;
      result = term() && result;
    }
    return result;
  };
  const any = (): boolean => {
    let result = all();
    while (tokens[at] === 'OR') {
      at++;
      result = all() || result;
    }
    return result;
  };
  const result = any();
  if (at !== tokens.length) throw new Error(`the condition does not end: ${expression}`);
  return result;
}

/** Values of different types are never equal, and what is not there compares to nothing. */
function compare(comparison: string, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return comparison === '<>' && left !== right;
  const isSame = typeof left === 'object' ? JSON.stringify(left) === JSON.stringify(right) : left === right;
  if (comparison === '=') return isSame;
  if (comparison === '<>') return !isSame;
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const other = right as typeof left;
  if (comparison === '<') return left < other;
  if (comparison === '<=') return left <= other;
  if (comparison === '>') return left > other;
  if (comparison === '>=') return left >= other;
  throw new Error(`there is no comparison ${comparison}`);
}

/** The item after an update; the one before is not touched. */
export function updated(expression: string, names: Names, before: Attributes): Attributes {
  const item = { ...before };
  const nameOf = (token: string) => names.ExpressionAttributeNames?.[token] ?? token;
  const given = (token: string) => names.ExpressionAttributeValues?.[token];
  for (const [, action, list = ''] of expression.matchAll(/(SET|ADD|REMOVE) (.*?)(?= (?:SET|ADD|REMOVE) |$)/g)) {
    for (const part of list.split(/, (?![^(]*\))/)) {
      if (action === 'REMOVE') delete item[nameOf(part)];
      else if (action === 'ADD') {
        const [name = '', value = ''] = part.split(' ');
        item[nameOf(name)] = Number(item[nameOf(name)] ?? 0) + Number(given(value));
      } else {
        const [name = '', value = ''] = part.split(' = ');
        const [, first = '', second = ''] = /^list_append\(if_not_exists\(\S+, (:\w+)\), (:\w+)\)$/.exec(value) ?? [];
        if (first === '') item[nameOf(name)] = given(value);
        else {
          const known = item[nameOf(name)] ?? given(first);
          item[nameOf(name)] = [...(known as unknown[]), ...(given(second) as unknown[])];
        }
      }
    }
  }
  return item;
}
