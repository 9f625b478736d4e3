/** Staff and integrations in the console on a running stack, in a real browser, and what each role can see. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { mailsIn } from '../support/mailbox.ts';
import { overflow, type View } from './browser.ts';
import { type Complaints, choose, show, signInLinkOf, visitSignedIn } from './console.ts';
import { keyboardOf } from './keyboard.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();

const api = (method: string, path: string, body?: object) =>
  running.call(method, path, { key: running.stack.adminKey, body });

const visit = (
  view: View,
  look: (page: Page, complaints: Complaints) => Promise<void>,
  { role = 'Owner', locale = 'en-GB' } = {},
): Promise<void> =>
  visitSignedIn(browser, running, view, look, {
    key: running.stack.staffKeys[role] ?? '',
    locale,
    permissions: ['clipboard-read', 'clipboard-write'],
  });

/** What is slotted into a dialog is not inside the element with its role. */
const dialogOf = (page: Page): Locator => page.locator('wa-dialog[open]');

const copied = (page: Page): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');

const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text }).first();

/** Returns an invitation that was accepted by this name. */
const join = async (name: string, email: string, role = 'Author'): Promise<void> => {
  const { body } = await api('GET', '/admin/roles/');
  const { id } = body.roles.find((one: { name: string }) => one.name === role);
  const made = await api('POST', '/admin/invites/', { invites: [{ email, role_id: id, send_email: false }] });
  const token = made.body.invites[0].link.split('/').at(-2);
  const { status } = await running.call('POST', '/admin/authentication/invitation/', {
    body: { invitation: [{ token, name, email, password: 'not used by Masthead' }] },
  });
  expect(status).toBe(200);
};

