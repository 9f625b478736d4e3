/** Each console view in both themes and languages: no finding of axe-core, no overflow at 320 px, one origin. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, overflow, type View } from './browser.ts';
import { openView, signInWithKey, visitConsole } from './console.ts';
import { addressesOf, type FilledStage, fillStage } from './console-stage.ts';
import { unreachedControls } from './keyboard.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();
let stage: FilledStage;
beforeAll(async () => {
  stage = await fillStage(running);
});

const settings = [
  ['light', 'en-GB'],
  ['dark', 'de-DE'],
  ['narrow', 'de-DE'],
  ['narrow and dark', 'en-GB'],
] as const satisfies readonly (readonly [View, string])[];

describe('the console', () => {
  it.each(settings)('has no violation that axe-core finds in any view, %s, %s', async (view, locale) => {
    await visitConsole(
      browser,
      running,
      view,
      async (page, complaints) => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        const findings: Record<string, readonly string[]> = { 'sign-in': await axeViolations(page) };
        await signInWithKey(page, running.stack.adminKey);
        for (const [name, address] of Object.entries(addressesOf(stage))) {
          await openView(page, address);
          findings[name] = [...(await axeViolations(page)), ...(await tooWide(page))];
        }
        expect(Object.entries(findings).filter(([, found]) => found.length > 0)).toEqual([]);
        expect(complaints).toEqual([]);
      },
      { locale, bypassCSP: true },
    );
  });

  it.each(settings.slice(0, 2))(
    'has no violation with a dialog, a menu, a preview and a secret open, %s, %s',
    async (view, locale) => {
      await visitConsole(
        browser,
        running,
        view,
        async (page) => {
          await signInWithKey(page, running.stack.adminKey);
          const findings: Record<string, readonly string[]> = {};
          await openView(page, '#/staff/invitations');
          await page.locator('.table wa-dropdown wa-button').first().click();
          await page.locator('.table wa-dropdown-item').filter({ visible: true }).first().waitFor();
          findings.menu = await axeViolations(page);
          await page.keyboard.press('Escape');
          await openView(page, '#/staff/invitations/new');
          await page.locator('textarea').fill('ada@example.org\nada@example.org\nnonsense\nmary@example.org, King');
          findings.preview = await axeViolations(page);
          await openView(page, `#/integrations/${stage.integration}`);
          await page.locator('wa-button[variant=danger]').first().click();
          await page.locator('wa-dialog[open]').getByText('Shelf').waitFor();
          findings.dialog = await axeViolations(page);
          await page.keyboard.press('Escape');
          await page.locator('wa-dialog').waitFor({ state: 'detached' });
          await openView(page, '#/staff/access');
          await page.locator('#token ~ .actions wa-button').click();
          await page.locator('wa-dialog[open] wa-button[variant=brand]').waitFor();
          findings.question = await axeViolations(page);
          await page.keyboard.press('Escape');
          expect(Object.entries(findings).filter(([, found]) => found.length > 0)).toEqual([]);
        },
        { locale, bypassCSP: true },
      );
    },
  );

  it('has only controls that Tab reaches and whose focus is visible', async () => {
    await visitConsole(browser, running, 'light', async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('details.panel summary').click();
      const findings: Record<string, readonly string[]> = { 'sign-in': await unreachedControls(page) };
      await page.locator('details.panel summary').click();
      await signInWithKey(page, running.stack.adminKey);
      for (const [name, address] of Object.entries(addressesOf(stage))) {
        await openView(page, address);
        findings[name] = await unreachedControls(page);
      }
      expect(Object.entries(findings).filter(([, found]) => found.length > 0)).toEqual([]);
    });
  });
});

const tooWide = async (page: Page): Promise<string[]> => {
  const pixels = await overflow(page);
  return pixels > 0 ? [`${pixels} px wider than the window`] : [];
};
