/** The documentation page on a running stack in a browser: search, samples, requests with a key, colours, 360 px. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ghostEvents } from '../../shared/foundation/event-names.ts';
import { axeViolations, inView, overflow, type View } from './browser.ts';
import { openDocumentation, openOperation, showOperation } from './documentation.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running, folder } = await startStackAndBrowser();

const wide = { viewport: { width: 1280, height: 800 } };

/** Opens the page; `complaints` gets all that the browser blocks, can't load or requests from another origin. */
const visit = (
  view: View,
  look: (page: Page, complaints: readonly string[]) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> =>
  inView(
    browser,
    view,
    async (page) => {
      const complaints: string[] = [];
      const { origin } = new URL(running.stack.baseUrl);
      page.on('console', (message) => message.type() !== 'info' && complaints.push(message.text()));
      // The console does not report violations that a script catches.
      await page.addInitScript(
        "addEventListener('securitypolicyviolation', (event) => console.error('blocked: ' + event.effectiveDirective))",
      );
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.origin !== origin && url.protocol !== 'data:') complaints.push(`of another origin: ${url}`);
      });
      await openDocumentation(page, running.stack.baseUrl);
      await look(page, complaints);
    },
    { ...(view !== 'phone' && wide), permissions: ['clipboard-read', 'clipboard-write'], ...options },
  );

const run = promisify(execFile);
const ownerKey = () => running.stack.adminKey;

/** Returns the sample of the open operation that its copy button copies. */
const copiedSample = async (page: Page, operation: string, language: string): Promise<string> => {
  const section = await showOperation(page, operation);
  const sample = section.locator('.scalar-card').first();
  if (!(await sample.getByRole('button', { name: language }).isVisible())) {
    await sample.getByRole('button', { name: 'curl' }).click();
    await page.getByRole('option', { name: language }).click();
  }
  await sample.getByRole('button', { name: 'Copy', exact: true }).click();
  return String(await page.evaluate('navigator.clipboard.readText()'));
};

const send = async (page: Page, key: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Admin API key' }).fill(key);
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
};

const tryIt = async (page: Page, operation: string, key: string): Promise<void> => {
  const section = await showOperation(page, operation);
  await section.getByRole('button', { name: /^Test Request/ }).click();
  await send(page, key);
};

const createWebhook = { title: 'Create a webhook', anchor: 'tag/webhooks/POST/admin/webhooks/' };

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

describe('the search', () => {
  it('finds an operation by a word of its description, and shows the operation', async () => {
    await visit('light', async (page) => {
      await page
        .getByRole('button', { name: /search/i })
        .first()
        .click();
      await page.keyboard.type('target_url');
      await page.getByRole('option', { name: 'Create a webhook' }).click();
      await page.getByRole('heading', { name: 'Create a webhook' }).waitFor();
      expect(page.url()).toContain('/admin/webhooks/');
    });
  });
});

