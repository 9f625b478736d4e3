/** Shows a time in the viewer's zone: short, with the exact value on hover. */
import type { JSX } from 'preact';
import { type Language, useLanguage } from '../preferences.ts';
import { useTexts } from '../texts/dictionary.ts';

const options = {
  today: { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
  earlier: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
  exact: { dateStyle: 'full', timeStyle: 'long' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes longer than using it a thousand times. */
const formatOf = (language: Language, kind: keyof typeof options): Intl.DateTimeFormat => {
  const name = `${language} ${kind}`;
  const format = formats.get(name) ?? new Intl.DateTimeFormat(language, options[kind]);
  formats.set(name, format);
  return format;
};

/** Returns the time with its zone, and in UTC to the millisecond. */
export const exact = (at: string, language: Language): string =>
  `${formatOf(language, 'exact').format(new Date(at))} (${at})`;

/** @param at ISO time; null is shown as "never" */
export const Time = ({ at }: { readonly at: string | null }): JSX.Element => {
  const language = useLanguage();
  const { states } = useTexts();
  if (at === null) return <span class="quiet">{states.never}</span>;
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={exact(at, language)}>
      {formatOf(language, isToday ? 'today' : 'earlier').format(date)}
    </time>
  );
};
