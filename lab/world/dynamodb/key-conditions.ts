/** Key conditions: the range of a partition or of the index that a query reads. */
import { invalid } from './errors.ts';
import { type Names, nameOf, type Operand, Reader } from './expressions.ts';
import type { Stretch } from './table.ts';

const readTerm = (reader: Reader): Term => {
  if (reader.takes('BEGINS_WITH')) {
    reader.expect('(');
    const attribute = reader.next();
    reader.expect(',');
    const operand = reader.operand();
    reader.expect(')');
    return { attribute, operator: 'begins_with', operands: [operand] };
  }
  const attribute = reader.next();
  if (reader.takes('BETWEEN')) {
    const from = reader.operand();
    reader.expect('AND');
    return { attribute, operator: 'BETWEEN', operands: [from, reader.operand()] };
  }
  return { attribute, operator: reader.next(), operands: [reader.operand()] };
};

interface Term {
  readonly attribute: string;
  readonly operator: string;
  readonly operands: readonly Operand[];
}

interface KeyCondition {
  readonly terms: readonly Term[];
  readonly used: ReadonlySet<string>;
}

const known = new Map<string, KeyCondition>();

/** Reads a key condition. @throws ValidationException */
export const readKeyCondition = (text: string): KeyCondition => {
  const found = known.get(text);
  if (found !== undefined) return found;
  const reader = new Reader(text);
  const terms = [readTerm(reader)];
  while (reader.takes('AND')) terms.push(readTerm(reader));
  reader.end();
  const condition = { terms, used: reader.used };
  known.set(text, condition);
  return condition;
};

/** Sorts after every key. */
const last = '\uffff';

/**
 * Returns the range that a query reads.
 * @param keys the names of the partition key and the sort key
 * @param after the sort key after which the range starts, in the order of the table or the index
 * @throws ValidationException
 */
export const stretchOf = (
  { terms }: KeyCondition,
  names: Names,
  keys: readonly [string, string],
  isDownwards: boolean,
  after: string | undefined,
): Stretch => {
  let pk: string | undefined;
  let [lower, upper] = ['', last];
  let includes = (_sortKey: string) => true;
  for (const { attribute, operator, operands } of terms) {
    const [value = '', end = ''] = operands.map((operand) => String(operand(undefined, names)));
    const name = nameOf(attribute, names);
    if (name === keys[0] && operator === '=') pk = value;
    else if (name !== keys[1]) throw invalid(`Query condition missed key schema element: ${keys[0]}`);
    else if (operator === 'begins_with') {
      [lower, upper] = [value, value + last];
      includes = (sortKey) => sortKey.startsWith(value);
    } else if (operator === 'BETWEEN') {
      if (value > end)
        throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
      [lower, upper] = [value, end];
      includes = (sortKey) => sortKey >= value && sortKey <= end;
    } else {
      const tests: Readonly<Record<string, (sortKey: string) => boolean>> = {
        '=': (sortKey) => sortKey === value,
        '<': (sortKey) => sortKey < value,
        '<=': (sortKey) => sortKey <= value,
        '>': (sortKey) => sortKey > value,
        '>=': (sortKey) => sortKey >= value,
      };
      const test = tests[operator];
      if (test === undefined) throw invalid(`Unsupported operator in KeyConditionExpression: ${operator}`);
      if (operator !== '<' && operator !== '<=') lower = value;
      if (operator !== '>' && operator !== '>=') upper = value;
      includes = test;
    }
  }
  if (pk === undefined || pk === '') throw invalid(`Query condition missed key schema element: ${keys[0]}`);
  const begin = isDownwards ? upper + last : lower;
  return {
    pk,
    from: after === undefined ? begin : isDownwards ? (after < begin ? after : begin) : after > begin ? after : begin,
    includes,
    isPast: isDownwards ? (sortKey) => sortKey < lower : (sortKey) => sortKey > upper,
    isDownwards,
  };
};
