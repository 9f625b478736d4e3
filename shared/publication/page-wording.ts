/** The texts of pages in the language of a publication, apart from those of mails, which the mailer alone would not need. */
import type { Settings } from '../foundation/settings.ts';
import { dePages } from './languages/de-pages.ts';
import { enPages } from './languages/en-pages.ts';
import type { PageTexts } from './languages/language.ts';

const pages: Readonly<Record<Settings['publication']['language'], PageTexts>> = { en: enPages, de: dePages };

/** Returns the texts of pages in the language of a publication. */
export const pageTextsOf = ({ language }: Settings['publication']): PageTexts => pages[language];