describe('an invitation', () => {
  it('to one person is mailed, shows its history, is sent again, and is revoked', async () => {
    await visit('light', async (page, complaints) => {
      await show(page, '#/staff/invitations');
      await page.getByText('No invitations yet').waitFor();
      await page.getByRole('link', { name: 'Invite people' }).click();
      await page.getByRole('textbox', { name: 'Email addresses' }).fill('ada@example.org');
      await page.getByRole('combobox', { name: 'Role' }).selectOption('Author');
      await page.getByRole('button', { name: 'Invite 1 person' }).click();
      const row = rowOf(page, 'ada@example.org');
      await row.getByText('Sent', { exact: true }).first().waitFor();
      await choose(row, 'Send again');
      await eventually('the second mail', async () => (await mailsTo('ada@example.org')) > 1 || undefined);
      await choose(row, 'History');
      await dialogOf(page)
        .getByRole('list', { name: 'History of the invitation to ada@example.org' })
        .getByText('Pending')
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await page.locator('wa-dialog').waitFor({ state: 'detached' });
      await choose(row, 'Revoke');
      await dialogOf(page).getByText('stops working at once').waitFor();
      await dialogOf(page).getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('No invitations yet').waitFor();
      await page.getByRole('combobox', { name: 'Status' }).selectOption('revoked');
      expect(new URL(page.url()).hash).toBe('#/staff/invitations?status=revoked');
      await rowOf(page, 'ada@example.org').getByText('Revoked').first().waitFor();
      expect(complaints).toEqual([]);
    });
  });

  it('to a pasted list shows problems line by line, is sent to the valid addresses, and keeps the others', async () => {
    await visit('phone', async (page) => {
      await show(page, '#/staff/invitations/new');
      const list = page.getByRole('textbox', { name: 'Email addresses' });
      await list.fill(
        [
          'Email, Role',
          'Grace <grace@example.org>, Editor',
          'no address',
          'GRACE@example.org',
          'author@masthead.example',
          'jean@example.org, King',
          'mary@example.org',
        ].join('\n'),
      );
      const row = (line: number) => page.getByRole('row').nth(line);
      expect(await row(1).innerText()).toContain('Editor');
      expect(await row(1).innerText()).toContain('Can be sent');
      expect(await row(2).innerText()).toContain('Not an email address');
      expect(await row(3).innerText()).toContain('The same address as in line 2');
      expect(await row(4).innerText()).toContain('Already a member');
      expect(await row(5).innerText()).toContain('You cannot assign the role “King”');
      await page.getByText('2 can be sent, 4 with problems stay in the list').waitFor();
      expect(await overflow(page)).toBe(0);
      await page.getByRole('button', { name: 'Invite 2 people' }).click();
      await page.getByText('2 people are invited.').waitFor();
      expect(await list.inputValue()).not.toContain('mary@example.org');
      expect(await list.inputValue()).toContain('jean@example.org\tKing');
      // The button that had the focus is disabled now.
      await page.locator('textarea:focus').waitFor();
      await eventually('the mail to Mary', async () => (await mailsTo('mary@example.org')) > 0 || undefined);
    });
  });

  it('shows why the API refused a line, and sends nothing', async () => {
    await join('Joan Clarke', 'joan@example.org');
    await visit(
      'light',
      async (page) => {
        await show(page, '#/staff/invitations/new');
        await page.getByRole('textbox', { name: 'Email addresses' }).fill('joan@example.org\nhedy@example.org');
        await page.getByRole('button', { name: 'Invite 2 people' }).click();
        await page.getByRole('row').nth(1).getByText('Refused: the address of a staff member').waitFor();
        expect(await page.getByRole('textbox', { name: 'Email addresses' }).inputValue()).toContain('hedy@example.org');
        expect(await mailsTo('hedy@example.org')).toBe(0);
      },
      { role: 'Editor' },
    );
  });

  it('without a mail shows a link only once, and the link works only once', async () => {
    await visit('light', async (page) => {
      await show(page, '#/staff/invitations/new');
      await page.getByRole('textbox', { name: 'Email addresses' }).fill('kay@example.org');
      await page.getByRole('radio', { name: /Show me the links/ }).check();
      await page.getByRole('button', { name: 'Invite 1 person' }).click();
      await page.getByRole('button', { name: 'Copy the link' }).click();
      const [, link = ''] = String(await copied(page)).split(' ');
      expect(link).toContain('/invitation/');
      expect(await mailsTo('kay@example.org')).toBe(0);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await expect.poll(() => page.content()).not.toContain(link);
      await show(page, '#/staff/invitations');
      await choose(rowOf(page, 'kay@example.org'), 'Create a link');
      await dialogOf(page).getByRole('button', { name: 'Create a link' }).click();
      await page.getByRole('heading', { name: 'Link for kay@example.org' }).waitFor();
      await page.getByRole('button', { name: 'Copy the link' }).click();
      const newer = String(await copied(page));
      await page.goto(link);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toContain('invited');
      await page.goto(newer);
      await page.getByLabel('Your name').fill('Kay Antonelli');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Welcome, Kay Antonelli' }).waitFor();
    });
  });

  it('can be written in German on a phone', async () => {
    await visit(
      'phone',
      async (page, complaints) => {
        await show(page, '#/staff/invitations/new');
        await page.getByRole('textbox', { name: 'E-Mail-Adressen' }).fill('frieda@example.org\nfalsch');
        await page.getByText('1 Einladung kann gesendet werden, 1 fehlerhafte Zeile bleibt in der Liste').waitFor();
        await page.getByText('Keine E-Mail-Adresse').waitFor();
        await page.getByRole('button', { name: '1 Person einladen' }).click();
        await page.getByText('1 Person ist eingeladen.').waitFor();
        expect(await overflow(page)).toBe(0);
        await show(page, '#/staff/invitations');
        await rowOf(page, 'frieda@example.org').getByText('Gesendet').first().waitFor();
        expect(await overflow(page)).toBe(0);
        expect(complaints).toEqual([]);
      },
      { locale: 'de-DE' },
    );
  });
});

