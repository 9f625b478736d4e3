/** Formats numbers and durations in the chosen language. */
import { useLanguage } from '../preferences.ts';

interface Numbers {
  readonly count: (value: number) => string;
  /** With one decimal. */
  readonly average: (value: number) => string;
  readonly duration: (ms: number) => string;
  /** Formats a share from 0 to 1; never rounds up to 100 %. */
  readonly percent: (share: number) => string;
}

export const useNumbers = (): Numbers => {
  const language = useLanguage();
  const number = (value: number, maximumFractionDigits: number): string =>
    value.toLocaleString(language, { maximumFractionDigits });
  return {
    count: (value) => number(value, 0),
    average: (value) => number(value, 1),
    percent: (share) =>
      (Math.floor(share * 1000) / 1000).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 }),
    duration: (ms) => {
      if (ms < 1000) return `${number(ms, ms < 10 ? 1 : 0)} ms`;
      return ms < 60_000 ? `${number(ms / 1000, 1)} s` : `${number(ms / 60_000, 1)} min`;
    },
  };
};
