/** A table of many rows of one height, of which only those in the window are in the document. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** In pixels, the same as long as the table is shown. */
  readonly rowHeight: number;
  /** The cells of the header, each with the role `columnheader`. */
  readonly header: ComponentChildren;
  /** The cells of a row, each with the role `cell`. */
  readonly children: (row: Row) => ComponentChildren;
  /** Called when the last rows come into view. */
  readonly onEnd: () => void;
}

export const VirtualRows = <Row,>(props: VirtualRowsProps<Row>): JSX.Element => {
  const { label, rows, idOf, rowHeight, header, children, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const items = useVirtualItems(scroller, rows.length, rowHeight);
  const last = items.at(-1)?.index ?? 0;
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
              <div
                key={idOf(row)}
                role="row"
                class="row"
                aria-rowindex={index + 2}
                style={{ height: `${rowHeight}px`, transform: `translateY(${start}px)` }}
              >
                {children(row)}
              </div>
            )
          );
        })}
      </div>
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
        overscan: 10,
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
