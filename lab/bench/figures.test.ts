/** A benchmark prints at least two significant digits of a figure, so that a small one is not shown as 0. */
import { expect, test, vi } from 'vitest';
import { makeFigures } from './figures.ts';

test.each([
  [0.0473, '0.047'],
  [0.35, '0.35'],
  [1.26, '1.3'],
  [2281.4, '2281'],
  [0, '0'],
])('%f is printed as %s', (value, text) => {
  const print = vi.spyOn(console, 'log').mockReturnValue();
  const figures = makeFigures();
  figures.note('queue requests a delivery', value, '');
  figures.print();
  expect(print.mock.calls.flat()).toEqual([expect.stringMatching(new RegExp(`delivery +${text}$`))]);
  print.mockRestore();
});
