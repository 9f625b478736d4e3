/** The page of the demo receiver in a browser: readable, usable by keyboard and screen reader, and always current. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../infra/local/demo/receiver.ts';
import { axeFindings, inView, startBrowser, type View } from './browser.ts';

let browser: Browser;
let receiver: Receiver;
beforeAll(async () => {
  [browser, receiver] = await Promise.all([startBrowser(), startReceiver(0, async () => [])]);
});
afterAll(async () => {
  await browser.close();
  await receiver.stop();
});

const deliver = (title: string) =>
  fetch(`${receiver.origin}/hook`, {
    method: 'POST',
    body: JSON.stringify({ event: 'post.published', post: { current: { title, html: '<p>Hello</p>'.repeat(20) } } }),
    headers: { 'webhook-id': title, 'webhook-signature': 'v1,unknown', 'Masthead-Attempt': '1' },
  });

it.each<View>(['light', 'dark', 'phone', 'narrow and dark'])(
  'the page has no accessibility violation and does not scroll sideways: %s',
  async (view) => {
    await deliver(`First in ${view}`);
    await inView(
      browser,
      view,
      async (page) => {
        await page.goto(receiver.page);
        if (process.env.SCREENSHOTS !== undefined && view === 'dark')
          await page.screenshot({ path: 'docs/images/demo-receiver-dark.png' });
        await page.locator('summary').first().click();
        expect(await axeFindings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      },
      { bypassCSP: true },
    );
  },
);

it('the page adds new requests on top without a reload, under its own policy', async () => {
  await deliver('Before');
  await inView(browser, 'light', async (page) => {
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(receiver.page);
    await page.locator('summary').first().click();
    await deliver('After');
    await page.getByText('"title": "After"').waitFor();
    expect(await page.locator('li.request').first().textContent()).toContain('After');
    // What was open stays open.
    expect(await page.locator('details[open]').count()).toBe(1);
    expect(problems).toEqual([]);
  });
});