/** Begins a session, as the console does with the link of a mail. */
const signInByMail = async (email: string): Promise<void> => {
  await running.call('POST', '/admin/session/', { body: { sessions: [{ email }] } });
  const token = (await signInLinkOf(running, email)).split('/').at(-2);
  const { status } = await running.call('PUT', '/admin/session/', { body: { sessions: [{ token }] } });
  expect(status).toBe(201);
};

const mailsTo = async (email: string): Promise<number> =>
  (await mailsIn(running.stack.mailbox)).filter(({ destination }) => destination.to.includes(email)).length;

describe('a member', () => {
  it('is suspended, and works again once activated', async () => {
    await join('Edith Clarke', 'edith@example.org');
    await visit('light', async (page) => {
      await show(page, '#/staff/members');
      const row = rowOf(page, 'edith@example.org');
      await choose(row, 'Suspend');
      await dialogOf(page).getByRole('button', { name: 'Suspend' }).click();
      await page.getByText('Edith Clarke is suspended.').waitFor();
      await row.getByText('Suspended').waitFor();
      await choose(row, 'Activate again');
      await dialogOf(page).getByRole('button', { name: 'Activate' }).click();
      await page.getByText('Edith Clarke is active again.').waitFor();
    });
  });

  it('gets another role, and a new token, which is shown once and works', async () => {
    await join('Radia Perlman', 'radia@example.org');
    await visit('dark', async (page) => {
      await show(page, '#/staff/members');
      const row = rowOf(page, 'radia@example.org');
      await choose(row, 'Change role');
      await dialogOf(page).getByRole('combobox', { name: 'Role' }).selectOption('Editor');
      // She joined by a link that was passed on.
      await dialogOf(page)
        .getByRole('checkbox', { name: /No email has reached radia/ })
        .check();
      await dialogOf(page).getByRole('button', { name: 'Save' }).click();
      await page.getByText('Radia Perlman has the role Editor now.').waitFor();
      await row.getByText('Editor', { exact: true }).waitFor();
      await choose(row, 'Create a token');
      await dialogOf(page).getByRole('button', { name: 'Create a token' }).click();
      await page.getByRole('button', { name: 'Copy the token' }).click();
      const key = String(await copied(page));
      const { body } = await running.call('GET', '/admin/users/me/', { key });
      expect(body.users[0].name).toBe('Radia Perlman');
      await show(page, '#/staff/invitations');
      expect(await page.content()).not.toContain(key);
    });
  });

  it('can change their own name, which the header shows, whatever their role', async () => {
    await visit(
      'light',
      async (page) => {
        await show(page, '#/staff/access');
        await page.getByRole('button', { name: 'Change your name' }).click();
        await dialogOf(page).getByRole('textbox', { name: 'Your name' }).fill('Arthur Author');
        await dialogOf(page).getByRole('button', { name: 'Save' }).click();
        await page.getByRole('heading', { name: 'Arthur Author' }).waitFor();
        expect(await page.locator('header .who').innerText()).toBe('Arthur Author');
        const { body } = await running.call('GET', '/admin/users/me/', { key: running.stack.staffKeys.Author ?? '' });
        expect(body.users[0].name).toBe('Arthur Author');
      },
      { role: 'Author' },
    );
  });

  it("has sessions that the Owner can end, while an Administrator can only see the Owner's", async () => {
    const [ofOwner, ofContributor] = ['owner@masthead.example', 'contributor@masthead.example'];
    await signInByMail(ofOwner);
    await signInByMail(ofContributor);
    await visit('phone', async (page) => {
      await show(page, '#/staff/members');
      await choose(rowOf(page, ofContributor), 'Sessions');
      await dialogOf(page).getByRole('button', { name: /^End/ }).click();
      await dialogOf(page).getByText('is not signed in to the console').waitFor();
      expect(await overflow(page)).toBe(0);
    });
    await visit(
      'light',
      async (page) => {
        await show(page, '#/staff/members');
        await choose(rowOf(page, ofOwner), 'Sessions');
        await dialogOf(page).getByText('Signed in').waitFor();
        expect(await dialogOf(page).locator('.card').getByRole('button').count()).toBe(0);
      },
      { role: 'Administrator' },
    );
  });

  it('is removed after a question that says what ends, but not the Owner and not oneself', async () => {
    await join('Annie Easley', 'annie@example.org');
    await visit('light', async (page, complaints) => {
      await show(page, '#/staff/members');
      await rowOf(page, 'owner@masthead.example').waitFor();
      expect(await rowOf(page, 'owner@masthead.example').getByRole('button').count()).toBe(0);
      const row = rowOf(page, 'annie@example.org');
      await choose(row, 'Remove');
      await dialogOf(page).getByText('sessions and tokens end').waitFor();
      await dialogOf(page).getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Annie Easley is removed.').waitFor();
      await row.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    });
  });
});

