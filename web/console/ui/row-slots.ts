/** Decides which element of a table shows which row. */

/**
 * Returns the element number for each row in the window. Earlier rows keep theirs; others get the lowest free number.
 * @param before the result for the previous window
 * @param ids the rows in the window
 * @param isFocused whether an element in the table has the focus: then further rows get new elements, because the
 *   browser would scroll to a focused element that moves in the document
 */
export const assignedSlots = (
  before: ReadonlyMap<string, number>,
  ids: readonly string[],
  isFocused: boolean,
): ReadonlyMap<string, number> => {
  const slots = new Map<string, number>();
  for (const id of ids) {
    const own = before.get(id);
    if (own !== undefined) slots.set(id, own);
  }
  const taken = new Set(slots.values());
  let next = isFocused ? Math.max(-1, ...before.values()) + 1 : 0;
  for (const id of ids) {
    if (slots.has(id)) continue;
    while (taken.has(next)) next++;
    slots.set(id, next++);
  }
  return slots;
};
