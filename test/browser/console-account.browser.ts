/** Changes of an account in the console on a running stack, in a real browser: another address, and another Owner. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { mailsIn } from '../support/mailbox.ts';
import { overflow, type View } from './browser.ts';
import { choose, openSignInLink, show, signInLinkOf, visitConsole } from './console.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();

const [ofOwner, ofAdministrator] = ['owner@masthead.example', 'administrator@masthead.example'];
const dialogOf = (page: Page): Locator => page.locator('wa-dialog[open]');
const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text }).first();

/** A link works once, so a later visit waits for the next mail. */
const used = new Set<string>();

/** Opens the console in a session, which these changes need: a key cannot make them. */
const visit = (view: View, email: string, look: (page: Page, complaints: readonly string[]) => Promise<void>) =>
  visitConsole(browser, running, view, async (page, complaints) => {
    await running.call('POST', '/admin/session/', { body: { sessions: [{ email }] } });
    const link = await eventually('a new link', async () => {
      const latest = await signInLinkOf(running, email);
      return used.has(latest) ? undefined : latest;
    });
    used.add(link);
    await openSignInLink(page, link);
    await look(page, complaints);
  });

const mailTo = (email: string, text: string) =>
  eventually(`the mail “${text}” to ${email}`, async () =>
    (await mailsIn(running.stack.mailbox)).find(
      ({ destination, body }) => destination.to.includes(email) && body.text.includes(text),
    ),
  );

it('a member gets another address: the console sends a link there, which changes it and signs in', async () => {
  await visit('narrow', ofOwner, async (page, complaints) => {
    await show(page, '#/staff/members');
    await choose(rowOf(page, 'contributor@masthead.example'), 'Change address');
    const dialog = dialogOf(page);
    await dialog.getByText('contributor@masthead.example stays the address').waitFor();
    await dialog.getByRole('textbox', { name: 'New address' }).fill('connie@example.org');
    expect(await overflow(page)).toBe(0);
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('A link to connie@example.org is on its way.').waitFor();
    await rowOf(page, 'contributor@masthead.example').waitFor();
    expect(complaints).toEqual([]);
  });
  await mailTo('contributor@masthead.example', 'Another address for');
  const link = await signInLinkOf(running, 'connie@example.org');
  await visitConsole(browser, running, 'phone', async (page, complaints) => {
    await page.goto(link);
    await page.getByText('Your address changes from contributor@masthead.example to connie@example.org').waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Use this address and sign in' }).click();
    await page.waitForURL(/\/console\//);
    await page.getByRole('heading', { name: /^Welcome to / }).waitFor();
    expect(complaints).toEqual([]);
  });
  await mailTo('contributor@masthead.example', 'Your address at');
});

it('the Owner hands the ownership over to an Administrator, and the console shows the lower role at once', async () => {
  await visit('light', ofOwner, async (page, complaints) => {
    await show(page, '#/staff/members');
    await rowOf(page, ofAdministrator).waitFor();
    const menu = rowOf(page, 'editor@masthead.example').getByRole('button', { name: /^Actions/ });
    await menu.click();
    expect(await page.getByRole('menuitem', { name: 'Hand the ownership over' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await choose(rowOf(page, ofAdministrator), 'Hand the ownership over');
    await dialogOf(page).getByText('You become an Administrator.').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Hand the ownership over' }).click();
    await page.getByText('is the Owner now.').waitFor();
    await rowOf(page, ofOwner).getByText('Administrator', { exact: true }).waitFor();
    await rowOf(page, ofAdministrator).getByText('Owner', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
  await mailTo(ofAdministrator, 'You are the Owner of');
  await mailTo(ofOwner, 'You are no longer the Owner of');
});
