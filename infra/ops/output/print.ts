/** What the operator's commands write to standard output: tables and lists for people, API objects for scripts. */
import Table from 'cli-table3';
import { print, visible } from '../../command-line/print.ts';

export type Columns<T> = Readonly<Record<string, (item: T) => string | number | null>>;

const none = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
    'middle',
  ].map((part) => [part, '']),
);

/** The maximum width of a column. A longer text moves only its own row, such as the forty events of one webhook. */
const maxWidth = 60;

// `visible` leaves no such character in a text.
const placeOfLong = '\0';

const aligned = (rows: readonly (readonly string[])[]): string => {
  const table = new Table({ chars: none, style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] } });
  const long = rows.flat().filter((text) => text.length > maxWidth);
  table.push(...rows.map((row) => row.map((text) => (text.length > maxWidth ? placeOfLong : text))));
  const filled = table.toString().replace(RegExp(`${placeOfLong} *`, 'g'), () => `${long.shift()}  `);
  return filled.replace(/ +$/gm, '');
};

const shown = (text: string | number | null): string => (text === null || text === '' ? '–' : visible(String(text)));

/** Returns a table with a heading. */
export const tableOf = <T>(items: readonly T[], columns: Columns<T>): string =>
  aligned([
    Object.keys(columns).map((name) => name.toUpperCase()),
    ...items.map((item) => Object.values(columns).map((text) => shown(text(item)))),
  ]);

export interface Output {
  readonly json?: true | undefined;
  readonly csv?: true | undefined;
}

/** Prints a list: a table, or `empty` if it has no items; with `json` a line of JSON for each item. */
export const printList = <T>({ json }: Output, items: readonly T[], columns: Columns<T>, empty: string): void => {
  if (json) for (const item of items) print(JSON.stringify(item));
  else print(items.length === 0 ? empty : tableOf(items, columns));
};

/** Prints an object: a line for each field, or with `json` the object. */
export const printItem = <T>({ json }: Output, item: T, fields: Columns<T>): void =>
  print(
    json
      ? JSON.stringify(item, null, 2)
      : aligned(Object.entries(fields).map(([name, text]) => [name, shown(text(item))])),
  );

/** Prints a sentence for people; with `json` and `csv` nothing, because the object says it. */
export const say = ({ json, csv }: Output, sentence: string): void => {
  if (!json && !csv) print(sentence);
};
