/**
 * A table of many rows of equal height. Only rows in the window are in the document, in a fixed number of elements.
 * A visible row keeps its element, so that a new row takes no focus. An element that leaves at one end is reused at the
 * other.
 */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import { Component, type ComponentChildren, type JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { assignedSlots } from './row-slots.ts';

interface Identified {
  readonly id: string;
}

interface VirtualRowsProps<Item> {
  readonly label: string;
  readonly rows: readonly Item[];
  /** The height in pixels, which stays the same while the table is shown. */
  readonly rowHeight: number;
  /** The cells of the header, each with the role `columnheader`. */
  readonly header: ComponentChildren;
  /** The cells of a row, each with the role `cell`. Rows are rendered again when this function changes. */
  readonly children: (row: Item) => ComponentChildren;
  readonly onEnd: () => void;
}

export const VirtualRows = <Item extends Identified>(props: VirtualRowsProps<Item>): JSX.Element => {
  const { label, rows, rowHeight, header, children, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const focused = useRef<string | undefined>(undefined);
  const items = useVirtualItems(scroller, rows, rowHeight, focused);
  const last = items.findLast(({ key }) => key !== focused.current)?.index ?? 0;
  const slots = useRef<ReadonlyMap<string, number>>(new Map());
  slots.current = assignedSlots(
    slots.current,
    items.map(({ key }) => String(key)),
    focused.current !== undefined,
  );
  useEffect(() => {
    if (last >= rows.length - 20) onEnd();
  }, [last, rows.length, onEnd]);
  return (
    <div class="rows-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard (WCAG 2.1.1) */}
      <div class="rows" ref={scroller} role="table" aria-label={label} aria-rowcount={rows.length + 1} tabIndex={0}>
        <div role="rowgroup" class="rows-header">
          <div role="row" class="row" aria-rowindex={1}>
            {header}
          </div>
        </div>
        <div
          role="rowgroup"
          class="rows-body"
          style={{ height: `${rows.length * rowHeight}px` }}
          onFocusOut={() => {
            focused.current = undefined;
          }}
        >
          {items.map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <Row
                  key={slots.current.get(row.id)}
                  row={row}
                  index={index}
                  top={start}
                  height={rowHeight}
                  of={children}
                  onFocus={(id) => {
                    focused.current = id;
                  }}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
};

interface RowProps<Item> {
  readonly row: Item;
  readonly index: number;
  /** In pixels. */
  readonly top: number;
  readonly height: number;
  readonly of: (row: Item) => ComponentChildren;
  readonly onFocus: (id: string) => void;
}

const Row = <Item extends Identified>({ row, index, top, height, of, onFocus }: RowProps<Item>): JSX.Element => (
  <div
    role="row"
    class="row"
    aria-rowindex={index + 2}
    style={{ height: `${height}px`, transform: `translateY(${top}px)` }}
    onFocusIn={() => onFocus(row.id)}
  >
    <Cells row={row} of={of} />
  </div>
);

type CellsProps<Item> = Pick<RowProps<Item>, 'row' | 'of'>;

/**
 * A row's cells, rendered again only for another row, because most rows only move. A class: a hook's elements refer to
 * the tree of their first rendering, and would keep the trees of all earlier renderings in memory.
 */
class Cells<Item> extends Component<CellsProps<Item>> {
  override shouldComponentUpdate({ row, of }: CellsProps<Item>): boolean {
    return row !== this.props.row || of !== this.props.of;
  }

  override render({ row, of }: CellsProps<Item>): ComponentChildren {
    return of(row);
  }
}

/** Extra rows before and after the visible ones, so that they exist before the reader scrolls to them. */
const overscan = 5;

const useVirtualItems = (
  scroller: { readonly current: HTMLDivElement | null },
  rows: readonly Identified[],
  rowHeight: number,
  focused: { readonly current: string | undefined },
): readonly VirtualItem[] => {
  const [, render] = useState(0);
  const [virtualizer] = useState(
    () =>
      new Virtualizer<HTMLDivElement, HTMLDivElement>({
        count: rows.length,
        getScrollElement: () => scroller.current,
        estimateSize: () => rowHeight,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        onChange: () => render((times) => times + 1),
      }),
  );
  const keyOf = useMemo(() => (index: number) => rows[index]?.id ?? index, [rows]);
  virtualizer.setOptions({
    ...virtualizer.options,
    count: rows.length,
    getItemKey: keyOf,
    // At the top, new rows scroll into view. Further down, the rows that the reader looks at stay in place.
    anchorTo: virtualizer.scrollOffset ? 'end' : 'start',
    rangeExtractor: ({ startIndex, count }) => {
      const height = virtualizer.scrollRect?.height ?? 0;
      const size = Math.min(count, Math.ceil(height / rowHeight) + 1 + 2 * overscan);
      const first = Math.min(Math.max(startIndex - overscan, 0), count - size);
      const shown = Array.from({ length: size }, (_, offset) => first + offset);
      const kept = focused.current === undefined ? -1 : rows.findIndex(({ id }) => id === focused.current);
      if (kept < 0 || (kept >= first && kept < first + size)) return shown;
      return kept < first ? [kept, ...shown] : [...shown, kept];
    },
  });
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer.getVirtualItems();
};
