/** Incidents and lists of many webhooks as operators use them: from the overview to cause, resending and deletion. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, overflow, type View } from './browser.ts';
import { show, visitSignedIn } from './console.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();
const api = (method: string, path: string, body?: object) =>
  running.call(method, path, { key: running.stack.adminKey, body });

let status = 503;
/** While it is down, it answers one webhook not at all. */
const server = createServer(({ url, socket }, response) =>
  url === '/3' && status !== 200 ? socket.destroy() : response.writeHead(status).end(),
);
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

let host: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [{ id }] = (await api('GET', '/admin/integrations/')).body.integrations;
  const add = async (name: string, event: string, target_url: string) => {
    const webhooks = [{ name, event, target_url, integration_id: id }];
    expect((await api('POST', '/admin/webhooks/', { webhooks })).status).toBe(201);
  };
  for (let number = 1; number <= 3; number++) await add(`Shop ${number}`, 'page.published', `http://${host}/${number}`);
  for (let number = 1; number <= 100; number++)
    await add(`Stale ${number}`, 'tag.added', `http://${host}/stale/${number}`);
  const events = [{ event: 'page.published', payload: { page: { current: {}, previous: {} } } }];
  await api('POST', '/admin/events/', { events });
});

const visit = (look: (page: Page) => Promise<void>, view: View = 'light') =>
  visitSignedIn(browser, running, view, look);

const countingClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate('window.clicks = 0; addEventListener("click", () => window.clicks++, true)');
  return () => page.evaluate<number>('window.clicks');
};

describe('webhooks of one host that fail for the same reason', () => {
  it('are one row of the overview, with cause, cure and what waits, and lead to one list', async () => {
    await visit(async (page) => {
      const row = page.getByRole('listitem').filter({ hasText: `3 webhooks at ${host} are failing: unreachable` });
      await row.getByText(/^2 × .* reports an error. Look in its log/).waitFor();
      await row.getByText(/^1 × /).waitFor();
      await row.getByText('3 deliveries are waiting').waitFor();
      expect(await page.getByText('is failing').count()).toBe(0);
      await row.getByRole('link', { name: 'See why' }).click();
      await page.getByRole('heading', { name: `3 webhooks at ${host} are failing: unreachable` }).waitFor();
      await page.getByRole('link', { name: 'Shop 1', exact: true }).waitFor();
      expect(await page.getByRole('row').count()).toBe(4);
    });
  });

  it('are counted beside the other states, and come first', async () => {
    await visit(async (page) => {
      await show(page, '#/webhooks');
      const states = page.getByRole('navigation', { name: 'State' }).getByRole('link');
      await states.first().waitFor();
      expect(await states.allInnerTexts()).toEqual(['All (103)', 'Failing (3)', 'Disabled (0)', 'No event yet (100)']);
      expect(await page.getByRole('row').nth(1).innerText()).toContain('Shop');
      await page.getByRole('link', { name: 'Failing (3)' }).click();
      await page.getByRole('row').nth(4).waitFor({ state: 'detached' });
    });
  });

  it('are recovered together, after the console has said how many deliveries it sends', async () => {
    await visit(async (page) => {
      await show(page, `#/webhooks?host=${host}&cause=unreachable`);
      await page.getByRole('button', { name: 'Recover' }).click();
      const dialog = page.locator('wa-dialog[open]');
      await dialog.getByText('Nothing is to be sent again.').waitFor();
      // What is retried waits for its own attempt: only a webhook that is disabled holds it.
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Select all 3' }).click();
      await page.getByRole('button', { name: 'Disable' }).click();
      await dialog.getByText('3 webhooks are disabled: new deliveries are held').waitFor();
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await page.getByText('This incident is over').waitFor();
      const events = [{ event: 'page.published', payload: { page: { current: {}, previous: {} } } }];
      await api('POST', '/admin/events/', { events });
      status = 200;
      await show(page, '#/overview');
      const row = page.getByRole('listitem').filter({ hasText: '3 webhooks are disabled' });
      await page.getByRole('link', { name: /^Held ?[3-9]/ }).waitFor();
      await row.getByRole('button', { name: 'Recover' }).click();
      await dialog.getByText(/^[3-6] deliveries are sent again\.$/).waitFor();
      await dialog.getByRole('button', { name: 'Recover' }).click();
      await dialog.getByText('Replay finished').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await row.waitFor({ state: 'detached' });
    });
  });
});

describe('a list of many webhooks', () => {
  it.each(['light', 'narrow and dark'] as const)('has no finding of axe-core with a selection, %s', async (view) => {
    await visit(async (page) => {
      await show(page, '#/webhooks?q=shop');
      await page.getByRole('button', { name: 'Select all 3' }).click();
      await page.getByRole('group', { name: '3 selected' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    }, view);
  });

  it('deletes 100 stale webhooks in ten clicks, says before what it deletes, and keeps one that failed', async () => {
    await visit(async (page) => {
      await show(page, '#/webhooks');
      const clicks = await countingClicks(page);
      await page.getByRole('link', { name: 'No event yet (100)' }).click();
      await page.getByRole('button', { name: 'Select all 100' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.locator('wa-dialog[open]');
      await dialog.getByText('100 webhooks are deleted: no further events').waitFor();
      await dialog.getByText('and 90 more').waitFor();
      const errors = [{ message: 'Busy.', context: null, help: null, id: 'x' }];
      await page.route('**/admin/webhooks/*/', (route) => route.fulfill({ status: 503, json: { errors } }), {
        times: 1,
      });
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('group', { name: '1 selected' }).waitFor();
      const left = page.getByRole('link', { name: /^Stale/ });
      const name = await left.innerText();
      await left.click();
      await page.getByRole('heading', { name }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Select it' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No event yet (0)').waitFor();
      expect(await clicks()).toBeLessThanOrEqual(10);
      const [{ webhooks }] = (await api('GET', '/admin/integrations/?include=webhooks')).body.integrations;
      expect(webhooks.map(({ name }: { name: string }) => name).sort()).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
    });
  });
});
