/** One section of the dictionary, in all languages of the console. */

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** Returns the texts of a section; the compiler requires every text in both languages. */
export const section = <T extends object>(en: T, de: NoInfer<T>): Readonly<Record<Language, T>> => ({ en, de });
