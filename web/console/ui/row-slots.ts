/** Decides which element of a table shows which row. */

/**
 * Returns the number of an element for each row in the window: its own for a row that was in the window before, otherwise the lowest that is free.
 * @param before the result for the previous window
 * @param ids the rows in the window
 */
export const assignedSlots = (
  before: ReadonlyMap<string, number>,
  ids: readonly string[],
): ReadonlyMap<string, number> => {
  const slots = new Map<string, number>();
  for (const id of ids) {
    const own = before.get(id);
    if (own !== undefined) slots.set(id, own);
  }
  const taken = new Set(slots.values());
  let next = 0;
  for (const id of ids) {
    if (slots.has(id)) continue;
    while (taken.has(next)) next++;
    slots.set(id, next++);
  }
  return slots;
};
