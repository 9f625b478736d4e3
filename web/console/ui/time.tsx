/** Shows a time relative to now, such as "3 min ago", with the exact time on hover. After a week it shows the date. */
import type { JSX } from 'preact';
import { distanceTo } from '../distance.ts';
import { useLanguage } from '../preferences.ts';
import { createStore, useStore } from '../store.ts';
import { useTexts } from '../texts/dictionary.ts';
import type { Language } from '../texts/section.ts';

/** How often relative times are rendered again, in ms. */
const tick = 10_000;

const now = createStore(Date.now());
setInterval(() => {
  if (!document.hidden) now.set(Date.now());
}, tick);

interface Formats {
  readonly relative: Intl.RelativeTimeFormat;
  readonly now: string;
  readonly date: Intl.DateTimeFormat;
  readonly exact: Intl.DateTimeFormat;
}

const created = new Map<Language, Formats>();

/** Creating a format takes longer than using it a thousand times. */
const formatsOf = (language: Language): Formats => {
  const formats = created.get(language) ?? {
    relative: new Intl.RelativeTimeFormat(language, { style: 'short' }),
    now: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second'),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }),
    exact: new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' }),
  };
  created.set(language, formats);
  return formats;
};

/** Returns the time with its zone, and in UTC to the millisecond. */
const exact = (at: string, language: Language): string => `${formatsOf(language).exact.format(new Date(at))} (${at})`;

/** Returns the time relative to now. @param at ISO time @param from epoch ms of now */
const relative = (at: string, from: number, language: Language): string => {
  const { relative: format, now: justNow, date } = formatsOf(language);
  const { count, unit } = distanceTo(Date.parse(at), from);
  if (Math.abs(count) > 7 && unit === 'day') return date.format(new Date(at));
  return count === 0 ? justNow : format.format(count, unit);
};

interface TimeProps {
  /** ISO time; null is shown as "never". */
  readonly at: string | null;
  /** Whether it is planned: once it has passed, it is due now. */
  readonly isPlanned?: true;
}

export const Time = ({ at, isPlanned }: TimeProps): JSX.Element => {
  const language = useLanguage();
  const { states } = useTexts();
  // Events since the last tick must not appear to be in the future.
  const from = Math.max(useStore(now), Math.min(Date.now(), Date.parse(at ?? '') || 0));
  if (at === null) return <span class="quiet">{states.never}</span>;
  return (
    <time dateTime={at} title={exact(at, language)}>
      {relative(isPlanned && Date.parse(at) < from ? new Date(from).toISOString() : at, from, language)}
    </time>
  );
};
