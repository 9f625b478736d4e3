/**
 * A table of many rows of one height, of which only those in the window are in the document. Elements that leave it at one end show the rows
 * that come into it at the other.
 */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps<Item> {
  readonly label: string;
  readonly rows: readonly Item[];
  /** In pixels, the same as long as the table is shown. */
  readonly rowHeight: number;
  /** The cells of the header, each with the role `columnheader`. */
  readonly header: ComponentChildren;
  /** The cells of a row, each with the role `cell`. */
  readonly children: (row: Item) => ComponentChildren;
  /** Called when the last rows come into view. */
  readonly onEnd: () => void;
}

export const VirtualRows = <Item,>(props: VirtualRowsProps<Item>): JSX.Element => {
  const { label, rows, rowHeight, header, children, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const items = useVirtualItems(scroller, rows.length, rowHeight);
  const last = items.at(-1)?.index ?? 0;
  const elements = useRef(1);
  elements.current = Math.max(elements.current, items.length);
  useEffect(() => {
    if (last >= rows.length - 20) onEnd();
  }, [last, rows.length, onEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
    <div class="rows" ref={scroller} role="table" aria-label={label} aria-rowcount={rows.length + 1} tabIndex={0}>
      <div role="rowgroup" class="rows-header">
        <div role="row" class="row" aria-rowindex={1}>
          {header}
        </div>
      </div>
      <div role="rowgroup" class="rows-body" style={{ height: `${rows.length * rowHeight}px` }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <Row
                key={index % elements.current}
                row={row}
                index={index}
                top={start}
                height={rowHeight}
                of={children}
              />
            )
          );
        })}
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
}

/** Its cells are compared only when the row is another one: most rows only move. */
const Row = <Item,>({ row, index, top, height, of }: RowProps<Item>): JSX.Element => {
  const cells = useMemo(() => of(row), [row, of]);
  return (
    <div
      role="row"
      class="row"
      aria-rowindex={index + 2}
      style={{ height: `${height}px`, transform: `translateY(${top}px)` }}
    >
      {cells}
    </div>
  );
};

const useVirtualItems = (
  scroller: { readonly current: HTMLDivElement | null },
  count: number,
  rowHeight: number,
): readonly VirtualItem[] => {
  const [, render] = useState(0);
  const [virtualizer] = useState(
    () =>
      new Virtualizer<HTMLDivElement, HTMLDivElement>({
        count,
        getScrollElement: () => scroller.current,
        estimateSize: () => rowHeight,
        overscan: 5,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        onChange: () => render((times) => times + 1),
      }),
  );
  virtualizer.setOptions({ ...virtualizer.options, count });
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer.getVirtualItems();
};
