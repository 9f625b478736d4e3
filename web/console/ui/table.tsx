/** A table. On a phone each row is a card: the first cell is its title, the others follow with their column titles. */
import type { ComponentChildren, JSX } from 'preact';

interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ComponentChildren;
  /** A menu stands at the end of a row, or next to a card's title; the title of its column is invisible. */
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
