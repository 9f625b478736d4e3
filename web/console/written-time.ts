/** Times as people write them, the same in every language and browser: `2026-01-31 09:30`, in the viewer's zone. */

const form = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Returns a time in epoch ms as people write it, to the minute. */
export const writtenTime = (ms: number): string => {
  const at = new Date(ms);
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  return `${date} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
};

/** Parses a written time into an ISO time in UTC; a date alone means midnight. Undefined for anything else. */
export const readTime = (text: string): string | undefined => {
  const parts = form.exec(text.trim())?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.map((part) => (Number.isNaN(part) ? 0 : part));
  const at = new Date(year, month - 1, day, hour, minute);
  // `Date` would turn 31 February into a day in March.
  return at.getMonth() === month - 1 && at.getDate() === day && hour < 24 && minute < 60 ? at.toISOString() : undefined;
};
