/** The screenshots in `docs/images`; `npm --prefix lab run screenshots` takes them again. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { inView, startBrowser } from './browser.ts';
import { openView, signInWithKey } from './console.ts';
import { addressesOf, fillStage } from './console-stage.ts';
import { openDocumentation, openOperation } from './documentation.ts';
import { startPages } from './publisher-pages.ts';
import { pageOf, recipePictures } from './recipe-pictures.ts';
import { takeScreenshot, takesScreenshots } from './screenshots.ts';

/** Screenshots by name, with the path of their page; each is taken light, dark and on a phone. */
const shown = {
  'invitation-page': '/page/en/form',
  'welcome-page': '/page/en/accepted',
  'invitation-mail': '/mail/en/invitation',
  'notice-mail': '/mail/en/failing-together',
};

describe.runIf(takesScreenshots)('the screenshots', () => {
  let browser: Browser;
  let pagesAt: Awaited<ReturnType<typeof startPages>>;
  beforeAll(async () => {
    [browser, pagesAt] = await Promise.all([startBrowser(), startPages()]);
  });
  afterAll(async () => {
    await browser.close();
    pagesAt.server.close();
  });

  const take = (view: 'light' | 'dark' | 'phone', path: string, name: string, blocked = 'nothing'): Promise<unknown> =>
    inView(browser, view, async (page) => {
      await page.route(`**/${blocked}`, (route) => route.abort());
      await page.goto(`${pagesAt.origin}${path}`);
      await takeScreenshot(page, name);
    });

  it.each(Object.entries(shown))('show the %s', async (name, path) => {
    for (const view of ['light', 'dark', 'phone'] as const) await take(view, path, `${name}-${view}`);
  });

  it.each(Object.entries(recipePictures))('show what a service receives with the recipe %s', (name, picture) =>
    inView(
      browser,
      'light',
      async (page) => {
        await page.setContent(pageOf(picture));
        await takeScreenshot(page, `recipe-${name}`);
      },
      { viewport: { width: 560, height: 100 } },
    ),
  );

  it('show the documentation page', async () => {
    const home = temporaryHome();
    const running = await runStack(home.folder, ['--memory']);
    try {
      for (const view of ['light', 'dark', 'phone'] as const)
        await inView(
          browser,
          view,
          async (page) => {
            await openDocumentation(page, running.stack.baseUrl);
            await openOperation(page, { title: 'Create a webhook', anchor: 'tag/webhooks/POST/admin/webhooks/' });
            await page.locator('.scalar-card', { hasText: 'curl' }).first().waitFor();
            await takeScreenshot(page, `documentation-page-${view}`, false);
          },
          { ...(view !== 'phone' && { viewport: { width: 1280, height: 800 } }) },
        );
    } finally {
      await running.end('SIGINT');
      home.remove();
    }
  }, 120_000);

  it('show every view of the console', async () => {
    const home = temporaryHome();
    const running = await runStack(home.folder, ['--memory']);
    try {
      const addresses = addressesOf(await fillStage(running));
      for (const { look, view, locale } of [
        { look: 'light', view: 'light', locale: 'en-GB' },
        { look: 'dark', view: 'dark', locale: 'en-GB' },
        { look: 'phone', view: 'phone', locale: 'en-GB' },
        { look: 'german', view: 'light', locale: 'de-DE' },
      ] as const)
        await inView(
          browser,
          view,
          async (page) => {
            await page.goto(`${running.stack.baseUrl}/console/`);
            await page.getByRole('heading', { level: 1 }).waitFor();
            await takeScreenshot(page, `console-sign-in-${look}`, false);
            await signInWithKey(page, running.stack.adminKey);
            for (const [name, address] of Object.entries(addresses)) {
              await openView(page, address);
              if (name === 'invite') await page.locator('textarea').fill(pastedList);
              const besides = readBesides[name];
              if (besides !== undefined) await page.locator(besides).first().waitFor();
              await eventually(`the strips of ${name}`, async () => (await page.evaluate(stripsInView)) || undefined);
              await takeScreenshot(page, `console-${name}-${look}`, false);
            }
          },
          { locale, ...(view !== 'phone' && { viewport: { width: 1280, height: 800 } }) },
        );
    } finally {
      await running.end('SIGINT');
      home.remove();
    }
  }, 360_000);

  it('show the German page, the page of an expired invitation, and a mail without images', async () => {
    await take('phone', '/page/de/form', 'invitation-page-german');
    await take('phone', '/page/en/expired', 'invitation-page-expired');
    await take('phone', '/mail/en/invitation', 'invitation-mail-without-images', 'logo.svg');
  });
});

/** Strips are read when they come into view. */
const stripsInView = `[...document.querySelectorAll('.strip-place:empty')]
  .every((place) => place.getBoundingClientRect().top > innerHeight)`;

/** What the preview of an invitation list shows: one that can be sent, one with a role, and a problem. */
const pastedList = 'Email, Role\nmary@example.org,\nAda <ada@example.org>, Editor\njean@example,';

/** What a view reads beside its data, by its name: what needs attention, webhooks' health and names, and roles. */
const readBesides: Readonly<Record<string, string>> = {
  overview: '.attention:has(li:nth-child(4)) .advice p:first-child time',
  webhooks: '.strip',
  webhook: 'main:has(.figures strong) .scroll td',
  'failing-webhook': 'main:has(.advice) .figures .quiet',
  deliveries: '.row :text("Shelf")',
  delivery: '.facts :text("Shelf")',
  invitations: '.table .menu wa-dropdown',
  audit: '.card a',
};
