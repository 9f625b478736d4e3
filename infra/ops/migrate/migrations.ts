/** Migrates items from one format to the next. */
export type StoredItem = Readonly<Record<string, unknown>>;

export interface Step {
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove: readonly string[];
  /** The attributes that the step is based on: it is not carried out if one of them has changed meanwhile. */
  readonly reads: readonly string[];
}

/** The step to each format, by its number. Format 1 is the first with a number: nothing else changes. */
const steps: Readonly<Record<number, (item: StoredItem) => Step>> = {
  1: () => ({ set: {}, remove: [], reads: [] }),
};

/** Returns the step from a format to the next one. @throws Error if this release has none, because it is not next to that format */
export const stepFrom = (found: number, item: StoredItem): Step => {
  const step = steps[found + 1];
  if (step === undefined)
    throw new Error(`The item ${item.pk} ${item.sk} has the format ${found}, from which this release cannot migrate.`);
  return step(item);
};
