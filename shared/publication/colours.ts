/** Colours of mail and page: the publication's colours, and legible text colours for them. */

/** Text and background, light and dark; each pair has a contrast of 7:1 or more (WCAG 2.2, 1.4.6). */
export const colours = {
  light: {
    text: '#1c1c1e',
    quiet: '#48484a',
    background: '#f2f2f0',
    card: '#ffffff',
    line: '#8a8a8e',
    error: '#8f1414',
  },
  dark: {
    text: '#f2f2f0',
    quiet: '#c7c7cc',
    background: '#141416',
    card: '#1f1f22',
    line: '#8a8a8e',
    error: '#ffb4ab',
  },
} as const;

/** Black or white, whichever is better to read on `#rrggbb`: never below 4.58:1, more than WCAG 2.2, 1.4.3 asks. */
export const textOn = (background: string): string =>
  contrast(background, '#ffffff') >= contrast(background, '#000000') ? '#ffffff' : '#000000';

/** Contrast of two colours `#rrggbb`, from 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export const contrast = (one: string, other: string): number => {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
};

const luminance = (colour: string): number => {
  const channel = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
};
