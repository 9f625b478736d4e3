/** Shows a time relative to now, such as "3 min ago", with the exact time on hover. After a week it shows the date. */
import type { JSX } from 'preact';
import { type Language, useLanguage } from '../preferences.ts';
import { createStore, useStore } from '../store.ts';
import { useTexts } from '../texts/dictionary.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How often relative times are rendered again, in ms. */
const tick = 10 * second;

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
  const distance = Date.parse(at) - from;
  const length = Math.abs(distance);
  if (length > 7 * day) return date.format(new Date(at));
  const [unit, ms] =
    length < minute
      ? (['second', second] as const)
      : length < hour
        ? (['minute', minute] as const)
        : length < day
          ? (['hour', hour] as const)
          : (['day', day] as const);
  return length < second ? justNow : format.format(Math.trunc(distance / ms), unit);
};

/** @param at ISO time; null is shown as "never" */
export const Time = ({ at }: { readonly at: string | null }): JSX.Element => {
  const language = useLanguage();
  const { states } = useTexts();
  // Events since the last tick must not appear to be in the future.
  const from = Math.max(useStore(now), Math.min(Date.now(), Date.parse(at ?? '') || 0));
  if (at === null) return <span class="quiet">{states.never}</span>;
  return (
    <time dateTime={at} title={exact(at, language)}>
      {relative(at, from, language)}
    </time>
  );
};
