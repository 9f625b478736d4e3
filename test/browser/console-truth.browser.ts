/** What the console says is true: counts match lists, pings show results, advice fits causes, and live means live. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ghostEvents } from '../../shared/foundation/event-names.ts';
import { eventually } from '../support/eventual.ts';
import { startTlsReceiver } from '../support/loopback-receiver.ts';
import { choose, show, signInWithKey, visitConsole, visitSignedIn } from './console.ts';
import { publishFromGhost } from './console-stage.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

// The stack trusts the authority of the test's certificates.
const { browser, running } = await startStackAndBrowser({
  NODE_EXTRA_CA_CERTS: join(import.meta.dirname, '../support/tls/ca.pem'),
});

const api = (method: string, path: string, body?: object) =>
  running.call(method, path, { key: running.stack.adminKey, body });

const servers: Server[] = [];
const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of opened) await one.close();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const receiver = async (answer: RequestListener): Promise<number> => {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const answering = (status: number, text = ''): Promise<number> =>
  receiver((_, response) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text));

let integration: string;
beforeAll(async () => {
  const { body } = await api('GET', '/admin/integrations/');
  integration = body.integrations[0].id;
});

const addWebhook = async (name: string, target_url: string, event = 'page.published'): Promise<string> => {
  const item = { event, name, target_url, integration_id: integration };
  return (await api('POST', '/admin/webhooks/', { webhooks: [item] })).body.webhooks[0].id;
};

const publish = async (event: string, count: number): Promise<void> => {
  const [resource = ''] = event.split('.');
  const payload = { [resource]: { current: {}, previous: {} } };
  await api('POST', '/admin/events/', { events: Array.from({ length: count }, () => ({ event, payload })) });
};

const visit = (look: (page: Page) => Promise<void>): Promise<void> => visitSignedIn(browser, running, 'light', look);

const hostOf = (port: number): string => `127.0.0.1:${port}`;

const withCertificate = async (name: 'valid' | 'expired' | 'self-signed'): Promise<string> => {
  const tls = await startTlsReceiver(name, (_, response) => response.end());
  opened.push(tls);
  return `https://${hostOf(tls.port)}/hook`;
};

describe('the advice for a failing webhook', () => {
  /** By cause: the target, the reason that is shown, and what the advice says. */
  const causes = {
    401: async () => [`http://${hostOf(await answering(401))}/hook`, 'HTTP 401', 'current secret'],
    404: async () => [`http://${hostOf(await answering(404))}/hook`, 'HTTP 404', 'nothing at /hook'],
    500: async () => [
      `http://${hostOf(await answering(500, 'Error: no such table: orders'))}/hook`,
      'HTTP 500',
      'no such table: orders',
    ],
    DNS: async () => ['http://receiver.invalid/hook', 'the name was not found', 'Check the spelling'],
    'no connection': async () => ['http://127.0.0.1:9/hook', 'no connection', 'Check that the receiver is running'],
    'a port without TLS': async () => [
      `https://${hostOf(await answering(200))}/hook`,
      'no TLS connection',
      'Check that the server supports HTTPS',
    ],
    'an expired certificate': async () => [await withCertificate('expired'), 'the certificate has expired', 'Renew it'],
    'a certificate for another name': async () => [
      await withCertificate('valid'),
      'the certificate is for another name',
      'Use one that is issued for 127.0.0.1',
    ],
    'a self-signed certificate': async () => [
      await withCertificate('self-signed'),
      'the certificate is self-signed',
      'Replace it with one from a public certificate authority',
    ],
    timeout: async () => [`http://${hostOf(await receiver(() => {}))}/hook`, 'no answer within ten', 'Answer first'],
  } as const satisfies Record<string, () => Promise<readonly [string, string, string]>>;

  /** An event of its own, so that no other cause's event reaches the webhook. */
  const eventOf = (cause: string): string => {
    const position = Object.keys(causes).indexOf(cause);
    return ghostEvents.filter((name) => name.startsWith('post.'))[position] ?? '';
  };

  // Concurrent, because each test waits for attempts and for the page's next poll.
  it.concurrent.each(Object.entries(causes))(
    'fits %s, both after a ping and beside the webhook',
    async (name, target) => {
      const [url, reason, advice] = await target();
      const event = eventOf(name);
      const id = await addWebhook(`cause ${name}`, url, event);
      await visit(async (page) => {
        await show(page, `#/webhooks/${id}`);
        await page.getByRole('button', { name: 'Send a ping' }).click();
        await page.locator('.result', { hasText: `It failed: ${reason}` }).waitFor();
        await publish(event, 1);
        const callout = page.locator('wa-callout', { hasText: `The last delivery failed: ${reason}` });
        await callout.getByText(advice).first().waitFor();
        await callout.getByText(/deliver(y is|ies are) waiting/).waitFor();
        await callout.getByText(/Next attempt|until the receiver answers/).waitFor();
        await callout.getByText('Began').waitFor();
        await api('DELETE', `/admin/webhooks/${id}/`);
      });
    },
  );

  it('says who disabled a webhook, on the overview too', async () => {
    const owner = (await api('GET', '/admin/users/me/')).body.users[0].name;
    const id = await addWebhook('by hand', `${running.stack.receiver}/by-hand`);
    await api('POST', `/admin/webhooks/${id}/disable/`);
    await publish('page.published', 1);
    await visit(async (page) => {
      const row = page.getByRole('listitem').filter({ hasText: 'by hand is disabled' });
      await row.getByText(`${owner} disabled it`).waitFor();
      await row.getByText('One delivery is waiting').waitFor();
      await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });
});

