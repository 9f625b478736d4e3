/** The local stack in a real browser: the mailbox page works, and pages of other sites can read or change nothing. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../infra/emulator/loopback.ts';
import { signedInUrl } from '../../infra/local/signed-in.ts';
import { eventually } from '../support/eventual.ts';
import { inviteOn } from '../support/invitation-link.ts';
import { listeningSockets } from '../support/parts-sockets.ts';
import { axeFindings, inView, type View } from './browser.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();
let otherSite: Listening;
beforeAll(async () => {
  const server = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<h1>Other</h1>'),
  );
  otherSite = await listen(server);
});
afterAll(() => otherSite.stop());

describe('the mailbox page', () => {
  it('shows the mails, and clears them if asked', async () => {
    await inviteOn(running, 'ada@example.org');
    await inView(browser, 'light', async (page) => {
      await page.goto(`${running.stack.mailbox}/`);
      await page.getByText('ada@example.org').first().waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('ada@example.org').first().waitFor({ state: 'detached' });
    });
  });
});

describe('the mailbox page with a mail', () => {
  it.each<View>(['light', 'narrow and dark'])(
    'has no accessibility violation and does not scroll sideways: %s',
    async (view) => {
      await inviteOn(running, `${view.replaceAll(' ', '-')}@example.org`);
      await inView(
        browser,
        view,
        async (page) => {
          await page.goto(`${running.stack.mailbox}/`);
          await page.getByRole('listitem').first().waitFor();
          expect(await axeFindings(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        },
        { bypassCSP: true },
      );
    },
  );
});

describe('a mail in the mailbox', () => {
  it('is shown as its recipient sees it, and its button opens the page in a tab of its own', async () => {
    await inviteOn(running, 'bea@example.org');
    await inView(browser, 'light', async (page) => {
      await page.goto(`${running.stack.mailbox}/`);
      const mail = page.getByRole('listitem').filter({ hasText: 'bea@example.org' });
      const link = mail.getByRole('link', { name: 'Accept' }).first();
      const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()]);
      await opened.getByRole('textbox').first().waitFor();
    });
  });
});

describe('a mail of an invitation', () => {
  it.each([
    ['Let it bounce', 'bounced'],
    ['Report as spam', 'complained'],
  ])('has the button *%s*, after which the invite is %s', async (button, status) => {
    const email = `${status}@example.org`;
    await inviteOn(running, email);
    await inView(browser, 'light', async (page) => {
      await page.goto(`${running.stack.mailbox}/`);
      await page.getByRole('listitem').filter({ hasText: email }).getByRole('button', { name: button }).click();
      await eventually(`an invite that ${status}`, async () => {
        const path = `/admin/invites/?status=${status}`;
        const { invites } = (await running.call('GET', path, { key: running.stack.adminKey })).body;
        return invites.find((invite: { email: string }) => invite.email === email);
      });
    });
  });
});

describe('the address that the key `o` of npm start opens', () => {
  it('signs in to the console without a click, but only once', async () => {
    const url = await signedInUrl(running.stack);
    await inView(browser, 'light', async (page) => {
      await page.goto(url);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(page.url()).not.toContain(new URL(url).pathname);
    });
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

describe('a page of another site', () => {
  it('gets 403 or no response from every port, even with the right paths', async () => {
    await inviteOn(running, 'grace@example.org');
    const ports = listeningSockets(running.pid)
      .filter(({ address }) => address === '127.0.0.1')
      .map(({ port }) => port);
    await inView(browser, 'light', async (page) => {
      await page.goto(otherSite.origin);
      const readable = await page.evaluate(`(async () => {
        const found = [];
        for (const port of ${JSON.stringify(ports)})
          for (const path of ['/', '/store', '/counts', '/faults', '/requests', '/ghost/api/admin/docs/'])
            for (const method of ['GET', 'POST'])
              try {
                const answer = await fetch('http://127.0.0.1:' + port + path, { method });
                found.push(port + path + ' ' + answer.status);
              } catch {}
        await fetch('${running.stack.mailbox.replace(/\/[0-9a-f]+$/, '')}/clear-store', { method: 'POST', mode: 'no-cors' });
        return found;
      })()`);
      expect(readable).toEqual([]);
    });
    const store = await fetch(`${running.stack.mailbox}/store`);
    expect(await store.text()).toContain('grace@example.org');
  });
});
