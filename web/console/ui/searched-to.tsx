/** How far a search through the log has gone, while it goes on and after it was stopped. */
import type { JSX } from 'preact';
import { useLanguage } from '../preferences.ts';
import { useTexts } from '../texts/dictionary.ts';

/** @param at ISO time */
export const SearchedTo = ({ at }: { readonly at: string }): JSX.Element => {
  const { deliveries } = useTexts();
  const language = useLanguage();
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const text = new Intl.DateTimeFormat(language, {
    timeStyle: 'short',
    hourCycle: 'h23',
    ...(!isToday && { dateStyle: 'medium' }),
  }).format(time);
  return (
    <span role="status" class="quiet">
      {deliveries.searchedTo(text)}
    </span>
  );
};
