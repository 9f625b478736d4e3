/** The name of the table's index of due items. */
export const dueIndex = 'due';
