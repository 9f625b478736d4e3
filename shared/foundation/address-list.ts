/** Reads lists of people as copied from mail programs and spreadsheets, or one per line. Browsers use this file too. */
import { type Address, addressParser } from 'postal-mime';

export interface Written {
  /** The number of the line, starting at 1. */
  readonly line: number;
  /** The address, or the text of a line without one. */
  readonly email: string;
  /** What a column for roles says. */
  readonly roleName?: string;
}

const columnNames = {
  email: /^(?:e-?mail|mail)?[ -]?(?:address|adresse)?$/i,
  role: /^(?:role|rolle)$/i,
};

/** Returns the addresses of a text in their order. Names, bullets and everything else beside an address are ignored. */
export const readAddresses = (text: string): readonly Written[] => {
  const lines = plain(text).split(/\r\n?|[\n\v\u2028\u2029]/);
  const titleAt = lines.findIndex((line) => line.trim() !== '');
  const { delimiter, role, isTitle } = columnsOf(lines[titleAt] ?? '');
  return lines.flatMap((content, index) => {
    if (content.trim() === '' || (isTitle && index === titleAt)) return [];
    const cells = role === undefined ? [] : cellsOf(content, delimiter);
    const roleName = role === undefined ? undefined : cells[role];
    const emails = addressesIn(role === undefined ? content : cells.toSpliced(role, 1).join(','));
    return (emails.length === 0 ? [content.trim()] : emails).map((email) => ({
      line: index + 1,
      email,
      ...(roleName && { roleName }),
    }));
  });
};

/** Unicode's compatibility forms, such as `，` and `＠`, become the usual ones; invisible characters are removed. */
const plain = (text: string): string =>
  text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replaceAll('\u3001', ',')
    .replaceAll(/[“”„«»]/g, '"');

const addressesIn = (line: string): string[] => {
  // A link in Markdown has the address twice, brackets are no part of it, and spaces may separate two.
  const separated = line
    .replaceAll(/\[[^\][]*\]\(([^()]*)\)/g, ' $1 ')
    .replaceAll(/[()[\]|]/g, ' ')
    .replaceAll(/(@[^\s<>"]+)\s+(?=[^\s<>"]+@)/g, '$1,');
  return addressParser(separated)
    .flatMap(each)
    .map((address) => address.replace(/^mailto:|\?.*$/gi, ''))
    .filter((address) => address.includes('@'));
};

const each = ({ group, address, name }: Address): string[] =>
  group === undefined ? [address ?? ''] : group.length === 0 ? [name] : group.flatMap(each);

/** Reads the line of titles, which has no address and names at least a column of addresses. */
const columnsOf = (line: string) => {
  const delimiter = /[\t;,]/.exec(line)?.[0] ?? ',';
  const names = cellsOf(line, delimiter);
  const isTitle = !line.includes('@') && names.some((name) => name !== '' && columnNames.email.test(name));
  const role = names.findIndex((name) => columnNames.role.test(name));
  return { delimiter, isTitle, role: isTitle && role !== -1 ? role : undefined };
};

/** Returns the cells of a row of CSV (RFC 4180), whatever separates them; at its end there may be an empty one more. */
const cellsOf = (line: string, delimiter: string): string[] =>
  [...line.matchAll(new RegExp(`(?:\\s*"((?:[^"]|"")*)"\\s*|([^${delimiter}]*))(?:${delimiter}|$)`, 'g'))].map(
    ([, quoted, bare]) => (quoted?.replaceAll('""', '"') ?? bare ?? '').trim(),
  );
