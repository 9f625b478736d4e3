/** Language and colours, the only choices that the browser stores. */
import { createStore, useStore } from './store.ts';
import { type Language, languages } from './texts/section.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const choice = <T extends string>(name: string, known: readonly T[], otherwise: T) => {
  const key = `masthead.${name}`;
  const store = createStore(known.find((one) => one === stored(key)) ?? otherwise);
  return {
    ...store,
    choose(value: T): void {
      try {
        localStorage.setItem(key, value);
      } catch {
        // A browser can refuse to store anything; then the choice lasts as long as the tab.
      }
      store.set(value);
    },
  };
};

const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

export const language = choice<Language>('language', languages, navigator.language.startsWith('de') ? 'de' : 'en');
export const theme = choice<Theme>('theme', themes, 'system');

export const useLanguage = (): Language => useStore(language);
export const useTheme = (): Theme => useStore(theme);

const dark = matchMedia('(prefers-color-scheme: dark)');

const isDarkNow = (): boolean => theme.get() === 'dark' || (theme.get() === 'system' && dark.matches);
const darkness = createStore(isDarkNow());

/** Returns whether the colours are dark, by choice or by the system's setting. */
export const useIsDark = (): boolean => useStore(darkness);

const apply = (): void => {
  const isDark = isDarkNow();
  const { classList } = document.documentElement;
  classList.toggle('wa-dark', isDark);
  classList.toggle('wa-light', !isDark);
  document.documentElement.lang = language.get();
  // After the classes are set, so that views which read the colours get the new ones.
  darkness.set(isDark);
};

/** Applies both choices to the document, now and whenever they change. */
export const keepApplied = (): void => {
  apply();
  theme.follow(apply);
  language.follow(apply);
  dark.addEventListener('change', apply);
};
