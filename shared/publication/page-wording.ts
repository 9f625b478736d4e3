/** The texts of pages by language, apart from those of mails, which the mailer needs; and the language of a reader. */
import type { Settings } from '../foundation/settings.ts';
import type { HttpRequest } from '../http/request.ts';
import { dePages } from './languages/de-pages.ts';
import { enPages } from './languages/en-pages.ts';
import type { PageTexts } from './languages/language.ts';

type Publication = Settings['publication'];

const pages: Readonly<Record<Publication['language'], PageTexts>> = { en: enPages, de: dePages };

/** Returns the texts of pages in the language of a publication. */
export const pageTextsOf = ({ language }: Publication): PageTexts => pages[language];

/** Returns the publication in a language that a reader's browser prefers and pages have (RFC 9110, 12.5.4). */
export const inReadersLanguage = (publication: Publication, headers: HttpRequest['headers']): Publication => {
  const wanted = (headers['accept-language'] ?? '').split(',').map((range) => {
    const [tag = '', weight = '1'] = range.split(/\s*;\s*q=/i);
    return { language: tag.trim().slice(0, 2).toLowerCase(), weight: Number(weight) };
  });
  const [best] = wanted
    .filter(({ language, weight }) => weight > 0 && Object.hasOwn(pages, language))
    .sort((one, other) => other.weight - one.weight);
  return best === undefined ? publication : { ...publication, language: best.language as Publication['language'] };
};
