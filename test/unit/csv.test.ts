/** Lists as CSV: what a spreadsheet would run is text. */
import { expect, it } from 'vitest';
import { csvOf } from '../../shared/foundation/csv.ts';

const cellOf = (value: unknown): string =>
  csvOf([{ value }])
    .replace(/^"value"\n/, '')
    .slice(0, -1);

it.each([
  ['=1+1', `"'=1+1"`],
  ['+49 30 1', `"'+49 30 1"`],
  ['-2', `"'-2"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['a;=1', `"a;'=1"`],
  ['a\n=1', `"a\n'=1"`],
])('a text that a spreadsheet would run gets an apostrophe: %j', (text, written) => {
  expect(cellOf(text)).toBe(written);
});

it.each([
  ['Olive "O" Owner, Berlin', '"Olive ""O"" Owner, Berlin"'],
  ['ada@example.com', '"ada@example.com"'],
  ['a - b = c', '"a - b = c"'],
  [-2, '-2'],
  [null, ''],
  [true, '"true"'],
  [[{ name: 'Editor' }, { name: 'Author' }], '"Editor, Author"'],
])('every other value stays as it is: %j', (value, written) => {
  expect(cellOf(value)).toBe(written);
});

it('the fields of an object in an object are columns, also if it is missing in some lines', () => {
  const items = [
    { id: 1, waiting_for: null },
    { id: 2, waiting_for: { reason: 'retry' } },
  ];
  expect(csvOf(items)).toBe('"id","waiting_for.reason"\n1,\n2,"retry"\n');
  expect(csvOf([])).toBe('\n');
});
