/** The console on a running stack, in a real browser: from sign-in to webhooks and deliveries. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { commonEvents } from '../../shared/foundation/event-names.ts';
import { eventually } from '../support/eventual.ts';
import { mailsIn } from '../support/mailbox.ts';
import { inView, overflow, type View } from './browser.ts';
import {
  type Complaints,
  choose,
  openSignInLink,
  show,
  signInLinkOf,
  signInWithKey,
  visitConsole,
  visitSignedIn,
} from './console.ts';
import { keyboardOf } from './keyboard.ts';
import { serveManyDeliveries } from './many-deliveries.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();
let integration: string;
beforeAll(async () => {
  const { body } = await api('GET', '/admin/integrations/');
  integration = body.integrations[0].id;
});

const ownerKey = () => running.stack.adminKey;
const api = (method: string, path: string, body?: object) => running.call(method, path, { key: ownerKey(), body });

const addWebhook = async (name: string, target_url = `${running.stack.receiver}/${name}`): Promise<string> => {
  const item = { event: 'post.published', name, target_url, integration_id: integration };
  return (await api('POST', '/admin/webhooks/', { webhooks: [item] })).body.webhooks[0].id;
};

const publish = async (...titles: string[]): Promise<string[]> => {
  const events = titles.map((title) => ({
    event: 'post.published',
    payload: { post: { current: { title }, previous: {} } },
  }));
  const { body } = await api('POST', '/admin/events/', { events });
  return body.events.map(({ id }: { id: string }) => id);
};

const visit = (view: View, look: (page: Page, complaints: Complaints) => Promise<void>): Promise<void> =>
  visitSignedIn(browser, running, view, look, {
    key: ownerKey(),
    permissions: ['clipboard-read', 'clipboard-write'],
  });

/** Returns the sign-in links of the mails to an address, oldest first. */
const linksTo = (mails: Awaited<ReturnType<typeof mailsIn>>, email: string): string[] =>
  mails
    .filter(({ destination }) => destination.to.includes(email))
    .flatMap(({ body }) => /https?:\S+\/sign-in\/\S+/.exec(body.text ?? '')?.[0] ?? []);

/** What is slotted into a dialog is not inside the element with its role. */
const dialogOf = (page: Page) => page.locator('wa-dialog[open]');

const stored = (page: Page): Promise<string> =>
  page.evaluate(
    '(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await caches.keys(), await ' +
      'indexedDB.databases()]))()',
  );

