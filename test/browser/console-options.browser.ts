/** The form of a webhook in the console: services, events, mistakes, secrets, headers, preview, and trying a filter. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { axeViolations, overflow, type View } from './browser.ts';
import { type Complaints, show, visitSignedIn } from './console.ts';
import { keyboardOf } from './keyboard.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();
const api = (method: string, path: string, body?: object) =>
  running.call(method, path, { key: running.stack.adminKey, body });
let integration: string;
beforeAll(async () => {
  const { body } = await api('GET', '/admin/integrations/');
  integration = body.integrations[0].id;
});

const addWebhook = async (name: string, options?: object): Promise<string> => {
  const target_url = `${running.stack.receiver}/${name}`;
  const item = { event: 'post.published', name, target_url, integration_id: integration, ...(options && { options }) };
  return (await api('POST', '/admin/webhooks/', { webhooks: [item] })).body.webhooks[0].id;
};
const publish = (event: string, current: object) =>
  api('POST', '/admin/events/', {
    events: [{ event, payload: { [event.split('.', 1)[0] ?? '']: { current, previous: {} } } }],
  });
const storedOptions = async (id: string) => (await api('GET', `/admin/webhooks/${id}/options/`)).body.options[0];

const visit = (
  view: View,
  look: (page: Page, complaints: Complaints) => Promise<void>,
  locale = 'en-GB',
  options: BrowserContextOptions = {},
): Promise<void> => visitSignedIn(browser, running, view, look, { locale, ...options });

/** The keystroke-level model of Card, Moran and Newell: seconds per decision, click and character; URLs are pasted. */
const human = { decision: 1.35, click: 1.1, pasted: 0.56 };

/** Examples of use: what is entered, and what arrives. The receiver has the services' paths, but not their names. */
const runs = [
  {
    what: 'a message for Slack',
    event: 'post.published',
    path: 'services/T000/B000/XXXX',
    format: 'Slack',
    secret: undefined,
    arrives: 'Post published: Winter',
  },
  {
    what: 'a dispatch for GitHub',
    event: 'site.changed',
    path: 'repos/ada/blog/dispatches',
    format: undefined,
    secret: ['Token', 'github_pat_hunter2'],
    arrives: '"event_type":"site.changed"',
  },
  {
    what: 'a deploy hook',
    event: 'site.changed',
    path: 'build_hooks/5c23',
    format: 'Deploy hook',
    secret: undefined,
    arrives: '',
  },
  {
    what: 'a document for Meilisearch',
    event: 'post.published',
    path: 'indexes/posts/documents',
    format: undefined,
    secret: ['API key', 'hunter3'],
    arrives: '"title":"Winter"',
  },
] as const;

