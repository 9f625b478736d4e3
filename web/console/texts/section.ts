/** One section of the dictionary, in all languages of the console. */
import type { Language } from '../preferences.ts';

/** Returns the texts of a section; the compiler requires every text in both languages. */
export const section = <T extends object>(en: T, de: NoInfer<T>): Readonly<Record<Language, T>> => ({ en, de });
