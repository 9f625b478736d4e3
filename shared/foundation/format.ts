/** The format of stored items and queued messages: what this release writes, and what it can read (docs/formats.md). */

/** Increase it in a release that writes something which the previous release cannot read. */
export const format = 1;

/** An item or message of a release that is not adjacent to this one, or an invalid event of the bus. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/** Adds the format of this release to an item or a message. */
export const withFormat = <T extends object>(value: T): T & { format: number } => ({ ...value, format });

/** Returns why this release cannot read an item or message; undefined if it can. One without a format counts as 0. */
export const unreadable = ({ format: found = 0 }: { readonly format?: unknown }): string | undefined => {
  const distance = typeof found === 'number' ? found - format : Number.NaN;
  if (Math.abs(distance) <= 1) return undefined;
  return `It has the format ${found}; this release reads the formats ${format - 1} to ${format + 1} (docs/formats.md).`;
};
