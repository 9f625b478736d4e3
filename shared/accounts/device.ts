/** Describes a browser and its system, so that people recognise a session: `Firefox on Linux`. */
import { oneLine } from '../foundation/text.ts';

/** Browsers by a part of their User-Agent. Order matters: most of them also contain the names of those after them. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;

const maxLength = 40;

/** Returns a short description of a User-Agent; the first product of an unknown one, null without any. */
export const deviceOf = (userAgent: string | undefined): string | null => {
  const text = oneLine(userAgent ?? '').slice(0, 500);
  const [browser, system] = [browsers, systems].map((known) => known.find(([, part]) => part.test(text))?.[0]);
  const shown = browser ?? text.split(/[\s/]/, 1)[0]?.slice(0, maxLength) ?? '';
  if (shown === '') return null;
  return system === undefined ? shown : `${shown} on ${system}`;
};
