/** The result of a conditional write whose condition failed: a value, not an exception. */

type Found = Readonly<Record<string, unknown>>;

/** Thrown by a write or a transaction if at least one of its conditions did not hold. Nothing was written. */
export class ConditionFailed extends Error {
  /** Positions of the writes whose condition did not hold; 0 for a single write. */
  readonly failed: ReadonlySet<number>;
  /** The current items, by position, without missing ones. */
  private readonly items: ReadonlyMap<number, Found>;

  constructor(failed: ReadonlySet<number>, items: ReadonlyMap<number, Found> = new Map()) {
    super(`The conditions of the writes ${[...failed].join(', ')} did not hold.`);
    this.failed = failed;
    this.items = items;
  }

  /** Returns the item that a failed condition met; undefined if there is none. Its type is whatever the code wrote. */
  found<T extends object>(position = 0): T | undefined {
    return this.items.get(position) as T | undefined;
  }
}

export type Tried<T> =
  | { readonly written: true; readonly value: T; readonly refusal?: undefined }
  | { readonly written: false; readonly value?: undefined; readonly refusal: ConditionFailed };

/** Awaits a conditional write; returns whether it was done, with its value or refusal. Throws any other error. */
export const tryWrite = async <T>(write: Promise<T>): Promise<Tried<T>> => {
  try {
    return { written: true, value: await write };
  } catch (error) {
    if (error instanceof ConditionFailed) return { written: false, refusal: error };
    throw error;
  }
};