describe('a code sample', () => {
  it('for curl can be copied, and works after the commands of the introduction', async () => {
    await visit('light', async (page) => {
      const introduction = await page.locator('pre', { hasText: 'openssl' }).first().innerText();
      const sample = await copiedSample(page, 'List the integrations', 'curl');
      const script = `${introduction}\n${sample} --silent --write-out '\\n%{http_code}'`;
      const { stdout } = await run('bash', ['-c', script], { env: { ...process.env, MASTHEAD_KEY: ownerKey() } });
      const [status = '', ...body] = stdout.trim().split('\n').reverse();
      expect(status).toBe('200');
      expect(JSON.parse(body.reverse().join('\n')).integrations.length).toBeGreaterThan(0);
    });
  });

  it('for Node.js can be copied, and works unchanged', async () => {
    await visit('light', async (page) => {
      const file = join(folder, 'sample.mjs');
      writeFileSync(file, await copiedSample(page, 'Create an integration', 'Node.js'));
      const { stdout } = await run(process.execPath, [file], { env: { ...process.env, MASTHEAD_KEY: ownerKey() } });
      expect(stdout).toMatch(/^201 \{"integrations":\[\{"id":"[0-9a-f]{24}"/);
    });
  });
});

describe('the list of events', () => {
  it('contains all events, with an example of the body of each delivery', async () => {
    await visit('light', async (page) => {
      const response = await fetch(`${running.stack.baseUrl}/admin/openapi.json`);
      const { webhooks } = (await response.json()) as { readonly webhooks: Readonly<Record<string, unknown>> };
      const events = Object.keys(webhooks);
      expect(events).toEqual(expect.arrayContaining([...ghostEvents]));
      const list = await openOperation(page, { title: 'Receiving events', anchor: 'tag/receiving-events' });
      await expect.poll(async () => (await list.innerText()).split(/\s+/)).toEqual(expect.arrayContaining(events));
      const deleted = await showOperation(page, 'member.deleted');
      const shown = await deleted.innerText();
      expect(shown).toContain('"event": "member.deleted"');
      expect(shown).toContain('webhook-signature');
    });
  });
});

describe('a request from the page', () => {
  it('is signed with the key, and its response is shown', async () => {
    await visit('light', async (page, complaints) => {
      const [request] = await Promise.all([
        page.waitForRequest(/\/admin\/integrations\/\?/),
        tryIt(page, 'List the integrations', ownerKey()),
      ]);
      expect((await request.response())?.status()).toBe(200);
      expect(await request.headerValue('authorization')).toMatch(/^Ghost eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
      await page.getByRole('dialog').getByText('200 OK').waitFor();
      expect(complaints).toEqual([]);
    });
  });

  it('leaves the key only in the memory of the page', async () => {
    await visit('light', async (page) => {
      await Promise.all([
        page.waitForResponse(/\/admin\/integrations\/\?/),
        tryIt(page, 'List the integrations', ownerKey()),
      ]);
      const kept = await page.evaluate(
        'indexedDB.databases().then((databases) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, ' +
          'document.cookie, location.href, databases]))',
      );
      const [id = '', secret = ''] = ownerKey().split(':');
      expect(kept).not.toContain(id);
      expect(kept).not.toContain(secret);
    });
  });

  it('is not sent if the key is invalid', async () => {
    await visit('light', async (page) => {
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await tryIt(page, 'List the integrations', 'not-a-key');
      await page.getByText('This is not an Admin API key').first().waitFor();
      expect(sent.filter((url) => url.includes('/admin/integrations/'))).toEqual([]);
    });
  });
});

describe('the documentation page', () => {
  it('works under its content security policy, and makes no request to another origin', async () => {
    await visit('light', async (page, complaints) => {
      for (const title of ['Create a webhook', 'Create invites', 'Accept an invitation'])
        await showOperation(page, title);
      expect(complaints).toEqual([]);
    });
  });

  it('is light or dark like the system, and has a switch for it', async () => {
    const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await visit('light', async (page) => expect(await background(page)).toBe('rgb(255, 255, 255)'));
    await visit('dark', async (page) => {
      expect(await background(page)).toBe('rgb(15, 15, 15)');
      await page.getByRole('button', { name: /light mode/i }).click();
      expect(await background(page)).toBe('rgb(255, 255, 255)');
    });
  });

  it('fits into 360 px, with an operation or a request open', async () => {
    await visit('phone', async (page) => {
      expect(await overflow(page)).toBe(0);
      const section = await openOperation(page, createWebhook);
      expect(await overflow(page)).toBe(0);
      await section.getByRole('button', { name: /^Test Request/ }).click();
      expect(await overflow(page)).toBe(0);
      const box = await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().boundingBox();
      expect(box?.x).toBeGreaterThan(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(360);
      expect(await overflow(page)).toBe(0);
    });
  });

  it.each(['light', 'dark', 'phone'] as const)('has no violation that axe-core finds, %s', async (view) => {
    await visit(
      view,
      async (page) => {
        // After each load, the colours of the theme follow the text.
        await expect.poll(() => axeViolations(page)).toEqual([]);
        const section = await openOperation(page, createWebhook);
        await expect.poll(() => axeViolations(page)).toEqual([]);
        await section.getByRole('button', { name: /^Test Request/ }).click();
        await send(page, ownerKey());
        await page.getByRole('dialog').getByRole('link', { name: /^422 / }).waitFor();
        // The button fades back in.
        await expect.poll(() => axeViolations(page, wcag)).toEqual([]);
      },
      { bypassCSP: true },
    );
  });

  it('executes nothing that the texts of the document contain', async () => {
    const hostile = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>';
    await inView(browser, 'light', async (page) => {
      await page.route('**/openapi.json', async (route) => {
        const response = await route.fetch();
        const json = JSON.parse(await response.text(), (key, value) =>
          ['description', 'summary'].includes(key) && typeof value === 'string' ? `${value} ${hostile}` : value,
        );
        await route.fulfill({ response, json });
      });
      await openDocumentation(page, running.stack.baseUrl);
      expect(await page.evaluate('window.wasRun')).toBeUndefined();
      expect(await page.locator('#app script, #app [onerror]').count()).toBe(0);
    });
  });

  it('links to the document if JavaScript is off, and says why if the document cannot be read', async () => {
    const url = `${running.stack.baseUrl}/admin/docs/`;
    await inView(
      browser,
      'light',
      async (page) => {
        await page.goto(url);
        expect(await page.getByRole('link', { name: 'OpenAPI document' }).isVisible()).toBe(true);
      },
      { javaScriptEnabled: false },
    );
    await inView(browser, 'light', async (page) => {
      await page.route('**/openapi.json', (route) => route.fulfill({ status: 503 }));
      await page.goto(url);
      await page.getByText('The OpenAPI document cannot be read: the answer is 503.').waitFor();
    });
  });
});
