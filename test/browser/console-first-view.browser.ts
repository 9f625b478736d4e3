/** The console on a stage with cold functions: what it asks for at once, and what it needs before it can be used. */
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { inView, type View } from './browser.ts';
import { openSignInLink, signInLinkOf } from './console.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();
const { baseUrl } = running.stack;

let cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;
beforeAll(async () => {
  const { body } = await running.call('GET', '/admin/users/me/', { key: running.stack.adminKey });
  const [{ email }] = body.users;
  await running.call('POST', '/admin/session/', { body: { sessions: [{ email }] } });
  await inView(browser, 'light', async (page) => {
    await openSignInLink(page, await signInLinkOf(running, email));
    cookies = await page.context().cookies();
  });
});

const visit = (
  address: string,
  look: (page: Page, open: () => Promise<unknown>) => Promise<void>,
  view: View = 'light',
): Promise<void> =>
  inView(
    browser,
    view,
    async (page) => {
      await page.context().addCookies(cookies);
      await look(page, () => page.goto(`${baseUrl}/console/${address}`));
    },
    { locale: 'en-GB' },
  );

const isApi = (url: URL): boolean => url.pathname.includes('/admin/');

describe('a log in a tab that is hidden', () => {
  it('asks for nothing until the tab is looked at again', async () => {
    await visit('#/deliveries', async (page, open) => {
      await page.clock.install();
      await open();
      await page.locator('.empty').waitFor();
      const asked: string[] = [];
      page.on('request', (request) => {
        if (isApi(new URL(request.url()))) asked.push(request.url());
      });
      const turn = (isHidden: boolean) =>
        page.evaluate(`
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
          document.dispatchEvent(new Event('visibilitychange'));`);
      await expect.poll(() => asked.length).toBeGreaterThan(0);
      await turn(true);
      asked.length = 0;
      await page.clock.runFor('30:00');
      // Requests are reported in their order.
      await page.evaluate('fetch(location.pathname)');
      expect(asked).toEqual([]);
      await turn(false);
      await expect.poll(() => asked.length).toBeGreaterThan(0);
    });
  });
});

describe('the first view', () => {
  it.each([
    ['the overview', '', '/overview/?period=day', '.totals'],
    ['the newest deliveries', '#/deliveries', '/deliveries/?include=title&limit=100', '.empty'],
  ])('asks for the member and for %s before its script has arrived, each once', async (_, address, read, content) => {
    await visit(address, async (page, open) => {
      const asked: string[] = [];
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (isApi(url)) asked.push(url.pathname.replace(/^.*\/admin/, '') + url.search);
      });
      let deliver: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        deliver = resolve;
      });
      await page.route('**/console/main-*', async (route) => {
        await held;
        await route.continue();
      });
      const opened = open();
      const first = [read, '/users/me/?include=roles'].toSorted();
      await expect.poll(() => asked.toSorted()).toEqual(first);
      deliver();
      await opened;
      await page.locator(content).first().waitFor();
      expect(asked.filter((one) => first.includes(one)).toSorted()).toEqual(first);
    });
  });

  it.each([
    ['the overview', '', '.totals strong'],
    ['the form of a webhook', '#/webhooks/new', 'form input'],
    ['the list of webhooks', '#/webhooks', 'h1'],
    ['the log', '#/deliveries', '.empty'],
  ])('shows %s with two answers alone', async (_, address, content) => {
    await visit(address, async (page, open) => {
      const read = address === '#/deliveries' ? '/deliveries/?include=title&limit=100' : '/overview/?period=day';
      const needed = ({ href }: URL) => href.endsWith(read) || href.endsWith('/users/me/?include=roles');
      // What is asked for later never gets an answer.
      await page.route(
        (url) => isApi(url) && !needed(url),
        () => {},
      );
      await open();
      await page.locator(content).first().waitFor();
    });
  });

  it.each([
    ['the overview', '', '.totals strong'],
    ['the log', '#/deliveries', '.empty'],
  ])('has at most four requests under way at once for %s', async (_, address, content) => {
    await visit(address, async (page, open) => {
      const underWay = new Set<Request>();
      let most = 0;
      page.on('request', (request) => {
        if (!request.url().startsWith(baseUrl)) return;
        underWay.add(request);
        most = Math.max(most, underWay.size);
      });
      // A function has ended when its answer begins.
      page.on('response', (response) => underWay.delete(response.request()));
      page.on('requestfailed', (request) => underWay.delete(request));
      await open();
      await page.locator(content).first().waitFor();
      expect(most).toBeLessThanOrEqual(4);
    });
  });

  describe('moves hardly anything while its data arrives', () => {
    let failing = '';
    /** By view: what arrives last. */
    const last = {
      overview: '.attention .answer',
      webhooks: 'main .health',
      webhook: 'main .advice .answer',
      deliveries: 'main [role=row] a',
    } as const;
    beforeAll(async () => {
      const key = running.stack.adminKey;
      const call = async (path: string, body: object) => (await running.call('POST', path, { key, body })).body;
      const [{ id: integration_id }] = (await running.call('GET', '/admin/integrations/', { key })).body.integrations;
      for (const name of ['500', '401', 'works']) {
        const webhook = { event: 'post.published', target_url: `${running.stack.receiver}/${name}`, integration_id };
        const { webhooks } = await call('/admin/webhooks/', { webhooks: [webhook] });
        if (name === '500') failing = webhooks[0].id;
      }
      const event = { event: 'post.published', payload: { post: { current: { title: 'Moves' }, previous: {} } } };
      await call('/admin/events/', { events: [event, event] });
      await eventually('the deliveries', async () => {
        const { deliveries } = (await running.call('GET', '/admin/deliveries/', { key })).body;
        const tried = deliveries.filter(({ attempts }: { attempts: number }) => attempts > 0);
        return tried.length === 6 || undefined;
      });
    });

    it.each(
      (['light', 'phone'] as const).flatMap((view) =>
        (['overview', 'webhooks', 'webhook', 'deliveries'] as const).map((name) => [view, name] as const),
      ),
    )('in a window that is %s: %s', async (view, name) => {
      const address = name === 'webhook' ? `#/webhooks/${failing}` : `#/${name}`;
      await visit(
        address,
        async (page, open) => {
          await page.addInitScript(`
            globalThis.shifts = [];
            new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
              .observe({ type: 'layout-shift', buffered: true });`);
          await open();
          await page.locator(last[name]).last().waitFor();
          await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
          const shift = Number(await page.evaluate('shifts.reduce((sum, value) => sum + value, 0)'));
          // Google's measure of "good" is twice that: https://web.dev/articles/cls
          expect(shift).toBeLessThanOrEqual(0.05);
        },
        view,
      );
    });
  });
});
