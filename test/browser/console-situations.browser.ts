/** "My receiver got nothing", eight times: in two clicks from the overview, or one command, to cause and cure. */
import type { RequestListener } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { type Receiver, startReceiver, startTlsReceiver } from '../support/loopback-receiver.ts';
import { runOps } from '../support/ops.ts';
import { visitSignedIn } from './console.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();

const api = async (method: string, path: string, body?: object) =>
  (await running.call(method, path, { key: running.stack.adminKey, body })).body;

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map(({ close }) => close())));

const answering = (listener: RequestListener) => async (): Promise<string> => {
  const receiver = await startReceiver(listener);
  receivers.push(receiver);
  return `http://127.0.0.1:${receiver.port}/hook`;
};
const withStatus = (status: number, text: string) =>
  answering((_, response) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text));

const withExpiredCertificate = async (): Promise<string> => {
  const receiver = await startTlsReceiver('expired', (_, response) => response.end());
  receivers.push(receiver);
  return `https://127.0.0.1:${receiver.port}/hook`;
};

interface Situation {
  readonly target: () => Promise<string>;
  readonly options?: object;
  readonly isDisabled?: true;
  /** What is clicked on, from the overview: nothing if a row of it has the answer. */
  readonly links: readonly string[];
  readonly cause: RegExp;
  readonly cure: RegExp;
  /** What the command says of its delivery, if that is not the cure. */
  readonly printed?: RegExp;
}

const row: readonly string[] = [];
const works = withStatus(200, '');
const situations: Readonly<Record<string, Situation>> = {
  'answers 401': {
    target: withStatus(401, 'unknown signature'),
    links: row,
    cause: /refuses the request.*unknown signature/s,
    cure: /the webhook’s current secret/,
  },
  'answers 500': {
    target: withStatus(500, 'no such table: orders'),
    links: row,
    cause: /reports an error.*no such table: orders/s,
    cure: /Look in its log/,
  },
  'has no name': {
    target: async () => 'http://receiver.invalid/hook',
    links: row,
    cause: /receiver\.invalid was not found in the DNS/,
    cure: /Check the spelling/,
  },
  'has an old certificate': {
    target: withExpiredCertificate,
    links: row,
    cause: /The certificate of 127\.0\.0\.1:\d+ has expired/,
    cure: /Renew it/,
  },
  hangs: {
    target: answering(() => {}),
    links: row,
    cause: /does not answer within ten seconds/,
    cure: /Answer first with 200/,
  },
  'filters it': {
    target: works,
    options: { filter: { post: { current: { visibility: ['members'] } } } },
    links: ['Webhooks', 'filters it'],
    cause: /The only event is left out\..*Post published: Winter/s,
    cure: /Edit.*"visibility":\["members"\]/s,
    printed: /Left out by the filter of \w+ \(filters it\): post\.current\.visibility: \["members"\]/,
  },
  'is switched off': {
    target: works,
    isDisabled: true,
    links: row,
    cause: /Olive Owner disabled it/,
    cure: /Enable the webhook when the receiver is ready/,
    printed: /was disabled\. If it still is, enable it: npm run ops -- webhooks enable/,
  },
  'answers 410': {
    target: withStatus(410, 'channel_is_archived'),
    links: row,
    cause: /The receiver answered\s+410 channel_is_archived/,
    cure: /Ask its operator before you enable/,
  },
};
const names = Object.keys(situations);

let event = '';
beforeAll(async () => {
  const { integrations } = await api('GET', '/admin/integrations/');
  for (const [name, { target, options, isDisabled }] of Object.entries(situations)) {
    const item = { name, event: 'post.published', target_url: await target(), integration_id: integrations[0].id };
    const { webhooks } = await api('POST', '/admin/webhooks/', {
      webhooks: [{ ...item, ...(options && { options }) }],
    });
    if (isDisabled) await api('POST', `/admin/webhooks/${webhooks[0].id}/disable/`);
  }
  const payload = { post: { current: { title: 'Winter', visibility: 'public' }, previous: {} } };
  const { events } = await api('POST', '/admin/events/', { events: [{ event: 'post.published', payload }] });
  event = events[0].id;
  await eventually('an attempt of every webhook that may get it', async () => {
    const { deliveries } = await api('GET', `/admin/deliveries/?event_id=${event}`);
    const isTried = (one: { attempts: number; status: string }): boolean => one.attempts > 0 || one.status === 'held';
    return (deliveries.length === names.length - 1 && deliveries.every(isTried)) || undefined;
  });
});

/** Clicks from the overview until the reader sees what is wrong. Returns the number of clicks, and what is seen. */
const look = async (page: Page, name: string, links: readonly string[]) => {
  const own = page.getByRole('listitem').filter({ hasText: name });
  // With many incidents, the overview has only the first.
  const isShown = links.length > 0 || (await own.count()) > 0;
  const clicks = isShown ? links : [/^and \d+ more/, name];
  for (const link of clicks) await page.getByRole('link', { name: link, exact: true }).first().click();
  const place = clicks.length > 0 ? page.locator('main') : own;
  return { clicks: clicks.length, text: () => place.innerText() };
};

describe.each(Object.entries(situations))('a receiver that %s', (name, { links, cause, cure, printed = cure }) => {
  it('is explained at most two clicks from the overview, with what to do', async () => {
    await visitSignedIn(browser, running, 'light', async (page) => {
      await page.getByRole('heading', { name: /things need attention$/ }).waitFor();
      const { clicks, text } = await look(page, name, links);
      expect(clicks).toBeLessThanOrEqual(2);
      await expect.poll(text).toMatch(cause);
      await expect.poll(text).toMatch(cure);
    });
  });

  it('is explained by one command from the id of the event', async () => {
    vi.stubEnv('MASTHEAD_KEY', running.stack.adminKey);
    const { output } = await runOps(['deliveries', 'list', '--event-id', event, '--url', running.stack.baseUrl]);
    vi.unstubAllEnvs();
    expect(output).toMatch(printed);
  });
});