describe('the list of members', () => {
  it('keeps a long name of the reader apart from the link beside it, on a phone', async () => {
    await visitSignedIn(browser, running, 'phone', async (page) => {
      await page.route('**/admin/users/**', async (route) => {
        const answer = await route.fetch();
        const name = 'Jean-Baptiste Emmanuel von und zu Liechtenstein';
        await route.fulfill({ response: answer, body: (await answer.text()).replace('Olive Owner', name) });
      });
      await show(page, '#/staff/members');
      const row = page.getByRole('row', { name: 'Jean-Baptiste' });
      const [name, link] = [await row.locator('strong').boundingBox(), await row.getByRole('link').boundingBox()];
      if (name === null || link === null) throw new Error('The row has no name or no link.');
      expect(link.y >= name.y + name.height || link.x >= name.x + name.width).toBe(true);
    });
  });

  it('is sorted by name, can be searched by name, address or role, and leads to an invitation', async () => {
    await visit('light', async (page) => {
      await show(page, '#/staff/members');
      await rowOf(page, 'owner@masthead.example').waitFor();
      const names = () => page.getByRole('rowheader').locator('strong').allInnerTexts();
      const all = await names();
      expect(all).toEqual(all.toSorted((a, b) => a.localeCompare(b)));
      await page.getByRole('searchbox', { name: 'Search members' }).fill('contributor');
      await expect.poll(async () => (await names()).length).toBeLessThan(all.length);
      await rowOf(page, 'contributor@masthead.example').waitFor();
      await page.getByRole('searchbox', { name: 'Search members' }).fill('nobody');
      await page.getByText('No member matches the search').waitFor();
      // Times are relative, with the exact one on hover.
      await show(page, '#/staff/members');
      const joined = rowOf(page, 'owner@masthead.example').locator('time').first();
      expect(await joined.innerText()).toMatch(/ago$/);
      expect(await joined.getAttribute('title')).toMatch(/\d{4} at .*Z\)$/);
      await page.getByRole('link', { name: 'Invite people' }).click();
      await page.getByRole('heading', { name: 'Invite people' }).waitFor();
      // Not “Invite 1 person”: nobody is entered.
      await page.getByRole('button', { name: 'Invite', exact: true }).waitFor();
    });
  });
});

it("the console greets a new Author with the publication's name and next steps, an Editor with invites", async () => {
  await visit(
    'phone',
    async (page, complaints) => {
      await page.getByRole('heading', { name: /^Welcome to Masthead on this machine, / }).waitFor();
      await page.getByText('Your role at Masthead on this machine is Author.').waitFor();
      await page.getByRole('link', { name: 'Go to Masthead on this machine to write and edit' }).waitFor();
      expect(await page.getByRole('link', { name: 'Invite people' }).count()).toBe(0);
      expect(await overflow(page)).toBe(0);
      expect(complaints).toEqual([]);
    },
    { role: 'Author' },
  );
  await visit(
    'dark',
    async (page) => {
      await page.getByRole('heading', { name: /^Welcome to / }).waitFor();
      await page.getByRole('link', { name: 'Invite people' }).first().click();
      await page.getByRole('heading', { name: 'Invite people' }).waitFor();
    },
    { role: 'Editor' },
  );
});

