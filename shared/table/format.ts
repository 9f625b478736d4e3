/** The attribute `format` of items: set by every write of a whole item, checked and taken off by every read. */
import { FormatError, unreadable } from '../foundation/format.ts';

/** Returns an item without its format. This release, or its neighbour, wrote the type. @throws FormatError */
export const readable = <T extends object>({ format, ...item }: Record<string, unknown>): T => {
  const reason = unreadable({ format });
  if (reason !== undefined) throw new FormatError(`The item ${item.pk} ${item.sk} cannot be read. ${reason}`);
  return item as T;
};
