/** Without JavaScript in the browser: a page says what it needs, or works. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inView } from './browser.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();

const visit = (address: string, look: (page: Page) => Promise<void>): Promise<void> =>
  inView(
    browser,
    'light',
    async (page) => {
      await page.goto(address);
      await look(page);
    },
    { javaScriptEnabled: false },
  );

it.each(['/console/', '/console', '/admin/docs/'])(
  '%s says that it needs JavaScript, and does not seem to load',
  async (path) => {
    await visit(`${running.stack.baseUrl}${path}`, async (page) => {
      const text = await page.locator('body').innerText();
      expect(text).toMatch(/needs JavaScript\. Allow it for this site and reload the page/);
      expect(text).not.toContain('Loading');
      expect(await page.locator('.skeleton').filter({ visible: true }).count()).toBe(0);
    });
  },
);

it('the page of an invitation works', async () => {
  const call = (method: string, path: string, body?: object) =>
    running.call(method, path, { key: running.stack.adminKey, body });
  const { roles } = (await call('GET', '/admin/roles/')).body;
  const role_id = roles.find(({ name }: { readonly name: string }) => name === 'Author').id;
  const item = { email: 'no.script@example.com', role_id, send_email: false };
  const { link } = (await call('POST', '/admin/invites/', { invites: [item] })).body.invites[0];
  await visit(link, async (page) => {
    await page.locator('#name').fill('Ada Lovelace');
    await page.locator('form button').click();
    expect(await page.locator('h1').innerText()).toContain('Ada Lovelace');
  });
});
