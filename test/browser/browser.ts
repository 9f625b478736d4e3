/** The browser of the tests, and what they ask of every page. */
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import * as v from 'valibot';

export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-background-networking'] });

/** The ways in which people look at a page. */
export const views = {
  light: { viewport: { width: 800, height: 600 }, colorScheme: 'light' },
  dark: { viewport: { width: 800, height: 600 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
  'narrow and dark': { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserContextOptions>;

export type View = keyof typeof views;

/** Opens a page in one of the views and closes it after `look`. */
export const inView = async <T>(
  browser: Browser,
  view: View,
  look: (page: Page) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> => {
  const context = await browser.newContext({ ...views[view], ...options });
  try {
    return await look(await context.newPage());
  } finally {
    await context.close();
  }
};

const findings = v.array(
  v.object({ id: v.string(), help: v.string(), nodes: v.array(v.object({ html: v.string() })) }),
);

/**
 * What axe-core finds by its rules, or by those with one of these tags: a line each, with what is wrong and where. What it cannot
 * decide counts too. The context needs `bypassCSP`, since a page that lets nothing run does not let axe run either.
 */
export const axeFindings = async (page: Page, tags?: readonly string[]): Promise<string[]> => {
  await page.evaluate(axe.source);
  const options = {
    resultTypes: ['violations', 'incomplete'],
    ...(tags && { runOnly: { type: 'tag', values: tags } }),
  };
  const found: unknown = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations, incomplete }) => [...violations, ...incomplete])`,
  );
  return v.parse(findings, found).flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
};

/** Pixels by which a page is wider than its window (WCAG 2.2, 1.4.10: none at 320). */
export const overflow = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'));
