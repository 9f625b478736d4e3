/** Which table element shows which row, if a table has more rows than elements. */
import { describe, expect, it } from 'vitest';
import { assignedSlots } from '../../web/console/ui/row-slots.ts';

const window = (slots: ReadonlyMap<string, number>): string =>
  [...slots]
    .sort(([, a], [, b]) => a - b)
    .map(([id]) => id)
    .join('');

describe('the elements of a long table', () => {
  it('show the rows in order at first', () => {
    expect(window(assignedSlots(new Map(), ['a', 'b', 'c'], false))).toBe('abc');
  });

  it('keep their rows when a row is added; the new row takes the element that becomes free', () => {
    const before = assignedSlots(new Map(), ['a', 'b', 'c'], false);
    expect(window(assignedSlots(before, ['n', 'a', 'b'], false))).toBe('abn');
  });

  it('are only as many as the visible rows, however far the table scrolls', () => {
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

  it('are not reused while one has the focus, so that the focus stays', () => {
    const before = assignedSlots(new Map(), ['a', 'b', 'c'], false);
    expect([...assignedSlots(before, ['b', 'x', 'y'], true)]).toEqual([
      ['b', 1],
      ['x', 3],
      ['y', 4],
    ]);
  });
});
