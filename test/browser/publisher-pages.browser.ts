/** The pages and mails of a publisher's team in a real browser: layout on a phone, axe-core, and their policy. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, inView, overflow, startBrowser, type View } from './browser.ts';
import { mails, pages, startPages } from './publisher-pages.ts';

let browser: Browser;
let pagesAt: Awaited<ReturnType<typeof startPages>>;
beforeAll(async () => {
  [browser, pagesAt] = await Promise.all([startBrowser(), startPages()]);
});
afterAll(async () => {
  await browser.close();
  pagesAt.server.close();
});

/** Each colour scheme and each width once: what axe-core finds depends on one of them, never on both. */
const contrasting: readonly View[] = ['light', 'narrow and dark'];

describe.each(['en', 'de'])('the invitation page in %s', (language) => {
  it.each(contrasting)('has no violation that axe-core finds, %s', async (view) => {
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

  it.each(['form', 'mistake', 'long-form', 'long-mistake'])(
    'shows label, field and button without scrolling at 360 by 640 px: %s',
    async (name) => {
      await inView(browser, 'phone', async (page) => {
        await page.goto(`${pagesAt.origin}/page/${language}/${name}`);
        expect(await page.evaluate('scrollY')).toBe(0);
        for (const control of ['label', '#name', 'button']) {
          const box = await page.locator(control).boundingBox();
          expect(box?.y, control).toBeGreaterThan(0);
          expect((box?.y ?? 0) + (box?.height ?? 0), control).toBeLessThanOrEqual(640);
        }
      });
    },
  );

  it('fits into 320 px, also with twice the text size', async () => {
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

  it('contains nothing that its policy blocks', async () => {
    await inView(browser, 'light', async (page) => {
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('requestfailed', (request) => complaints.push(request.url()));
      for (const name of Object.keys(pages)) {
        await page.goto(`${pagesAt.origin}/page/${language}/${name}`);
        expect(complaints, name).toEqual([]);
        if (name.startsWith('longest')) continue;
        expect(await page.evaluate("document.querySelector('header img').naturalWidth")).toBeGreaterThan(0);
      }
    });
  });
});

describe('the invitation page', () => {
  it('is readable and usable with any accent colour', async () => {
    for (const view of ['light', 'dark'] as const)
      await inView(
        browser,
        view,
        async (page) => {
          for (const name of ['form', 'accepted'])
            for (const colour of ['ffffff', '000000', 'ffff00', '777777', 'ff0000']) {
              await page.goto(`${pagesAt.origin}/page/en/${name}/${colour}`);
              expect(await axeFindings(page), `${name} ${colour}`).toEqual([]);
            }
        },
        { bypassCSP: true },
      );
  });

  it.each([
    ['form', ['#name', 'button']],
    ['accepted', ['a.action']],
  ])('has targets of at least 24 px and a visible focus (WCAG 2.2, 2.5.8 and 2.4.7): %s', async (name, controls) => {
    await inView(browser, 'narrow', async (page) => {
      await page.goto(`${pagesAt.origin}/page/en/${name}`);
      for (const control of controls) {
        const box = await page.locator(control).boundingBox();
        expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(24);
        await page.keyboard.press('Tab');
        expect(await page.evaluate(`document.activeElement.matches('${control}')`)).toBe(true);
        expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
      }
    });
  });

  it('moves the focus to the invalid field', async () => {
    await inView(browser, 'light', async (page) => {
      await page.goto(`${pagesAt.origin}/page/en/mistake`);
      // The browser applies `autofocus` when it draws the page, which may be after the load event.
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('name');
    });
  });
});

describe.each(Object.keys(mails))('the mail %s', (name) => {
  it.each(contrasting)('has no violation that axe-core finds, %s', async (view) => {
    for (const language of ['en', 'de'])
      await inView(browser, view, async (page) => {
        await page.goto(`${pagesAt.origin}/mail/${language}/${name}`);
        // A mail program shows a mail inside its own page, so the landmarks of a page (a best practice) do not apply.
        expect(await axeFindings(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']), language).toEqual([]);
      });
  });

  it('fits into 320, 360 and 600 px', async () => {
    await inView(browser, 'narrow', async (page) => {
      for (const language of ['en', 'de'])
        for (const width of [320, 360, 600]) {
          await page.setViewportSize({ width, height: 640 });
          await page.goto(`${pagesAt.origin}/mail/${language}/${name}`);
          expect(await overflow(page), `${language} at ${width} px`).toBe(0);
        }
    });
  });

  it.runIf(!name.startsWith('longest'))('shows the name of the publication even without images', async () => {
    await inView(browser, 'light', async (page) => {
      await page.route('**/logo.svg', (route) => route.abort());
      await page.goto(`${pagesAt.origin}/mail/en/${name}`);
      expect(await page.getByAltText('The Daily Owl').isVisible()).toBe(true);
    });
  });
});
