/** The dictionary: every text of the console in English and German, by section. */
import { useLanguage } from '../preferences.ts';
import { advice } from './advice.ts';
import { audit } from './audit.ts';
import { deliveries } from './deliveries.ts';
import { events } from './events.ts';
import { frame } from './frame.ts';
import { incidents } from './incidents.ts';
import { integrations } from './integrations.ts';
import { options } from './options.ts';
import { overview } from './overview.ts';
import { recovery } from './recovery.ts';
import { relays } from './relays.ts';
import type { Language } from './section.ts';
import { signIn } from './sign-in.ts';
import { staff } from './staff.ts';
import { states } from './states.ts';
import { webhooks } from './webhooks.ts';

const sections = {
  advice,
  audit,
  deliveries,
  events,
  frame,
  incidents,
  integrations,
  options,
  overview,
  recovery,
  relays,
  signIn,
  staff,
  states,
  webhooks,
};

export type Texts = { readonly [Name in keyof typeof sections]: (typeof sections)[Name]['en'] };

const inLanguage = (language: Language): Texts =>
  Object.fromEntries(Object.entries(sections).map(([name, texts]) => [name, texts[language]])) as unknown as Texts;

const dictionary: Readonly<Record<Language, Texts>> = { en: inLanguage('en'), de: inLanguage('de') };

/** Returns the texts in the chosen language, and renders the view again when the language changes. */
export const useTexts = (): Texts => dictionary[useLanguage()];