describe('a role', () => {
  it('has a German name in the German console and lists pasted there, but its own name in the API', async () => {
    await visit(
      'phone',
      async (page, complaints) => {
        await show(page, '#/staff/members');
        await rowOf(page, 'owner@masthead.example').getByText('Inhaberin oder Inhaber').waitFor();
        await page.getByRole('searchbox').fill('freie mitarbeit');
        await rowOf(page, 'contributor@masthead.example').waitFor();
        await show(page, '#/staff/invitations/new');
        const list = page.getByRole('textbox', { name: 'E-Mail-Adressen' });
        await list.fill('E-Mail, Rolle\nthea@example.org, Redaktion\nerna@example.org, Contributor\nlise@example.org');
        await page.getByRole('combobox', { name: 'Rolle' }).selectOption('Autorin oder Autor');
        expect(await page.getByRole('row').nth(2).innerText()).toContain('Freie Mitarbeit');
        const request = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/invites/'));
        await page.getByRole('button', { name: '3 Personen einladen' }).click();
        const { roles } = (await api('GET', '/admin/roles/')).body;
        const sent = (await request).postDataJSON().invites.map(({ role_id }: { role_id: string }) => role_id);
        const name = (id: string) => roles.find((role: { id: string }) => role.id === id).name;
        expect(sent.map(name)).toEqual(['Editor', 'Contributor', 'Author']);
        await rowOf(page, 'thea@example.org').getByText('Redaktion', { exact: true }).waitFor();
        expect(await overflow(page)).toBe(0);
        expect(complaints).toEqual([]);
      },
      { locale: 'de-DE' },
    );
    await visit('dark', (page) => page.getByText('„Autorin oder Autor“').waitFor(), {
      role: 'Author',
      locale: 'de-DE',
    });
  });

  const navigation = (page: Page) => page.getByRole('navigation', { name: 'Views' }).getByRole('link').allInnerTexts();
  const parts = (page: Page) => page.getByRole('navigation', { name: 'Staff pages' }).getByRole('link').allInnerTexts();

  it.each([
    [
      'Administrator',
      ['Overview', 'Webhooks', 'Deliveries', 'Integrations', 'Staff'],
      ['Members', 'Invitations', 'Your access', 'Audit log'],
    ],
    ['Editor', ['Staff'], ['Invitations', 'Your access']],
    ['Author', ['Staff'], ['Your access']],
  ])('of an %s is described by what it can do', async (role, views, ownParts) => {
    await visit(
      'light',
      async (page, complaints) => {
        expect((await navigation(page)).filter((name) => name !== 'API documentation')).toEqual(views);
        await show(page, '#/staff');
        expect(await parts(page)).toEqual(ownParts);
        await show(page, '#/integrations');
        if (role !== 'Administrator') await page.getByText('Your role does not allow this').waitFor();
        expect(complaints).toEqual([]);
      },
      { role },
    );
  });
});

