/** Times that clients send. */

/** ISO 8601 with a time zone, or a day, which starts at midnight UTC. The letters may be lower-case (RFC 3339, 5.6). */
export const isoTime = /^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2}))?$/;

/** `Date.parse` reads the 30th of February as the 2nd of March. */
const isDay = (day: string): boolean => {
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
};

/** Returns the time in a string in epoch ms; undefined if it is not a time. */
export const parseTime = (text: string): number | undefined => {
  const time = isoTime.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text.toUpperCase()) : Number.NaN;
  // Ids start with a time, which cannot be before 1970.
  return Number.isNaN(time) ? undefined : Math.max(0, time);
};
