/** The invitation's page and mail in a real browser: what axe-core says, at 320 px, in the dark; and their pictures. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, inView, overflow, startBrowser, type View, views } from './browser.ts';
import { pages, startPages } from './publisher-pages.ts';

const images = join(import.meta.dirname, '../../docs/images');
const takesPictures = process.env.SCREENSHOTS === '1';

let browser: Browser;
let pagesAt: Awaited<ReturnType<typeof startPages>>;
beforeAll(async () => {
  [browser, pagesAt] = await Promise.all([startBrowser(), startPages()]);
});
afterAll(async () => {
  await browser.close();
  pagesAt.server.close();
});

const allViews = Object.keys(views) as View[];
const picture = async (page: Page, name: string): Promise<void> => {
  if (!takesPictures) return;
  mkdirSync(images, { recursive: true });
  await page.screenshot({ path: join(images, `${name}.png`), fullPage: true });
};

describe.each(['en', 'de'])('the page in %s', (language) => {
  it.each(allViews)('gives axe-core nothing to find, %s', async (view) => {
    await inView(
      browser,
      view,
      async (page) => {
        for (const name of Object.keys(pages)) {
          await page.goto(`${pagesAt.origin}/page/${language}/${name}`);
          expect(await axeFindings(page), name).toEqual([]);
        }
      },
      { bypassCSP: true },
    );
  });

  it('fits into 320 px, and at 200 % of the text size', async () => {
    await inView(browser, 'narrow', async (page) => {
      for (const name of Object.keys(pages)) {
        await page.setViewportSize({ width: 320, height: 640 });
        await page.goto(`${pagesAt.origin}/page/${language}/${name}`);
        expect(await overflow(page), name).toBe(0);
        await page.setViewportSize({ width: 160, height: 320 });
        expect(await overflow(page), `${name} at 160 px`).toBe(0);
      }
    });
  });

  it('breaks none of its own rules: nothing is blocked by its policy', async () => {
    await inView(browser, 'light', async (page) => {
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('requestfailed', (request) => complaints.push(request.url()));
      for (const name of Object.keys(pages)) {
        await page.goto(`${pagesAt.origin}/page/${language}/${name}`);
        expect(complaints, name).toEqual([]);
        expect(await page.evaluate("document.querySelector('header img').naturalWidth")).toBeGreaterThan(0);
      }
    });
  });
});

describe('the page', () => {
  it('can be read and used with a publication of any colour', async () => {
    for (const view of ['light', 'dark'] as const)
      await inView(
        browser,
        view,
        async (page) => {
          for (const colour of ['ffffff', '000000', 'ffff00', '777777', 'ff0000']) {
            await page.goto(`${pagesAt.origin}/page/en/form/${colour}`);
            expect(await axeFindings(page), colour).toEqual([]);
          }
        },
        { bypassCSP: true },
      );
  });

  it('has targets of at least 24 px, and shows where the focus is (WCAG 2.2, 2.5.8 and 2.4.7)', async () => {
    await inView(browser, 'narrow', async (page) => {
      await page.goto(`${pagesAt.origin}/page/en/form`);
      for (const control of ['input', 'button']) {
        const box = await page.locator(control).boundingBox();
        expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(24);
        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.localName')).toBe(control);
        expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
      }
    });
  });

  it('puts the focus into the field that has a mistake', async () => {
    await inView(browser, 'light', async (page) => {
      await page.goto(`${pagesAt.origin}/page/en/mistake`);
      expect(await page.evaluate('document.activeElement.id')).toBe('name');
    });
  });

  it.each(['light', 'dark', 'narrow'] as const)('has its picture taken, %s', async (view) => {
    await inView(browser, view, async (page) => {
      await page.goto(`${pagesAt.origin}/page/en/form`);
      await picture(page, `invitation-page-${view}`);
      if (view !== 'light') return;
      await page.goto(`${pagesAt.origin}/page/en/expired`);
      await picture(page, 'invitation-page-expired');
      await page.goto(`${pagesAt.origin}/page/de/form`);
      await picture(page, 'invitation-page-german');
    });
  });
});

describe('the mail', () => {
  it.each(allViews)('gives axe-core nothing to find, %s', async (view) => {
    for (const language of ['en', 'de'])
      await inView(browser, view, async (page) => {
        await page.goto(`${pagesAt.origin}/mail/${language}/invitation`);
        // A mail is shown as a part of somebody else's page, so that the landmarks of a page (a best practice) have no place in it.
        expect(await axeFindings(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']), language).toEqual([]);
      });
  });

  it('fits into 320 px', async () => {
    await inView(browser, 'narrow', async (page) => {
      await page.goto(`${pagesAt.origin}/mail/en/invitation`);
      expect(await overflow(page)).toBe(0);
    });
  });

  it('says the name of the publication where images are off', async () => {
    await inView(browser, 'light', async (page) => {
      await page.route('**/logo.svg', (route) => route.abort());
      await page.goto(`${pagesAt.origin}/mail/en/invitation`);
      expect(await page.getByAltText('The Daily Owl').isVisible()).toBe(true);
      await picture(page, 'invitation-mail-without-images');
    });
  });

  it.each(['light', 'dark', 'narrow'] as const)('has its picture taken, %s', async (view) => {
    await inView(browser, view, async (page) => {
      await page.goto(`${pagesAt.origin}/mail/en/invitation`);
      await picture(page, `invitation-mail-${view}`);
    });
  });
});
