/** Decides which element of a table shows which row. */

/**
 * Returns the element number for each row in the window. A row that was in the window before keeps its element; others get the lowest free number.
 * @param before the result for the previous window
 * @param ids the rows in the window
 * @param isFocused whether an element in the table has the focus. Then further rows get new elements: reordering could move the focused element in
 *   the document, and the browser would scroll to it.
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
