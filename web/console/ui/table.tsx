/** A table; on a phone each row is a card: its first cell is the title, the others follow with the titles of their columns. */
import type { ComponentChildren, JSX } from 'preact';

interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ComponentChildren;
  /** A menu stands at the end of a row and beside the title of a card; its column needs no title to be seen. */
  readonly isMenu?: boolean;
}

interface TableProps<Item> {
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
}

export const Table = <Item extends { readonly id: string }>({
  label,
  columns,
  items,
}: TableProps<Item>): JSX.Element => {
  const [first, ...others] = columns;
  return (
    <table class="panel table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, isMenu }) => (
            <th key={title} scope="col">
              {isMenu ? <span class="unseen">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <th scope="row">{first?.cell(item)}</th>
            {others.map(({ title, cell, isMenu }) => (
              <td key={title} class={isMenu ? 'menu' : ''} {...(!isMenu && { 'data-title': title })}>
                {cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