describe('signing in', () => {
  it('works through the link in a mail, which then disappears from the address, and survives a reload', async () => {
    const { body } = await api('GET', '/admin/users/me/');
    const [{ email, name }] = body.users;
    await visitConsole(browser, running, 'light', async (page, complaints) => {
      await page.getByRole('textbox', { name: 'Your email address' }).fill(email);
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByText(`If ${email} belongs to a staff member`).waitFor();
      await openSignInLink(page, await signInLinkOf(running, email));
      await page.getByText(name).waitFor();
      expect(page.url()).not.toContain('sign-in');
      await page.reload();
      await page.getByText(name).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(complaints).toEqual([]);
    });
  });

  it('with a key lasts until the page is reloaded, and the browser stores nothing', async () => {
    await visit('light', async (page) => {
      expect(await stored(page)).toBe('[{},{},[],[]]');
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });

  it('refuses the key of an integration, and says which key is needed', async () => {
    await visitConsole(browser, running, 'light', async (page) => {
      await page.getByText('Sign in with a staff access token').click();
      await page.getByRole('textbox', { name: 'Staff access token' }).fill(running.stack.integrationKey);
      await page.getByRole('button', { name: 'Sign in with the token' }).click();
      await page.getByText('The console needs the token of a staff member').waitFor();
    });
  });

  it('after a session has ended returns to the same view with everything that was typed', async () => {
    const id = await addWebhook('typed');
    const end = (page: Page): Promise<unknown> =>
      page.route('**/admin/**', (route) => route.fulfill({ status: 401, json: { errors: [{ message: 'ended' }] } }));
    const signInAgain = async (page: Page): Promise<void> => {
      await page.getByText('Your session has ended').waitFor();
      await page.unroute('**/admin/**');
      await page.keyboard.press('Escape');
      await page.getByText('Sign in with a staff access token').click();
      await page.getByRole('textbox', { name: 'Staff access token' }).fill(ownerKey());
      await page.keyboard.press('Enter');
      await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    };
    await visit('light', async (page) => {
      await show(page, '#/webhooks/new');
      await page.getByLabel('Target URL').fill('https://example.org/half-typed');
      await end(page);
      await signInAgain(page);
      expect(await page.getByLabel('Target URL').inputValue()).toBe('https://example.org/half-typed');
      page.once('dialog', (dialog) => dialog.accept());
      await show(page, `#/webhooks/${id}/edit`);
      await page.getByLabel('Name', { exact: true }).first().fill('Typed before the end');
      await end(page);
      await signInAgain(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Typed before the end' }).waitFor();
      await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });

  it('continues here if the link in the mail was opened in another tab', async () => {
    const { body } = await api('GET', '/admin/users/me/');
    const [{ email, name }] = body.users;
    const newLink = async (): Promise<string> => {
      const before = linksTo(await mailsIn(running.stack.mailbox), email).length;
      await running.call('POST', '/admin/session/', { body: { sessions: [{ email }] } });
      return eventually('a new link', async () => linksTo(await mailsIn(running.stack.mailbox), email)[before]);
    };
    await visitConsole(browser, running, 'light', async (page) => {
      await openSignInLink(page, await newLink());
      await page.getByText(name).waitFor();
      await show(page, '#/webhooks/new');
      await page.getByLabel('Target URL').fill('https://example.org/half-typed');
      await page.context().clearCookies();
      await page.getByText('Your session has ended').waitFor();
      const other = await page.context().newPage();
      await openSignInLink(other, await newLink());
      await other.getByText(name).waitFor();
      await page.getByText('Your session has ended').waitFor({ state: 'detached' });
      expect(await page.getByLabel('Target URL').inputValue()).toBe('https://example.org/half-typed');
    });
  });

  it('with a key leads back to the same view and keeps the filter of a list', async () => {
    await visit('light', async (page) => {
      await page.route('**/admin/**', (route) =>
        route.fulfill({ status: 401, json: { errors: [{ message: 'ended' }] } }),
      );
      await show(page, '#/deliveries?status=failed');
      await page.getByText('Your session has ended').waitFor();
      await page.unroute('**/admin/**');
      await signInWithKey(page, ownerKey());
      await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
      expect(await page.getByLabel('Status', { exact: false }).first().inputValue()).toBe('failed');
    });
  });
});

describe('the overview', () => {
  it('leads from an empty stage to the first webhook, and then shows problems with an action for each', async () => {
    await visit('light', async (page, complaints) => {
      await page.getByRole('banner').getByText('Masthead on this machine').waitFor();
      const checklist = page.getByRole('region', { name: 'Start here' });
      const next = checklist.locator('[aria-current=step]');
      await next.getByText('Create a webhook').waitFor();
      const id = await addWebhook('switched-off');
      await next.getByText('Publish a test event').waitFor();
      await api('POST', `/admin/webhooks/${id}/disable/`);
      await publish('Waits for the switch');
      await page.getByText('switched-off is disabled').waitFor();
      await page.getByRole('heading', { name: 'One thing needs attention' }).waitFor();
      // What needs attention is above the unfinished first steps.
      const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
      expect(headings.slice(0, 2)).toEqual(['One thing needs attention', 'Start here']);
      await page.getByRole('link', { name: /^Held ?[1-9]/ }).waitFor();
      await page.getByRole('button', { name: 'Recover' }).click();
      const dialog = page.locator('wa-dialog[open]');
      await dialog.getByText('1 delivery is sent again.').waitFor();
      await dialog.getByRole('button', { name: 'Recover' }).click();
      await dialog.getByText('Replay finished').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('Everything works.').waitFor();
      await page
        .locator('.total', { hasText: 'Delivered' })
        .getByText(/^[1-9]\d*$/)
        .waitFor();
      await publish('Arrives');
      await next.getByText('See what was sent').click();
      await page.getByRole('region', { name: 'Newest deliveries' }).getByText('Waits for the switch').first().waitFor();
      await show(page, '#/overview');
      await next.getByText('Verify deliveries in your receiver').click();
      await page.getByText('Verify deliveries in your receiver').waitFor();
      await show(page, '#/overview');
      await next.getByText('Invite a colleague').waitFor();
      const { body } = await api('GET', '/admin/roles/?permissions=assign');
      const invite = { email: 'first@example.org', role_id: body.roles[0].id };
      await api('POST', '/admin/invites/', { invites: [invite] });
      await show(page, '#/webhooks');
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await show(page, '#/overview');
      await page.getByText('Everything works.').waitFor();
      expect(await checklist.count()).toBe(0);
      await page.locator('.chart canvas').waitFor();
      await page.getByRole('link', { name: 'Week' }).click();
      expect(new URL(page.url()).hash).toBe('#/overview?period=week');
      await page.getByText('As a table').click();
      await page.getByRole('columnheader', { name: 'Delivered' }).waitFor();
      expect(complaints).toEqual([]);
    });
  });
});

describe('a test event', () => {
  it('is published from the first steps, and arrives', async () => {
    await visit('phone', async (page) => {
      const { body } = await api('GET', '/admin/integrations/?include=webhooks');
      for (const { id } of body.integrations.flatMap(({ webhooks }: { webhooks: { id: string }[] }) => webhooks))
        await api('DELETE', `/admin/webhooks/${id}/`);
      const id = await addWebhook('first');
      await show(page, '#/overview');
      await page.getByRole('button', { name: 'Publish post.published' }).click();
      await page.getByText('An example of post.published is published.').waitFor();
      await eventually('the delivery', async () => {
        const { deliveries } = (await api('GET', `/admin/webhooks/${id}/deliveries/?status=delivered`)).body;
        return deliveries[0];
      });
      expect(await overflow(page)).toBe(0);
      await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });
});

describe('a webhook', () => {
  it('is created for post.published unless another event is picked, from a list of usual ones first', async () => {
    await visit('phone', async (page) => {
      await show(page, '#/webhooks/new');
      const first = page.getByRole('group', { name: 'Often used' }).getByRole('checkbox').first();
      expect(await first.isChecked()).toBe(true);
      await page.getByRole('button', { name: 'All other events' }).click();
      const events = await page.evaluate<string[]>(
        "[...document.querySelectorAll('input[name=event]')].map(({ value }) => value)",
      );
      expect(events.slice(0, 2)).toEqual(['post.published', 'site.changed']);
      const patterns = ['post.*', 'page.*', 'tag.*', 'member.*', '*'];
      expect(events.toSorted()).toEqual([...commonEvents, ...patterns].toSorted());
      expect(await overflow(page)).toBe(0);
      await page.getByLabel('Target URL').fill(`${running.stack.receiver}/usual`);
      await page.getByLabel('Search events').fill('tag.added');
      await expect.poll(() => page.locator('input[name=event]').count()).toBe(1);
      await page.getByText('Chosen: post.published').waitFor();
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.locator('.facts code', { hasText: 'post.published' }).waitFor();
    });
  });

  it('is created in German with a secret that nobody leaves unasked, and its first ping is delivered', async () => {
    await visit('narrow', async (page, complaints) => {
      const questions: string[] = [];
      page.on('dialog', async (dialog) => {
        questions.push(dialog.message());
        await (questions.length === 1 ? dialog.dismiss() : dialog.accept());
      });
      await page.getByRole('button', { name: 'Language and colours' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Deutsch' }).click();
      await show(page, '#/webhooks/new');
      await page.getByLabel('Ziel-URL').fill(`${running.stack.receiver}/neu`);
      await page.getByRole('group', { name: 'Häufig verwendet' }).getByRole('checkbox', { checked: true }).uncheck();
      await page.getByLabel('Ereignisse suchen').fill('Schlagwort bekommen');
      await page.getByRole('checkbox', { name: /^post\.tag\.attached/ }).check();
      await page.getByText('"event": "post.tag.attached"').waitFor();
      await page.getByRole('button', { name: 'Webhook anlegen' }).click();
      const secret = await page.locator('.shown-once').textContent();
      expect(secret).toMatch(/^whsec_[\w+/=]{44}$/);
      await page.getByRole('button', { name: 'Ping senden' }).click();
      const delivery = page.getByRole('link', { name: 'Zustellung anzeigen' });
      await delivery.click();
      await expect.poll(() => questions).toEqual([expect.stringContaining('nicht kopiert')]);
      expect(await page.locator('.shown-once').textContent()).toBe(secret);
      await delivery.click();
      await page.getByRole('heading', { level: 1, name: 'webhook.ping' }).waitFor();
      await page.getByText('Zugestellt').waitFor();
      await page.getByRole('heading', { name: 'Versuche' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Ping senden' }).waitFor();
      expect(await page.locator('.shown-once').count()).toBe(0);
      expect(await page.content()).not.toContain(secret);
      expect(await stored(page)).toBe('[{"masthead.language":"de"},{},[],[]]');
      expect(await overflow(page)).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  it('is edited, and an error of the API is shown with its message, help and id', async () => {
    const id = await addWebhook('edited');
    await visit('light', async (page) => {
      await show(page, `#/webhooks/${id}/edit`);
      await page.getByLabel('Target URL').fill(`${running.stack.receiver}/edited-2`);
      await page.getByLabel('Name', { exact: true }).first().fill('Edited twice');
      const errors = [{ message: 'The table is busy.', help: 'Wait a moment.', id: crypto.randomUUID() }];
      await page.route(`**/admin/webhooks/${id}/`, (route) => route.fulfill({ status: 503, json: { errors } }));
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The request failed').waitFor();
      await page.getByText('Wait a moment.').waitFor();
      await page.getByText(/^Error id: [0-9a-f-]{36}$/).waitFor();
      await page.unroute(`**/admin/webhooks/${id}/`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Edited twice' }).waitFor();
    });
  });

  it('is disabled, holds an event, is enabled, and a replay sends the event and shows its progress', async () => {
    const id = await addWebhook('held');
    await visit('light', async (page) => {
      await show(page, `#/webhooks/${id}`);
      await choose(page, 'Disable');
      await dialogOf(page).getByRole('button', { name: 'Disable' }).click();
      await page.getByText('This webhook is disabled').waitFor();
      await publish('Held back');
      await page.getByRole('link', { name: 'One delivery, without success' }).waitFor();
      await page.getByRole('button', { name: 'Enable' }).click();
      await choose(page, 'Replay');
      await page.locator('wa-dialog[open]').getByRole('button', { name: 'Recover' }).click();
      await page.getByText('Replay finished').waitFor();
      await page.getByText('1 checked, 1 sent again').waitFor();
      expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
      await page.getByRole('link', { name: /^Last 2 deliveries/ }).waitFor();
    });
  });

  it('sends again what its receiver did not get, as many as the button says, and shows each in place', async () => {
    const id = await addWebhook('recovers');
    await api('POST', `/admin/webhooks/${id}/disable/`);
    await publish('Held once', 'Held too');
    await visit('light', async (page) => {
      await show(page, `#/webhooks/${id}`);
      const log = page.getByRole('region', { name: 'Newest deliveries' });
      await expect.poll(() => log.getByText('Held', { exact: true }).count()).toBe(2);
      await page.getByText('0% of the newest 2 succeeded').waitFor();
      await page.getByRole('button', { name: 'Enable' }).click();
      await page.getByRole('button', { name: 'Recover what failed (2)' }).click();
      const dialog = dialogOf(page);
      await dialog.getByText('2 deliveries are sent again.').waitFor();
      await dialog.getByRole('button', { name: 'Recover' }).click();
      await dialog.getByText('2 checked, 2 sent again').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await expect.poll(() => log.getByText('Delivered').count()).toBe(2);
      await expect.poll(() => log.getByText('sent again').count()).toBe(2);
      await page.getByRole('button', { name: /^Recover/ }).waitFor({ state: 'detached' });
      await log.getByRole('listitem').filter({ hasText: 'Delivered' }).first().click();
      await log.getByText('Attempt 1').waitFor();
      await log.getByRole('link', { name: 'Show the delivery' }).waitFor();
    });
  });

  it('gets a new secret, which is shown once with the time at which the old one ends', async () => {
    const id = await addWebhook('rotated');
    await visit('dark', async (page) => {
      await show(page, `#/webhooks/${id}`);
      await choose(page, 'Rotate the secret');
      await dialogOf(page).getByRole('button', { name: 'Rotate the secret' }).click();
      await page.getByRole('button', { name: 'Copy the secret' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^whsec_/);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await expect.poll(() => page.locator('.shown-once').count()).toBe(0);
    });
  });

  it('shows how to verify its deliveries in five languages', async () => {
    const id = await addWebhook('verified');
    await visit('light', async (page) => {
      await show(page, `#/webhooks/${id}`);
      await page.getByText('Verify deliveries in your receiver').click();
      const codes = new Set<string>();
      for (const language of ['Node.js', 'Python', 'Go', 'PHP', 'Ruby']) {
        await page.getByRole('combobox', { name: 'Language' }).selectOption(language);
        await page.getByRole('button', { name: 'Copy the code' }).click();
        const code = String(await page.evaluate('navigator.clipboard.readText()'));
        expect(code, language).toMatch(/webhook-signature/i);
        codes.add(code);
      }
      expect(codes.size).toBe(5);
    });
  });

  it('is deleted after a question that says what ends', async () => {
    const id = await addWebhook('deleted');
    await visit('narrow and dark', async (page, complaints) => {
      await show(page, `#/webhooks/${id}`);
      await page.getByRole('link', { name: /^No deliveries yet/ }).waitFor();
      // Between the deletion and its answer, the page has every reason to read the webhook again.
      await page.route(`**/admin/webhooks/${id}/`, async (route) => {
        const response = await route.fetch();
        const directory = page.waitForResponse('**/admin/integrations/?*');
        await page.evaluate("dispatchEvent(new Event('online'))");
        await directory;
        await route.fulfill({ response });
      });
      await choose(page, 'Delete the webhook');
      await dialogOf(page).getByText('deleted receives no further events').waitFor();
      await dialogOf(page).getByRole('button', { name: 'Delete the webhook' }).click();
      await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
      await expect.poll(() => page.getByRole('link', { name: 'deleted', exact: true }).count()).toBe(0);
      expect(complaints).toEqual([]);
    });
  });
});

describe('the list of deliveries', () => {
  it('shows new deliveries without a reload, and opens one with attempts, request and response', async () => {
    const id = await addWebhook('live');
    await visit('light', async (page, complaints) => {
      await show(page, `#/deliveries?webhook=${id}`);
      await page.getByText('No delivery matches the filters').waitFor();
      const [event = ''] = await publish('Seen at once');
      const row = page.getByRole('row').filter({ hasText: 'post.published' });
      await row.getByText('Delivered').waitFor();
      await row.getByRole('link').click();
      await page.getByText('Attempt 1').waitFor();
      await page.getByText('"title": "Seen at once"').waitFor();
      await page.getByText('webhook-id').waitFor();
      await page.getByRole('link', { name: event }).waitFor();
      expect(await stored(page)).toBe('[{},{},[],[]]');
      expect(complaints).toEqual([]);
    });
  });

  it('finds the id of an event, a delivery or a webhook, and what has happened by its words', async () => {
    const id = await addWebhook('found');
    const [event = ''] = await publish('Found');
    await visit('light', async (page) => {
      const find = async (text: string): Promise<void> => {
        await show(page, '#/deliveries');
        await page.getByRole('searchbox', { name: /^What happened/ }).fill(text);
        await page.getByRole('button', { name: 'Find' }).click();
      };
      await find(event);
      await page.waitForURL(`**/#/deliveries?event_id=${event}`);
      await page.getByRole('row').nth(1).waitFor();
      await find(id);
      await page.waitForURL(`**/#/deliveries?webhook=${id}`);
      const { body } = await api('GET', `/admin/deliveries/?webhook_id=${id}`);
      await find(body.deliveries[0].id);
      await page.getByRole('heading', { name: 'post.published' }).waitFor();
      await find('found nowhere');
      await page.getByText('No delivery matches the filters').waitFor();
      await find('FOUND');
      await page.getByRole('row').filter({ hasText: 'Post published: Found' }).first().waitFor();
    });
  });

  it('sends selected deliveries again', async () => {
    const id = await addWebhook('again');
    await publish('One', 'Two', 'Three');
    await visit('phone', async (page) => {
      await show(page, `#/deliveries?webhook=${id}`);
      await expect.poll(() => page.getByText('Delivered').count()).toBeGreaterThan(3);
      await page.getByRole('checkbox').nth(0).check();
      await page.getByRole('checkbox').nth(2).check();
      await page.getByRole('button', { name: 'Redeliver' }).click();
      await page.getByText('2 will be redelivered').waitFor();
      await expect.poll(() => page.getByText('Redelivery').count()).toBe(2);
      expect(await overflow(page)).toBe(0);
    });
  });

  it('keeps its filters in an address that opens the same list', async () => {
    await visit('light', async (page) => {
      await show(page, '#/deliveries');
      await page.getByRole('combobox', { name: 'Status' }).selectOption('delivered');
      await page.getByLabel('From').fill('2026-01-01 00:00');
      await page.keyboard.press('Enter');
      const address = '#/deliveries?status=delivered&since=2026-01-01+00%3A00';
      await expect.poll(() => new URL(page.url()).hash).toBe(address);
      await show(page, '#/webhooks');
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      const request = page.waitForRequest('**/admin/deliveries/?*');
      await show(page, address);
      expect(new URL((await request).url()).search).toContain('status=delivered&since=2025-12-31T23%3A00%3A00.000Z');
    });
  });

  it('stays on the page while the connection is lost, and continues by itself afterwards', async () => {
    await visit('light', async (page) => {
      await show(page, '#/deliveries');
      await page.getByRole('row').nth(1).waitFor();
      await page.context().setOffline(true);
      await page.getByText('No connection').waitFor();
      expect(await page.getByRole('row').count()).toBeGreaterThan(1);
      await page.context().setOffline(false);
      await page.getByText('No connection').waitFor({ state: 'detached' });
    });
  });

  it('keeps the focus on a row even if newer deliveries arrive or the row is scrolled out of view', async () => {
    await visit('light', async (page) => {
      const addNewer = await serveManyDeliveries(page);
      await show(page, '#/deliveries');
      const table = page.getByRole('table');
      const rowAt = (index: number) => page.locator(`[role=row][aria-rowindex="${index + 2}"]`);
      const focused = (): Promise<unknown> => page.evaluate('document.activeElement.hash');
      await rowAt(3).getByRole('link').focus();
      const address = await focused();
      addNewer(2);
      await rowAt(5)
        .and(page.locator(`:has(a[href="${address}"])`))
        .waitFor();
      expect(await focused()).toBe(address);
      await table.evaluate((element) => element.scrollTo(0, 80 * 44));
      await rowAt(80).waitFor();
      expect(await focused()).toBe(address);
      await page.keyboard.press('Tab');
      expect(await focused()).not.toBe(address);
    });
  });

  it('does not move while somebody reads older deliveries and newer ones arrive', async () => {
    await visit('light', async (page) => {
      const addNewer = await serveManyDeliveries(page);
      await show(page, '#/deliveries');
      const table = page.getByRole('table');
      await table.evaluate((element) => element.scrollTo(0, 50 * 44));
      const read = page.locator('[role=row]:has(a[href$="/000000000000000000ffffcd"])');
      const top = async () => (await read.boundingBox())?.y;
      await read.waitFor();
      const before = await top();
      addNewer(3);
      await read.and(page.locator('[aria-rowindex="55"]')).waitFor();
      await expect.poll(top).toBe(before);
    });
  });

  it('scrolls through 10,000 rows with a constant number of elements, and removes those out of view', async () => {
    await visit('light', async (page) => {
      await serveManyDeliveries(page);
      await show(page, '#/deliveries');
      const table = page.getByRole('table');
      await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('10001');
      const rows = async (): Promise<number> => page.getByRole('row').count();
      const first = await rows();
      expect(first).toBeLessThan(80);
      for (const index of [5000, 9990, 0]) {
        await table.evaluate((element, top) => element.scrollTo(0, top), index * 44);
        await page
          .getByRole('row')
          .and(page.locator(`[aria-rowindex="${index + 2}"]`))
          .waitFor();
        expect(await rows()).toBe(first);
      }
      const session = await page.context().newCDPSession(page);
      const heapMib = async (): Promise<number> => {
        await session.send('HeapProfiler.collectGarbage');
        return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
      };
      await page.evaluate(scrollBySteps);
      const before = await heapMib();
      await page.evaluate(scrollBySteps);
      // Remembering a hundred windows of rows would take more than two.
      await expect.poll(heapMib).toBeLessThan(before + 1);
    });
  });
});

/** Shows six other rows in each of a hundred frames. */
const scrollBySteps = `(async () => {
  const table = document.querySelector('[role=table]');
  for (let step = 0; step < 100; step++) {
    table.scrollTop = step * 264;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
})()`;

describe('the console', () => {
  it('works without the slash at the end of its address', async () => {
    await inView(browser, 'light', async (page) => {
      await page.goto(`${running.stack.baseUrl}/console`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });

  it('allows every action on webhooks and deliveries with the keyboard alone, from sign-in to sign-out', async () => {
    await visitConsole(browser, running, 'light', async (page, complaints) => {
      const { focused, press, type, close, pick, choose: chooseFrom } = keyboardOf(page);
      const heading = (name: string): Promise<void> => page.getByRole('heading', { name, level: 1 }).waitFor();
      await heading('Sign in');
      await press('Sign in with a staff access token');
      await type('Staff access token', ownerKey());
      await page.keyboard.press('Enter');
      await heading('Overview');
      await chooseFrom('Language and colours', 'Deutsch');
      await heading('Übersicht');
      await chooseFrom('Sprache und Darstellung', 'English');
      await heading('Overview');
      await chooseFrom('Language and colours', 'Dark');
      await press('Week');
      await page.waitForURL('**/#/overview?period=week');

      await press('Webhooks');
      await press('Create a webhook');
      await heading('Create a webhook');
      expect(await page.evaluate('document.activeElement.id')).toBe('content');
      await type('Target URL', `${running.stack.receiver}/keys`);
      await press(/^post\.publishedA post/, 'Space');
      await type('Search events', 'post.tag.attached');
      await press(/^post\.tag\.attached/, 'Space');
      await type('Name', 'Keys');
      await press('Create webhook');
      await press('I have copied it');
      await press('Send a ping');
      await press('Show the delivery');
      await page.getByText('Attempt 1').waitFor();
      await press('Redeliver');
      await page.getByText('1 will be redelivered').waitFor();

      await press('Webhooks');
      await press('Keys');
      await press('Edit');
      await heading('Edit the webhook');
      await type('Name', 'Keys only');
      await press('Save');
      await heading('Keys only');
      await pick('Actions: Keys only', 'Rotate the secret');
      await page.keyboard.press('Escape');
      await page.locator('wa-dialog').waitFor({ state: 'detached' });
      await expect.poll(focused).toBe('Actions: Keys only');
      await pick('Actions: Keys only', 'Rotate the secret');
      await close('Rotate the secret');
      await press('Copy the secret');
      await press('I have copied it');
      await pick('Actions: Keys only', 'Disable');
      await close('Disable');
      await page.getByText('This webhook is disabled').waitFor();
      await api('POST', '/admin/events/', {
        events: [1, 2].map(() => ({ event: 'post.tag.attached', payload: { post: { current: {}, previous: {} } } })),
      });
      await page.getByRole('link', { name: /^Last 4 deliveries, 2 of them without success/ }).waitFor();
      await press('Enable');
      await page.getByText('This webhook is disabled').waitFor({ state: 'detached' });
      await pick('Actions: Keys only', 'Replay');
      await press('Recover');
      await page.getByText('100 %: 4 checked, 2 sent again').waitFor();
      await close('Close');

      await press('Show all its deliveries');
      await heading('Deliveries');
      await type('Status', 'Delivered');
      await page.waitForURL('**status=delivered**');
      await page.getByRole('row').nth(2).waitFor();
      await press(/^Select post/, 'Space');
      await page.getByText('1 selected').waitFor();
      await page.keyboard.press('Tab');
      await press(/^Select post/, 'Space');
      await page.getByText('2 selected').waitFor();
      await press('Redeliver');
      await page.getByText('2 will be redelivered').waitFor();
      await press('Clear filters');

      await press('Webhooks');
      await press('Keys only');
      await pick('Actions: Keys only', 'Delete the webhook');
      await close('Delete the webhook');
      await heading('Webhooks');
      await press('Sign out');
      await heading('Sign in');
      expect(complaints).toEqual([]);
    });
  });

  it('explains an address that leads nowhere, and a webhook that was deleted', async () => {
    await visit('light', async (page) => {
      await show(page, '#/nothing');
      await page.getByRole('heading', { name: 'Unknown address' }).waitFor();
      await show(page, `#/webhooks/${'f'.repeat(24)}`);
      await page.getByRole('heading', { name: 'No webhook has this id' }).waitFor();
    });
  });
});
