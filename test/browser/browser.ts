/** The browser of the tests, and the checks for every page. */
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import * as v from 'valibot';

export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    // Drawing without a graphics unit by the compositor itself, which costs less than an emulated one.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu'],
  });

export const views = {
  light: { viewport: { width: 800, height: 600 }, colorScheme: 'light' },
  dark: { viewport: { width: 800, height: 600 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
  'narrow and dark': { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 640 }, colorScheme: 'light' },
} as const satisfies Record<string, BrowserContextOptions>;

export type View = keyof typeof views;

/** Opens a page in one of the views and closes it after `look`. */
export const inView = async <T>(
  browser: Browser,
  view: View,
  look: (page: Page) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> => {
  // Animations would only be waited for.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...views[view], ...options });
  try {
    return await look(await context.newPage());
  } finally {
    await context.close();
  }
};

const findings = v.array(
  v.object({ id: v.string(), help: v.string(), nodes: v.array(v.object({ html: v.string() })) }),
);

type AxeResult = 'violations' | 'incomplete';

const runAxe = async (page: Page, results: readonly AxeResult[], tags?: readonly string[]): Promise<string[]> => {
  await page.evaluate(axe.source);
  const options = { resultTypes: results, ...(tags && { runOnly: { type: 'tag', values: tags } }) };
  const found: unknown = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then((found) => ${JSON.stringify(results)}.flatMap((result) => ` +
      'found[result]))',
  );
  return v.parse(findings, found).flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
};

/**
 * Returns axe-core's findings, for all rules or those with one of these tags: a line each, with rule and element, also
 * for undecided results. The context needs `bypassCSP`: a policy without scripts stops axe as well.
 */
export const axeFindings = (page: Page, tags?: readonly string[]): Promise<string[]> =>
  runAxe(page, ['violations', 'incomplete'], tags);

/** Returns the certain findings of axe-core, for pages with markup of a package; otherwise like `axeFindings`. */
export const axeViolations = (page: Page, tags?: readonly string[]): Promise<string[]> =>
  runAxe(page, ['violations'], tags);

/** Returns by how many pixels a page is wider than its window (WCAG 2.2, 1.4.10: none at 320). */
export const overflow = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'));
