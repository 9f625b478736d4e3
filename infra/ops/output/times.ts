/** Times for people: exact and relative in output, and both as options. */
import { UsageError } from '../../command-line/exit-codes.ts';

const units = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
  ['second', 1000],
] as const;

const words = new Intl.RelativeTimeFormat('en', { style: 'narrow', numeric: 'auto' });

/** Returns the distance of a time from now, such as `3 min. ago` or `in 2 h`. */
const relative = (time: number, now: number): string => {
  const distance = time - now;
  const [unit, ms] = units.find(([, size]) => Math.abs(distance) >= size) ?? (['second', 1000] as const);
  return words.format(Math.round(distance / ms), unit).replace('in 0s', 'now');
};

/** Returns an ISO time or epoch ms as `2026-11-22 05:51:15Z (3min ago)`, in UTC; a dash for null. */
export const timeText = (time: string | number | null, now = Date.now()): string => {
  if (time === null) return '–';
  const at = new Date(time);
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}Z (${relative(at.getTime(), now)})`;
};

const spans: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Returns the parser of an option that is a time or how long ago it was: `today` (since midnight UTC), `2026-11-22`,
 * `2026-11-22T09:30:00Z`, `90s`, `15m`, `2h`, `7d`. It returns ISO 8601.
 */
export const timeOption =
  (name: string) =>
  (text: string): string => {
    if (text === 'today') return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
    const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
    if (count !== undefined) return new Date(Date.now() - Number(count) * (spans[unit] ?? 0)).toISOString();
    const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(time)) return new Date(time).toISOString();
    throw new UsageError(
      `${name} is '${text}'; it must be a time such as 2026-11-22T09:30:00Z, a day such as 2026-11-22 or today ` +
        '(UTC), or how long ago, such as 2h.',
    );
  };
