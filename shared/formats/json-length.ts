/** Measures JSON values without writing them. */

/** From this length on, a length is remembered. Measuring a shorter value again costs less. */
const keptFrom = 1000;

/** Returns a function that measures parsed values in JSON; all answers together take little longer than one. */
export const jsonLengths = (): ((value: unknown) => number) => {
  const known = new Map<object, number>();
  const lengthOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value).length;
    const kept = known.get(value);
    if (kept !== undefined) return kept;
    const length = Array.isArray(value) ? lengthOfArray(value) : lengthOfObject(value);
    if (length >= keptFrom) known.set(value, length);
    return length;
  };
  const lengthOfArray = (values: readonly unknown[]): number => {
    let length = lengthAround(values.length);
    for (const value of values) length += lengthOf(value);
    return length;
  };
  const lengthOfObject = (value: object): number => {
    const fields = Object.entries(value);
    let length = lengthAround(fields.length);
    for (const [name, inner] of fields) length += JSON.stringify(name).length + 1 + lengthOf(inner);
    return length;
  };
  return lengthOf;
};

/** Returns the length of the brackets and commas of a list or object with this many members. */
const lengthAround = (members: number): number => 2 + Math.max(members - 1, 0);
