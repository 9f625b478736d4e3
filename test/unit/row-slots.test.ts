/** Which element of a table of many rows shows which row. */
import { describe, expect, it } from 'vitest';
import { assignedSlots } from '../../web/console/ui/row-slots.ts';

const window = (slots: ReadonlyMap<string, number>): string =>
  [...slots]
    .sort(([, a], [, b]) => a - b)
    .map(([id]) => id)
    .join('');

describe('the elements of a table', () => {
  it('show the rows in order at first', () => {
    expect(window(assignedSlots(new Map(), ['a', 'b', 'c'], false))).toBe('abc');
  });

  it('keep their rows when a row is added at the top; the new row takes the element of the row that leaves', () => {
    const before = assignedSlots(new Map(), ['a', 'b', 'c'], false);
    expect(window(assignedSlots(before, ['n', 'a', 'b'], false))).toBe('abn');
  });

  it('are as many as the rows in the window, however far it moves', () => {
    let slots = assignedSlots(new Map(), ['0', '1', '2', '3'], false);
    for (const first of [2, 40, 39, 0]) {
      slots = assignedSlots(
        slots,
        [0, 1, 2, 3].map((offset) => String(first + offset)),
        false,
      );
      expect([...slots.values()].sort()).toEqual([0, 1, 2, 3]);
    }
  });

  it('are new ones for further rows while one of them has the focus, so that it is not moved', () => {
    const before = assignedSlots(new Map(), ['a', 'b', 'c'], false);
    expect([...assignedSlots(before, ['b', 'x', 'y'], true)]).toEqual([
      ['b', 1],
      ['x', 3],
      ['y', 4],
    ]);
  });
});
