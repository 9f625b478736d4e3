/** The texts of mails about webhooks and accounts, by language: apart, because most functions do not need them. */
import type { Settings } from '../foundation/settings.ts';
import { deNotices } from './languages/de-notices.ts';
import { enNotices } from './languages/en-notices.ts';
import type { NoticeTexts } from './languages/language.ts';

const notices: Readonly<Record<Settings['publication']['language'], NoticeTexts>> = { en: enNotices, de: deNotices };

/** Returns the texts of mails about webhooks and accounts in the language of a publication. */
export const noticeTextsOf = ({ language }: Settings['publication']): NoticeTexts => notices[language];