describe('a webhook that its receiver has declined', () => {
  it('shows on the overview what the receiver said and what waits, and can be enabled there', async () => {
    let status = 410;
    const port = await receiver((_, response) => response.writeHead(status).end('channel_is_archived'));
    const id = await addWebhook('archived', `http://${hostOf(port)}/hook`, 'page.unpublished');
    await publish('page.unpublished', 1);
    await visit(async (page) => {
      const row = page.getByRole('listitem').filter({ hasText: 'archived is disabled' });
      await row.getByText('The receiver answered 410 channel_is_archived').waitFor();
      await row.getByText('One delivery is waiting').waitFor();
      status = 200;
      await row.getByRole('button', { name: 'Recover' }).click();
      const dialog = page.locator('wa-dialog[open]');
      await dialog.getByRole('checkbox', { name: 'Enable the webhook that is disabled' }).waitFor();
      await dialog.getByRole('button', { name: 'Recover' }).click();
      await dialog.getByText('Replay finished').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await row.waitFor({ state: 'detached' });
      await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });
});

describe('the frame of the console', () => {
  it('has the name, logo and colour of the publication', async () => {
    const logo = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const site = { name: 'The Analyst', url: 'https://example.org', logoUrl: logo, accentColor: '#b5179e' };
    await visitConsole(browser, running, 'light', async (page, complaints) => {
      await page.getByRole('banner').getByText('Masthead on this machine').waitFor();
      await page.route('**/console/', async (route) => {
        const response = await route.fetch();
        const data = JSON.stringify(site).replaceAll('"', '&quot;');
        const text = (await response.text()).replace(/data-site="[^"]*"/, `data-site="${data}"`);
        await route.fulfill({ response, body: text });
      });
      await page.reload();
      const banner = page.getByRole('banner');
      await banner.getByText('The Analyst').waitFor();
      const logoWidth = (): Promise<unknown> =>
        page.evaluate("document.querySelector('header img.mark')?.naturalWidth");
      await expect.poll(logoWidth).toBe(1);
      const colour = (): Promise<unknown> =>
        page.evaluate("getComputedStyle(document.querySelector('header')).borderTopColor");
      await expect.poll(colour).toBe('rgb(181, 23, 158)');
      expect(complaints).toEqual([]);
    });
  });
});

describe('a ping', () => {
  it('shows the response and its duration where it was sent, and becomes the newest delivery', async () => {
    const id = await addWebhook('pinged', `${running.stack.receiver}/pinged`, 'tag.added');
    await visit(async (page) => {
      await show(page, `#/webhooks/${id}`);
      await page.locator('.title', { hasText: 'No event yet' }).getByText('(pings do not count)').waitFor();
      await page.getByRole('button', { name: 'Send a ping' }).click();
      await page.getByText(/answered with HTTP 200 in [\d.,]+ m?s\./).waitFor();
      const newest = page.getByRole('region', { name: 'Newest deliveries' }).getByRole('listitem');
      await newest.filter({ hasText: 'PingHTTP 200' }).waitFor();
      await show(page, '#/webhooks');
      const row = page.getByRole('row').filter({ hasText: 'pinged' });
      await row.getByText('One delivery').waitFor();
      expect(await row.locator('[data-title="Last event sent"]').innerText()).toBe('never');
    });
  });

  it('to a failing webhook shows its result on the overview', async () => {
    const id = await addWebhook('fails', 'http://127.0.0.1:9/fails', 'page.added');
    await publish('page.added', 1);
    await visit(async (page) => {
      const row = page.getByRole('listitem').filter({ hasText: 'fails is failing' });
      await row.getByRole('button', { name: 'Send a ping' }).click();
      await row.getByText('It failed: no connection').waitFor();
      expect(new URL(page.url()).hash).not.toContain('deliveries');
      await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });

  it('removes a webhook from the list of problems, and says so, if the webhook responds', async () => {
    let status = 500;
    const port = await receiver((_, response) => response.writeHead(status).end());
    const id = await addWebhook('repaired', `http://${hostOf(port)}/hook`, 'page.deleted');
    await publish('page.deleted', 1);
    await visit(async (page) => {
      const row = page.getByRole('listitem').filter({ hasText: 'repaired is failing: unreachable' });
      await row.waitFor();
      status = 200;
      await row.getByRole('button', { name: 'Send a ping' }).click();
      await page.getByText('repaired answered the ping: it works again.').waitFor();
      await row.waitFor({ state: 'detached' });
      await show(page, `#/webhooks/${id}`);
      await page.locator('.title', { hasText: 'repaired' }).getByText('Available').waitFor();
      await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });
});

describe('a number on the overview', () => {
  it('counts exactly what its link lists, and counts events and deliveries separately', async () => {
    const ids = [
      await addWebhook('works', `${running.stack.receiver}/works`, 'post.added'),
      await addWebhook('works too', `${running.stack.receiver}/works-too`, 'post.added'),
      await addWebhook('retries', `http://${hostOf(await answering(503))}/retries`, 'post.added'),
    ];
    const held = await addWebhook('holds', `${running.stack.receiver}/holds`, 'post.added');
    await api('POST', `/admin/webhooks/${held}/disable/`);
    await publish('post.added', 3);
    await eventually('all attempts', async () => {
      const { body } = await api('GET', `/admin/deliveries/?status=retrying&webhook_id=${ids[2]}`);
      return body.deliveries.length === 3 || undefined;
    });
    await visit(async (page) => {
      for (const [name, status] of [
        ['Retrying', 'retrying'],
        ['Held', 'held'],
        ['Failed', 'failed'],
      ] as const) {
        await show(page, '#/overview');
        const total = page.getByRole('link', { name: new RegExp(`^${name}`) });
        const { body } = await api('GET', `/admin/deliveries/?status=${status}&limit=100`);
        await expect.poll(() => total.locator('strong').innerText()).toBe(String(body.deliveries.length));
        await total.click();
        await page.waitForURL(`**status=${status}**`);
        const rows = page.getByRole('row').and(page.locator('[aria-rowindex]:not([aria-rowindex="1"])'));
        await expect.poll(() => rows.count()).toBe(body.deliveries.length);
      }
      await show(page, '#/overview');
      await page.locator('.total', { hasText: 'Events' }).getByText('published in this period').waitFor();
      await page.locator('.total', { hasText: 'Success rate' }).getByText('%').waitFor();
      // At rest too.
      await expect.poll(() => page.locator('.u-legend .u-value').allInnerTexts()).not.toContain('--');
      for (const id of [...ids, held]) await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });
});

describe('the page of an event', () => {
  it("leads from a superseded delivery to the one that was sent instead, as the delivery's page does", async () => {
    const id = await addWebhook('debounced', `${running.stack.receiver}/debounced`, 'tag.deleted');
    await api('PUT', `/admin/webhooks/${id}/options/`, { options: [{ debounce: { seconds: 1, max_seconds: 60 } }] });
    await publish('tag.deleted', 5);
    const sent = await eventually('the delivery of the last event', async () => {
      const { body } = await api('GET', `/admin/deliveries/?webhook_id=${id}`);
      const [newest, ...others] = body.deliveries;
      const isOver = newest?.status === 'delivered' && others.length === 4;
      return isOver ? { newest, superseded: others[0] } : undefined;
    });
    const { newest, superseded } = sent;
    await visit(async (page) => {
      await show(page, `#/deliveries?event_id=${superseded.event_id}`);
      const link = page.getByRole('link', { name: 'Sent instead' });
      expect(await link.getAttribute('href')).toContain(newest.id);
      await show(page, `#/deliveries/${id}/${superseded.id}`);
      await page.getByText('Sent instead').waitFor();
      await page.getByRole('link', { name: newest.id }).waitFor();
    });
  });
});

describe('the form for a recovery', () => {
  it('shows how many deliveries it sends', async () => {
    const id = await addWebhook('replayed', `${running.stack.receiver}/replayed`, 'tag.edited');
    await api('POST', `/admin/webhooks/${id}/disable/`);
    await publish('tag.edited', 3);
    await eventually('the held deliveries', async () => {
      const { body } = await api('GET', `/admin/deliveries/?status=held&webhook_id=${id}`);
      return body.deliveries.length === 3 || undefined;
    });
    await api('POST', `/admin/webhooks/${id}/enable/`);
    await visit(async (page) => {
      await show(page, `#/webhooks/${id}`);
      await choose(page, 'Replay');
      const dialog = page.locator('wa-dialog[open]');
      await dialog.getByText('3 deliveries are sent again.').waitFor();
      await dialog.getByRole('combobox').selectOption('failed');
      await dialog.getByText('Nothing is to be sent again.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Recover' }).isDisabled()).toBe(true);
      await dialog.getByLabel('From').fill('31.12.2026');
      await page.keyboard.press('Tab');
      await dialog.getByText('Write it as 2026-01-31 09:30.').waitFor();
    });
  });
});

describe('the form for a recovery of a webhook that was only pinged', () => {
  it('counts no ping, because a recovery sends none', async () => {
    const id = await addWebhook('only pinged', `${running.stack.receiver}/only-pinged`, 'tag.edited');
    await api('POST', `/admin/webhooks/${id}/ping/`);
    await eventually('the delivered ping', async () => {
      const { body } = await api('GET', `/admin/deliveries/?status=delivered&webhook_id=${id}`);
      return body.deliveries.length === 1 || undefined;
    });
    await visit(async (page) => {
      await show(page, `#/webhooks/${id}`);
      await choose(page, 'Replay');
      const dialog = page.locator('wa-dialog[open]');
      await dialog.getByText('Nothing is to be sent again.').waitFor();
      await dialog.getByRole('combobox').selectOption('delivered');
      await dialog.getByText('Nothing is to be sent again.').waitFor();
    });
  });
});

describe('the page of a webhook that fails', () => {
  it('shows the next attempt, what a recovery would send, and the newest delivery last in the strip', async () => {
    const id = await addWebhook('fails', `http://127.0.0.1:${await answering(500)}/hook`, 'tag.added');
    await publish('tag.added', 1);
    const [sent] = await eventually('the failed attempt', async () => {
      const { body } = await api('GET', `/admin/deliveries/?status=retrying&webhook_id=${id}`);
      return body.deliveries.length === 1 ? body.deliveries : undefined;
    });
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    const failed = { status: 'failed', next_attempt_at: null };
    const rows = [
      { next_attempt_at: inMs(-120_000) },
      { next_attempt_at: inMs(10_800_000) },
      failed,
      { ...failed, replayed_by: sent.id },
      { ...failed, trigger: 'ping' },
      { ...failed, status: 'delivered' },
    ].map((row, at) => ({ ...sent, ...row, id: at === 0 ? sent.id : '0'.repeat(23) + (9 - at) }));
    await visit(async (page) => {
      await page.route('**/admin/deliveries/?*', async (route) => {
        const status = new URL(route.request().url()).searchParams.get('status');
        const deliveries = rows.filter((row) => status === null || row.status === status);
        await route.fulfill({ json: { deliveries, meta: { pagination: { limit: 100, next: null } } } });
      });
      await show(page, `#/webhooks/${id}`);
      await page.locator('wa-callout', { hasText: '2 deliveries are waiting' }).getByText('Next attempt now').waitFor();
      await page.getByRole('button', { name: 'Recover what failed (1)' }).waitFor();
      const bars = page.locator('.strip .bar');
      expect(await bars.nth(94).getAttribute('class')).toContain('good');
      expect(await bars.last().getAttribute('class')).toContain('warn');
    });
  });
});

describe('a search that matches few of many deliveries', () => {
  const row = {
    id: '019acb6d2e30a1b2c3d4e5f6',
    webhook_id: 'a'.repeat(24),
    event: 'post.added',
    event_id: 'found-late',
    status: 'failed',
    trigger: 'event',
    attempts: 1,
    created_at: '2026-11-21T08:00:00.000Z',
    last_attempt_at: '2026-11-21T08:00:00.000Z',
    next_attempt_at: null,
    last_status: '500',
    last_error: 'status',
    waiting_for: null,
    replayed_by: null,
    superseded_by: null,
  };
  /** Answers as the API does while it finds nothing; the third page has the delivery, and the second one waits. */
  const serve = async (page: Page) => {
    const mayAnswer = Promise.withResolvers<void>();
    const cursors: (string | null)[] = [];
    await page.route('**/admin/deliveries/?*', async (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      cursors.push(cursor);
      if (cursor === '1') await mayAnswer.promise;
      const pagination =
        cursor === '2'
          ? { limit: 100, next: null }
          : { limit: 100, next: cursor === null ? '1' : '2', searched_to: '2026-11-21T09:00:00.000Z' };
      await route.fulfill({ json: { deliveries: cursor === '2' ? [row] : [], meta: { pagination } } });
    });
    return { mayAnswer, cursors };
  };

  it('says how far it went, stops and goes on when asked to, and never says that there is none', async () => {
    await visit(async (page) => {
      const { mayAnswer, cursors } = await serve(page);
      await show(page, '#/deliveries?event=post.added');
      await page.getByText('Searched back to').waitFor();
      expect(await page.getByText('No delivery matches').count()).toBe(0);
      await page.getByRole('button', { name: 'Stop' }).click();
      mayAnswer.resolve();
      await page.getByRole('button', { name: 'Search on' }).waitFor();
      expect(cursors).not.toContain('2');
      expect(await page.getByText('No delivery matches').count()).toBe(0);
      await page.getByRole('button', { name: 'Search on' }).click();
      await page.getByRole('link', { name: 'post.added' }).waitFor();
      expect(await page.getByText('Searched back to').count()).toBe(0);
    });
  });
});

describe('the deliveries of an event', () => {
  it('are shown below what has happened, with the webhooks that have none and why', async () => {
    const gets = await addWebhook('gets it', `${running.stack.receiver}/gets-it`, 'tag.edited');
    const filtered = await addWebhook('filters it', `${running.stack.receiver}/filters-it`, 'tag.edited');
    const options = [{ filter: { tag: { current: { name: ['Other'] } } } }];
    await api('PUT', `/admin/webhooks/${filtered}/options/`, { options });
    const { body } = await api('POST', '/admin/events/', {
      events: ['64f0c0ffee00000000000a01', '64f0c0ffee00000000000a02'].map((id) => ({
        event: 'tag.edited',
        payload: { tag: { current: { id, name: 'News' }, previous: {} } },
      })),
    });
    await visit(async (page) => {
      await show(page, `#/deliveries?event_id=${body.events[0].id}`);
      await page.getByRole('heading', { name: 'Tag edited: News' }).waitFor();
      await page.getByText('About tag 64f0c0ffee00000000000a01').waitFor();
      await page.getByText('Left out by the filter of').getByRole('link', { name: 'filters it' }).waitFor();
      await page.getByRole('row', { name: 'gets it' }).waitFor();
      await page.getByRole('link', { name: 'All deliveries about it' }).click();
      await page.getByText('About tag').waitFor({ state: 'detached' });
      await page.getByRole('row', { name: 'gets it' }).waitFor();
      expect(await page.getByRole('row', { name: 'gets it' }).count()).toBe(1);
    });
    for (const id of [gets, filtered]) await api('DELETE', `/admin/webhooks/${id}/`);
  });
});

describe('a new webhook', () => {
  it('is shown at once, before the list of webhooks is read again', async () => {
    await visit(async (page) => {
      await show(page, '#/webhooks/new');
      await page.getByLabel('Target URL').fill('https://example.org/just-made');
      const mayAnswer = Promise.withResolvers<void>();
      await page.route('**/admin/integrations/?*', async (route) => {
        await mayAnswer.promise;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'example.org/just-made' }).waitFor();
      expect(await page.getByText('No webhook has this id').count()).toBe(0);
      mayAnswer.resolve();
    });
  });
});

describe('the list of deliveries', () => {
  it('says that it is live while it is, and not up to date while there is no connection', async () => {
    await visit(async (page) => {
      await show(page, '#/deliveries');
      await page.locator('.live', { hasText: 'Live' }).waitFor();
      await page.context().setOffline(true);
      await page.locator('.live', { hasText: 'Not up to date' }).waitFor();
      await page.setViewportSize({ width: 360, height: 640 });
      expect(await page.locator('.live').evaluate((state) => state.scrollWidth - state.clientWidth)).toBe(0);
      await page.context().setOffline(false);
      await page.locator('.live', { hasText: 'Live' }).waitFor();
    });
  });

  it('keeps its filter when you return from a delivery', async () => {
    const id = await addWebhook('listed', `${running.stack.receiver}/listed`, 'tag.deleted');
    await publish('tag.deleted', 1);
    await visit(async (page) => {
      await show(page, `#/deliveries?status=delivered&webhook=${id}`);
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByText('Attempt 1').waitFor();
      await page.getByRole('link', { name: 'Deliveries', exact: true }).last().click();
      await page.waitForURL(`**/#/deliveries?status=delivered&webhook=${id}`);
    });
  });
});

describe('a connected Ghost site', () => {
  it('is on the overview with its last event, refusals and reasons, and commands for what Ghost knows', async () => {
    const made = await api('POST', '/admin/integrations/', { integrations: [{ name: 'Ghost blog.example' }] });
    const [{ id }] = made.body.integrations;
    await visit(async (page) => {
      await page.getByRole('heading', { name: 'Over time' }).waitFor();
      expect(await page.getByRole('region', { name: 'Ghost sites' }).count()).toBe(0);
      const { body } = await api('POST', `/admin/integrations/${id}/inbound_secret/`);
      await publishFromGhost(running, id, body.secrets[0].secret);
      await publishFromGhost(running, id, 'another secret');
      await page.reload();
      await signInWithKey(page, running.stack.adminKey);
      const site = page.getByRole('region', { name: 'Ghost sites' }).getByRole('listitem');
      await site.getByText('Events arrive').waitFor();
      await site.getByText(/^Last event: .* · 0\.1 events a day$/).waitFor();
      await site.getByText('1 request refused in seven days, with a wrong signature').waitFor();
      await site.getByText('Webhooks added in Ghost since then').click();
      await site.getByText('import-ghost --from https://blog.example --token-file <file> --check').waitFor();
      await site.getByText('import-ghost --from https://blog.example --token-file <file> --apply --switch').waitFor();
      const unmoved = [
        { event: 'post.published', count: 2 },
        { event: 'member.added', count: 1 },
      ];
      await api('PUT', `/admin/relays/${id}/`, { relays: [{ unmoved }] });
      await page.reload();
      await signInWithKey(page, running.stack.adminKey);
      await site.getByText(/^As of .*: post\.published \(2\), member\.added \(1\)$/).waitFor();
      await api('DELETE', `/admin/integrations/${id}/`);
    });
  });

  it('is listed as a problem if it is silent for an unusually long time', async () => {
    const silent_since = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const relay = {
      integration_id: integration,
      site: 'Ghost news.example',
      refused: [],
      events_per_day: 4.3,
      compared_at: null,
      unmoved: [],
    };
    await visitConsole(browser, running, 'light', async (page) => {
      await page.route(/\/admin\/overview\//, async (route) => {
        const response = await route.fetch();
        if (!response.ok()) return route.fulfill({ response });
        const { overview } = await response.json();
        const relays = [{ ...relay, last_event_at: silent_since, silent_since }];
        return route.fulfill({ response, json: { overview: { ...overview, relays } } });
      });
      await signInWithKey(page, running.stack.adminKey);
      const row = page.getByRole('listitem').filter({ hasText: 'Ghost news.example has been silent' });
      await row.getByText('Last event: 3 days ago').waitFor();
      await row.getByText('import-ghost --from https://news.example --token-file <file> --check').waitFor();
      await page.getByRole('region', { name: 'Ghost sites' }).getByText('Unusually silent').waitFor();
    });
  });
});