describe('a webhook for a service', () => {
  it.each(runs)('is created in less than a minute: $what', async ({ event, path, format, secret, arrives }) => {
    let seconds = 0;
    const step = async (act: () => Promise<unknown>, more = 0): Promise<void> => {
      await act();
      seconds += human.decision + human.click + more;
    };
    await visit('light', async (page, complaints) => {
      await show(page, '#/webhooks/new');
      const target = `${running.stack.receiver}/${path}`;
      await step(() => page.getByLabel('Target URL').fill(target), human.pasted);
      if (format !== undefined) {
        await step(() => page.getByRole('button', { name: 'Change' }).click());
        await step(() => page.getByRole('combobox', { name: /^Format/ }).selectOption(format), human.click);
      }
      if (format === 'Deploy hook') await step(() => page.getByRole('textbox', { name: /^Send once/ }).fill('1'));
      if (secret !== undefined) await step(() => page.getByLabel(secret[0]).fill(secret[1]), human.pasted);
      await page.getByText(`POST ${target}`).waitFor();
      await step(() => page.getByRole('button', { name: 'Create webhook' }).click());
      const isIndex = path.startsWith('indexes/');
      await page.getByText(isIndex ? 'A ping sends an empty list' : 'Send it, and see it arrive').waitFor();
      await step(() => page.getByRole('button', { name: isIndex ? 'Send a ping' : 'Send an example' }).click());
      await page.getByText('answered with HTTP 200').waitFor();
      expect(seconds).toBeLessThan(60);
      const id = new URL(page.url()).hash.split('/')[2] ?? '';
      const current = { id: 'a1', title: 'Winter', visibility: 'public' };
      const payload = event === 'site.changed' ? {} : { post: { current, previous: {} } };
      await api('POST', '/admin/events/', { events: [{ event, payload }] });
      const delivery = await eventually('the delivery of the event', async () => {
        const { body } = await api('GET', `/admin/webhooks/${id}/deliveries/?status=delivered`);
        return body.deliveries.find(({ trigger }: { trigger: string }) => trigger === 'event')?.id;
      });
      const { request } = (await api('GET', `/admin/webhooks/${id}/deliveries/${delivery}/`)).body.deliveries[0];
      if (arrives === '') expect(request.body).toBe('');
      else expect(request.body).toContain(arrives);
      for (const text of [await page.content(), JSON.stringify(request)]) expect(text).not.toMatch(/hunter/);
      expect(complaints).toEqual([]);
      await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });

  it('has the format, the events and the fields of the pasted address, until somebody changes them', async () => {
    await visit('light', async (page) => {
      await show(page, '#/webhooks/new');
      const target = page.getByLabel('Target URL');
      await target.fill('https://hooks.slack.com/services/T000/B000/XXXX');
      await page.getByText('Sends Slack messages.').waitFor();
      await page.getByText('"text": "Post published').waitFor();
      expect(await page.getByLabel('Sign deliveries').count()).toBe(0);
      await target.fill('https://api.netlify.com/build_hooks/5c23');
      await page.getByText('Starts a deployment.').waitFor();
      expect(await page.getByRole('textbox', { name: /^Send once/ }).inputValue()).toBe('60');
      await page.getByText('Sent once, 60 s after the last change.').waitFor();
      expect(await page.getByLabel('site.changed').isChecked()).toBe(true);
      expect(await page.getByLabel('post.published', { exact: false }).first().isChecked()).toBe(false);
      await target.fill('https://abc123.algolia.net/1/indexes/posts/batch');
      await page.getByText('Keeps an Algolia index in sync.').waitFor();
      expect(await page.getByLabel('Application ID').inputValue()).toBe('ABC123');
      await page.getByRole('group', { name: 'Events that an index can follow' }).waitFor();
      await target.fill(`${running.stack.receiver}/mine`);
      await page.getByText('Sends the event as JSON').waitFor();
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByRole('combobox', { name: /^Format/ }).selectOption('Discord');
      await target.fill('https://hooks.slack.com/services/T000/B000/XXXX');
      expect(await page.getByRole('combobox', { name: /^Format/ }).inputValue()).toBe('discord');
    });
  });
});

describe('the form of a webhook', () => {
  it('shows what is missing and what the API refuses at the field, in German at 320 px', async () => {
    await visit(
      'narrow and dark',
      async (page) => {
        await show(page, '#/webhooks/new');
        const target = page.getByLabel('Ziel-URL');
        const create = (): Promise<void> => page.getByRole('button', { name: 'Webhook anlegen' }).click();
        await create();
        await page.getByText('Ziel-URL fehlt.').waitFor();
        await expect.poll(() => page.evaluate('document.activeElement.labels?.[0]?.textContent')).toContain('Ziel-URL');
        await target.fill('half a URL');
        await page.getByText('Das ist keine vollständige URL').waitFor();
        await target.fill('https://10.0.0.1/hook');
        await page.getByRole('checkbox', { name: /^post\.published Ein/ }).uncheck();
        await create();
        await page.getByText('Wählen Sie mindestens ein Ereignis.').waitFor();
        await page.getByRole('checkbox', { name: /^post\.\*/ }).check();
        await create();
        await page.getByText('Dieser Server ist nicht öffentlich erreichbar.').waitFor();
        expect(await target.getAttribute('aria-invalid')).toBe('true');
        expect(await overflow(page)).toBe(0);
        expect(await axeViolations(page)).toEqual([]);
      },
      'de-DE',
      { bypassCSP: true },
    );
  });

  it('asks before it loses what was typed, by a link, the history or signing out', async () => {
    await visit('light', async (page) => {
      const questions: string[] = [];
      let answer = false;
      page.on('dialog', async (dialog) => {
        questions.push(dialog.message());
        await (answer ? dialog.accept() : dialog.dismiss());
      });
      await show(page, '#/webhooks');
      await page.getByRole('link', { name: 'Create a webhook' }).or(page.getByText('Create a webhook')).first().click();
      await page.getByLabel('Target URL').fill('https://example.org/typed');
      await page.getByRole('link', { name: 'Deliveries' }).click();
      await expect.poll(() => questions.length).toBe(1);
      await page.goBack();
      await expect.poll(() => questions.length).toBe(2);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect.poll(() => questions.length).toBe(3);
      expect(await page.getByLabel('Target URL').inputValue()).toBe('https://example.org/typed');
      expect(new Set(questions)).toEqual(new Set(['What you typed is not saved. Leave this page?']));
      answer = true;
      await page.getByRole('link', { name: 'Deliveries' }).click();
      await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    });
  });

  it('ticks several events and patterns, and points out a webhook that sends the same to the same target', async () => {
    const id = await addWebhook('twice');
    await visit('light', async (page) => {
      await show(page, '#/webhooks/new');
      await page.getByLabel('Target URL').fill(`${running.stack.receiver}/twice`);
      await page.getByRole('link', { name: 'twice' }).waitFor();
      await page.getByText('Each of them arrives twice.').waitFor();
      await page.getByRole('checkbox', { name: /^post\.\*/ }).check();
      await page.getByRole('checkbox', { name: /^site\.changed/ }).check();
      const included = page.getByRole('checkbox', { name: /^post\.deleted/ });
      expect([await included.isChecked(), await included.isDisabled()]).toEqual([true, true]);
      await page.getByText('Chosen: post.* site.changed').or(page.getByText('Chosen:')).first().waitFor();
      await page.getByLabel('Name').last().fill('all of a post');
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.getByRole('heading', { name: 'all of a post' }).waitFor();
      const { body } = await api('GET', `/admin/integrations/${integration}/?include=webhooks`);
      const { webhooks } = body.integrations[0];
      const created = webhooks.find(({ name }: { name: string }) => name === 'all of a post');
      expect(created.event).toBe('post.*,site.changed');
      for (const webhook of [id, created.id]) await api('DELETE', `/admin/webhooks/${webhook}/`);
    });
  });

  it('shows a live preview and tries a filter on the newest events, in German at 320 px', async () => {
    const id = await addWebhook('probe', { filter: { post: { current: { title: [{ prefix: 'Neu' }] } } } });
    for (const title of ['Neues vom Tage', 'Sport', 'Rezepte']) await publish('post.published', { title });
    await expect.poll(async () => (await storedOptions(id)).left_out).toBe(2);
    await visit(
      'narrow and dark',
      async (page, complaints) => {
        await show(page, `#/webhooks/${id}`);
        await page.getByText('bisher herausgefiltert: 2').waitFor();
        await page
          .getByRole('button', { name: 'Bearbeiten' })
          .or(page.getByRole('link', { name: 'Bearbeiten' }))
          .click();
        await page.getByRole('heading', { name: 'Webhook bearbeiten' }).waitFor();
        await page.getByText('1 von 3 Ereignissen wird durchgelassen.').waitFor();
        expect(await page.getByText('vom aktuellen Filter herausgefiltert').count()).toBe(2);
        await page.getByLabel('Filter', { exact: true }).fill('{"post":');
        await page.getByText('Das ist noch kein gültiges JSON.').first().waitFor();
        const filter = { post: { current: { title: [{ prefix: 'S' }, { prefix: 'R' }] } } };
        await page.getByLabel('Filter', { exact: true }).fill(JSON.stringify(filter));
        await page.getByText('2 von 3 Ereignissen werden durchgelassen.').waitFor();
        await page.getByRole('button', { name: 'Ändern' }).click();
        await page.getByRole('combobox', { name: 'Format' }).selectOption('Slack');
        await page.getByRole('combobox', { name: 'Ereignis' }).selectOption('Post published: Sport');
        await page.getByText('"text": "Post published: Sport"').waitFor();
        await page.getByText('Der Filter lässt dieses Ereignis durch.').waitFor();
        await page.getByRole('combobox', { name: 'Ereignis' }).selectOption('Ein Beispiel');
        await page.getByText('Der Filter lässt dieses Ereignis nicht durch').waitFor();
        expect(await overflow(page)).toBe(0);
        await page.getByRole('button', { name: 'Speichern' }).click();
        await page.getByRole('heading', { name: 'probe' }).waitFor();
        expect(await storedOptions(id)).toMatchObject({ format: { type: 'slack' }, filter });
        expect(complaints.filter((text) => !/status of 422/.test(text))).toEqual([]);
      },
      'de-DE',
    );
  });

  it('shows no stored secret, keeps it if its field is left empty, and replaces it otherwise', async () => {
    const id = await addWebhook('secrets', {
      format: { type: 'template', template: { text: '{{post.current.title}}' } },
      headers: { Authorization: 'Bearer hunter2', 'X-Team': 'hunter3' },
    });
    await visit('light', async (page) => {
      await show(page, `#/webhooks/${id}/edit`);
      await page.getByText('A value is stored. Leave this empty to keep it.').first().waitFor();
      expect(await page.getByLabel('Template').inputValue()).toContain('{{post.current.title}}');
      expect(await page.content()).not.toMatch(/hunter/);
      await page.getByRole('button', { name: 'Remove X-Team' }).click();
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByLabel('Name', { exact: true }).last().fill('X-Desk');
      await page.getByLabel('Value').last().fill('news');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Authorization, X-Desk').waitFor();
    });
    expect((await storedOptions(id)).headers).toEqual({ Authorization: null, 'X-Desk': null });
  });

  it('asks for the secrets again when the target changes, in German at 320 px', async () => {
    const headers = { Authorization: 'Bearer hunter2' };
    const id = await addWebhook('repos/ada/moved/dispatches', {
      format: { type: 'github', token: 'hunter3' },
      headers,
    });
    const moved = `${running.stack.receiver.replace('127.0.0.1', 'localhost')}/repos/ada/moved/dispatches`;
    await visit(
      'narrow and dark',
      async (page) => {
        await show(page, `#/webhooks/${id}/edit`);
        await page.getByLabel('Ziel-URL').fill(moved);
        await page.getByText('Gespeicherte Secrets werden nie an ein anderes Ziel gesendet.').waitFor();
        await page.getByLabel('Token').fill('hunter4');
        await page.getByRole('button', { name: 'Speichern' }).click();
        await page.getByText('Authorization fehlt.').waitFor();
        await page.getByLabel('Wert').fill('Bearer hunter5');
        expect(await overflow(page)).toBe(0);
        await page.getByRole('button', { name: 'Speichern' }).click();
        await page.getByText(moved).first().waitFor();
      },
      'de-DE',
    );
    expect(await storedOptions(id)).toMatchObject({ headers: { Authorization: null }, format: { type: 'github' } });
  });

  it('shows at the format why it does not fit, and keeps what was typed', async () => {
    const id = await addWebhook('refused');
    await visit('dark', async (page) => {
      await show(page, `#/webhooks/${id}/edit`);
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByRole('combobox', { name: /^Format/ }).selectOption('GitHub Actions');
      await page.getByLabel('Token').fill('github_pat_1');
      await page.getByText('needs a target_url such as').first().waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('combobox', { name: /^Format/, includeHidden: false }).waitFor();
      await expect.poll(() => page.locator('select[aria-invalid=true]').count()).toBe(1);
      expect(await page.getByLabel('Token').inputValue()).toBe('github_pat_1');
    });
  });

  it('keeps a pause and a limit of requests, and says at the field that one is no number', async () => {
    const id = await addWebhook('paced');
    await visit('phone', async (page) => {
      await show(page, `#/webhooks/${id}/edit`);
      await page.getByText('More: headers, filter, pace, description').click();
      const pause = page.getByRole('textbox', { name: /^Send once/ });
      await pause.fill('soon');
      await page.getByRole('textbox', { name: 'Requests' }).fill('30');
      await page.getByRole('combobox', { name: 'In each' }).selectOption('a minute');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => pause.getAttribute('aria-invalid')).toBe('true');
      await pause.fill('60');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Sent once, 60 s after the last change.').waitFor();
      await page.getByText('30 a minute').waitFor();
      expect(await overflow(page)).toBe(0);
    });
    expect(await storedOptions(id)).toMatchObject({
      debounce: { seconds: 60, max_seconds: 600, per: 'webhook' },
      throttle: { requests: 30, per: 'minute' },
    });
  });

  it('works with the keyboard alone', async () => {
    const id = await addWebhook('by-key');
    await visit('light', async (page) => {
      await show(page, `#/webhooks/${id}`);
      const keyboard = keyboardOf(page);
      await keyboard.press('Edit');
      await keyboard.press('Change');
      await keyboard.type('Format', 'Discord');
      await keyboard.press('More: headers, filter, pace, description');
      await keyboard.press('Add a header');
      await keyboard.type('Name', 'X-Team');
      await keyboard.type('Value', 'news');
      await keyboard.press('Insert an example');
      await page.getByText('Without').or(page.getByText('This webhook has had no events yet.')).first().waitFor();
      await keyboard.press('Save');
      await page.getByRole('heading', { name: 'by-key' }).waitFor();
    });
    expect(await storedOptions(id)).toMatchObject({
      format: { type: 'discord' },
      headers: { 'X-Team': null },
      filter: { post: { current: { visibility: ['public'] } } },
    });
  });
});
