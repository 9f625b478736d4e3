/** The language of a publication, and points in time as it writes them. */
import type { Settings } from '../foundation/settings.ts';
import { beginningOf } from '../foundation/text.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import type { Language } from './languages/language.ts';

const languages: Readonly<Record<Settings['publication']['language'], Language>> = { en, de };

/** Returns the texts in the language of a publication. */
export const languageOf = ({ language }: Settings['publication']): Language => languages[language];

/** Shortens a name for a mail's subject, because a long one would push the rest out of sight. */
export const nameInSubject = (name: string): string => beginningOf(name, 40);

/** Writes epoch ms in UTC with the zone. Without `Intl`, whose first use takes 11 ms, a fifth of a cold start. */
export const pointInTime = (ms: number, { months, dateAndTime }: Language): string => {
  const date = new Date(ms);
  const month = `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `${dateAndTime(date.getUTCDate(), month, date.toISOString().slice(11, 16))} UTC`;
};
