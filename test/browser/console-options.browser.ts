/** The form for a webhook's options in the console: formats, secrets, headers, the live preview, and trying a filter. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { overflow, type View } from './browser.ts';
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
): Promise<void> => visitSignedIn(browser, running, view, look, { locale });

/** The keystroke-level model of Card, Moran and Newell: seconds for a decision, a click and a typed character; a URL or a key is pasted. */
const human = { decision: 1.35, click: 1.1, pasted: 0.56 };

/** The examples of use of the product: what is entered, and what arrives. */
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
    event: 'post.published',
    path: 'repos/ada/blog/dispatches',
    format: 'GitHub Actions',
    secret: ['Token', 'github_pat_hunter2'],
    arrives: '"event_type":"post.published"',
  },
  {
    what: 'a deploy hook',
    event: 'post.published',
    path: 'build_hooks/5c23',
    format: 'Deploy hook',
    secret: undefined,
    arrives: '',
  },
  {
    what: 'a document for Meilisearch',
    event: 'post.published',
    path: 'indexes/posts/documents',
    format: 'Meilisearch',
    secret: ['API key', 'hunter3'],
    arrives: '"title":"Winter"',
  },
] as const;

describe('a webhook with a format', () => {
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
      await step(() => page.getByRole('radio', { name: event, exact: false }).first().check());
      await step(() => page.getByText('Format, headers and filter').click());
      await step(() => page.getByRole('combobox', { name: /^Format/ }).selectOption(format), human.click);
      if (secret !== undefined) await step(() => page.getByLabel(secret[0]).fill(secret[1]), human.pasted);
      await page.getByText('The filter lets this event through.').waitFor();
      await step(() => page.getByRole('button', { name: 'Create webhook' }).click());
      await page.waitForURL(/#\/webhooks\/[0-9a-f]{24}/);
      expect(seconds).toBeLessThan(60);
      const id = new URL(page.url()).hash.split('/')[2] ?? '';
      await publish(event, { id: 'a1', title: 'Winter', visibility: 'public' });
      await page.getByRole('link', { name: 'One delivery', exact: true }).waitFor();
      const { body } = await api('GET', `/admin/webhooks/${id}/deliveries/`);
      const [{ id: delivery }] = body.deliveries;
      const { request } = (await api('GET', `/admin/webhooks/${id}/deliveries/${delivery}/`)).body.deliveries[0];
      if (arrives === '') expect(request.body).toBe('');
      else expect(request.body).toContain(arrives);
      for (const text of [await page.content(), JSON.stringify(request)]) expect(text).not.toMatch(/hunter/);
      expect(complaints).toEqual([]);
      await api('DELETE', `/admin/webhooks/${id}/`);
    });
  });
});

describe('the form for the options of a webhook', () => {
  it('shows a live preview and tries a filter on the newest events, in German at 320 px', async () => {
    const id = await addWebhook('probe', { filter: { post: { current: { title: [{ prefix: 'Neu' }] } } } });
    for (const title of ['Neues vom Tage', 'Sport', 'Rezepte']) await publish('post.published', { title });
    await expect.poll(async () => (await storedOptions(id)).left_out).toBe(2);
    await visit(
      'narrow and dark',
      async (page, complaints) => {
        await show(page, `#/webhooks/${id}`);
        await page.getByText('bisher herausgefiltert: 2').waitFor();
        await page.getByRole('link', { name: 'Format und Filter' }).click();
        await page.getByRole('heading', { name: 'Format, Header und Filter' }).waitFor();
        await page.getByText('1 von 3 Ereignissen wird durchgelassen.').waitFor();
        expect(await page.getByText('vom aktuellen Filter herausgefiltert').count()).toBe(2);
        await page.getByLabel('Filter', { exact: true }).fill('{"post":');
        await page.getByText('Das ist noch kein gültiges JSON.').first().waitFor();
        const filter = { post: { current: { title: [{ prefix: 'S' }, { prefix: 'R' }] } } };
        await page.getByLabel('Filter', { exact: true }).fill(JSON.stringify(filter));
        await page.getByText('2 von 3 Ereignissen werden durchgelassen.').waitFor();
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
      await show(page, `#/webhooks/${id}/options`);
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
        await show(page, `#/webhooks/${id}`);
        await page.getByRole('button', { name: 'Bearbeiten' }).click();
        await page.getByLabel('Ziel-URL').fill(moved);
        await page.getByText('Gespeicherte Secrets werden nie an ein anderes Ziel gesendet.').waitFor();
        await page.getByLabel('Token').fill('hunter4');
        await page.getByLabel('Authorization').fill('Bearer hunter5');
        expect(await overflow(page)).toBe(0);
        await page.getByRole('button', { name: 'Speichern' }).click();
        await page.getByText(moved).first().waitFor();
      },
      'de-DE',
    );
    expect(await storedOptions(id)).toMatchObject({ headers: { Authorization: null }, format: { type: 'github' } });
  });

  it('shows an error of the API, and keeps what was typed', async () => {
    const id = await addWebhook('refused');
    await visit('dark', async (page) => {
      await show(page, `#/webhooks/${id}/options`);
      await page.getByRole('combobox', { name: /^Format/ }).selectOption('GitHub Actions');
      await page.getByLabel('Token').fill('github_pat_1');
      await page.getByText('needs a target_url such as').first().waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The request failed').waitFor();
      expect(await page.getByLabel('Token').inputValue()).toBe('github_pat_1');
    });
  });

  it('works with the keyboard alone', async () => {
    const id = await addWebhook('by-key');
    await visit('light', async (page) => {
      await show(page, `#/webhooks/${id}`);
      const keyboard = keyboardOf(page);
      await keyboard.press('Format and filter');
      await keyboard.type('Format', 'Discord');
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
