/**
 * Removes an element of a short list. Long-lived collections whose elements come and go with each request are arrays: a set or a map that
 * is rehashed or cleared leaves its former table behind, which refers to the next one. Once one of them is in V8's old generation, it
 * keeps all later tables and what they hold through every collection of the young generation.
 */

/** Does nothing if it is not there. */
export const remove = <T>(from: T[], element: T): void => {
  const position = from.indexOf(element);
  if (position !== -1) from.splice(position, 1);
};