describe('an integration', () => {
  it('is created with a key that is shown once, is edited, and gets a new key', async () => {
    await visit('narrow', async (page, complaints) => {
      await show(page, '#/integrations');
      await page.getByRole('link', { name: 'New integration' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Bookshop');
      await page.getByRole('checkbox', { name: 'Its keys can publish events' }).check();
      await page.getByRole('button', { name: 'Create the integration' }).click();
      await page.getByRole('heading', { name: 'The new API key' }).waitFor();
      await page.getByRole('button', { name: 'Copy the key' }).click();
      const first = String(await copied(page));
      expect((await running.call('GET', '/admin/config/', { key: first })).status).toBe(200);
      await page.getByText(/Last used:\s/).waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Bookshop Berlin');
      await dialogOf(page).getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Bookshop Berlin' }).waitFor();
      await page.getByRole('button', { name: /^Roll the key/ }).click();
      await dialogOf(page).getByRole('button', { name: 'Roll the key' }).click();
      await expect.poll(() => page.locator('.shown-once').innerText()).not.toBe(first);
      const second = await page.locator('.shown-once').innerText();
      expect((await running.call('GET', '/admin/config/', { key: second })).status).toBe(200);
      await page.getByText('Replaced; expires').waitFor();
      expect((await running.call('GET', '/admin/config/', { key: first })).status).toBe(200);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await expect.poll(() => page.content()).not.toContain(second);
      expect(await overflow(page)).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  it('is deleted after a warning that lists its webhooks and waiting deliveries', async () => {
    const { body } = await api('POST', '/admin/integrations/', { integrations: [{ name: 'Doomed' }] });
    const [{ id }] = body.integrations;
    const webhook = {
      event: 'page.published',
      target_url: `${running.stack.receiver}/doomed`,
      name: 'Doomed hook',
      integration_id: id,
    };
    const made = await api('POST', '/admin/webhooks/', { webhooks: [webhook] });
    await api('POST', `/admin/webhooks/${made.body.webhooks[0].id}/disable/`);
    await api('POST', '/admin/events/', {
      events: [{ event: 'page.published', payload: { page: { current: {}, previous: {} } } }],
    });
    await eventually('the held delivery', async () => {
      const { body: held } = await api('GET', '/admin/deliveries/?status=held');
      return held.deliveries.length > 0 || undefined;
    });
    await visit('light', async (page, complaints) => {
      await show(page, `#/integrations/${id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = dialogOf(page);
      await dialog.getByText('1 API key: requests with it fail at once').waitFor();
      await dialog.getByText('Doomed hook').waitFor();
      await dialog.getByText('1 waiting delivery, which will not be sent').waitFor();
      await dialog.getByRole('button', { name: 'Delete the integration' }).click();
      await page.getByText('The integration is deleted.').waitFor();
      await page.getByRole('heading', { name: 'Integrations' }).waitFor();
      expect(await page.getByRole('link', { name: 'Doomed' }).count()).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  it('gets an inbound secret, which is shown once together with the URL for Ghost', async () => {
    const { body } = await api('GET', '/admin/integrations/');
    await visit('light', async (page) => {
      const [{ id }] = body.integrations;
      await show(page, `#/integrations/${id}`);
      await page.getByText(`${running.stack.baseUrl}/inbound/ghost/${id}/post.published/`).waitFor();
      await page.getByRole('button', { name: 'Create a secret' }).click();
      await dialogOf(page).getByRole('button', { name: 'Create a secret' }).click();
      await page.getByRole('button', { name: 'Copy the secret' }).click();
      expect(await copied(page)).toMatch(/^[0-9a-f]{64}$/);
    });
  });
});

it('every action on staff and integrations works with the keyboard alone', async () => {
  await join('Betty Holberton', 'betty@example.org');
  await visit('light', async (page, complaints) => {
    const { focused, press, type, open, close, pick } = keyboardOf(page);
    await press('Staff');
    await press('Invitations');
    await press('Invite people');
    await type('Email addresses', 'jean@example.org');
    await type('Role', 'Contributor');
    await press('Invite 1 person');
    const row = rowOf(page, 'jean@example.org');
    await pick('Actions: jean@example.org', 'History');
    await page.locator('wa-dialog').getByText('Pending').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('wa-dialog').waitFor({ state: 'detached' });
    await pick('Actions: jean@example.org', 'Create a link');
    await close('Create a link');
    await press('Copy the link');
    await press('I have copied it');
    await pick('Actions: jean@example.org', 'Revoke');
    await page.keyboard.press('Escape');
    await page.locator('wa-dialog').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Actions: jean@example.org');
    await pick('Actions: jean@example.org', 'Revoke');
    await close('Revoke');
    await row.waitFor({ state: 'detached' });
    await type('Status', 'Revoked');
    await page.waitForURL('**status=revoked');

    await press('Members');
    await pick('Actions: Betty Holberton', 'Sessions');
    await page.getByText('Betty Holberton is not signed in').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('wa-dialog').waitFor({ state: 'detached' });
    await pick('Actions: Betty Holberton', 'Change role');
    await type('Role', 'Editor');
    await press(/^No email has reached/, 'Space');
    await close('Save');
    await page.getByText('Betty Holberton has the role Editor now.').waitFor();
    // The list is read again, which would move the focus within an open menu.
    await rowOf(page, 'betty@example.org').getByText('Editor').waitFor();
    await pick('Actions: Betty Holberton', 'Create a token');
    await close('Create a token');
    await press('I have copied it');
    await pick('Actions: Betty Holberton', 'Remove');
    await close('Remove');
    await page.getByText('Betty Holberton is removed.').waitFor();
    await press('Your access');
    await open('Change your name');
    await type('Your name', 'Olive Owner');
    await close('Save');

    await press('Integrations');
    await press('New integration');
    await type('Name', 'By keys');
    await press('Its keys can publish events', 'Space');
    await press('Create the integration');
    await press('I have copied it');
    await open('Edit');
    await type('Name', 'By keys only');
    await close('Save');
    await page.getByRole('heading', { name: 'By keys only' }).waitFor();
    await open(/^Roll the key/);
    await type('The old key', 'ends');
    await close('Roll the key');
    await press('I have copied it');
    await open('Create a secret');
    await close('Create a secret');
    await press('I have copied it');
    await open('Delete');
    await close('Delete the integration');
    await page.getByText('The integration is deleted.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the audit log', () => {
  it('shows Administrators who did what, keeps its filter in the address, and is hidden from lower roles', async () => {
    await api('POST', '/admin/integrations/', { integrations: [{ name: 'Audited shop' }] });
    await visit(
      'light',
      async (page, complaints) => {
        await show(page, '#/staff/audit');
        const entry = page
          .getByRole('listitem')
          .filter({ hasText: 'Olive Owner created the integration Audited shop' })
          .first();
        await entry.getByRole('link', { name: 'Audited shop' }).waitFor();
        expect(await entry.getByText('name: nothing → Audited shop').isVisible()).toBe(false);
        await entry.getByText('Details').click();
        await entry.getByText('name: nothing → Audited shop').waitFor();
        await page.getByRole('combobox', { name: 'Action' }).selectOption('staff.added');
        await page.getByText('Olive Owner joined the staff').waitFor();
        expect(await page.getByRole('listitem').filter({ hasText: 'created the integration' }).count()).toBe(0);
        expect(page.url()).toContain('action=staff.added');
        await page.getByRole('combobox', { name: 'Action' }).selectOption('');
        await page.getByRole('combobox', { name: 'Person or integration' }).selectOption({ label: 'Demo integration' });
        await page.getByText('Olive Owner created the integration').first().waitFor({ state: 'detached' });
        await page.getByRole('combobox', { name: 'Person or integration' }).selectOption({ label: 'Olive Owner' });
        await entry.waitFor();
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download CSV' }).click();
        const text = await readFile(await (await saved).path(), 'utf8');
        expect(text).toContain('\n"Olive Owner created the integration Audited shop",');
        expect(complaints).toEqual([]);
      },
      { role: 'Administrator' },
    );
    await visit(
      'light',
      async (page) => {
        await page.getByRole('link', { name: 'Your access', exact: true }).waitFor();
        expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
      },
      { role: 'Author' },
    );
  });
});
