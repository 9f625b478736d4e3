/** Lists as CSV that a spreadsheet can open without running what is in them. Console and command line use it. */

/** A cell that begins so is a formula; spreadsheets may also separate cells by semicolons or tabs. */
const formula = /(^|[;,\t\r\n])(?=[=+\-@\t\r])/g;

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((one) => Object(one).name ?? textOf(one)).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'number' ? String(value) : `"${textOf(value).replace(formula, "$1'").replaceAll('"', '""')}"`;
};

/** Returns the fields of an object, and those of the objects in it as `actor.name`. */
const flat = (item: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]): [string, unknown][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one])
        : [[name, value]],
    ),
  );

/** Returns a line with the names of all fields, and a line for each object. */
export const csvOf = (items: readonly object[]): string => {
  const rows = items.map(flat);
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // An object is null in some rows.
  const names = all.filter((name) => !all.some((other) => other.startsWith(`${name}.`)));
  return [names.map(cell), ...rows.map((row) => names.map((name) => cell(row[name])))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
};
