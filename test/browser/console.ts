/** Opens the console on a running stack, as a person does, and collects what a browser complains about. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventual.ts';
import { mailsIn } from '../support/mailbox.ts';
import type { RunningStack } from '../support/parts-running-stack.ts';
import { inView, type View } from './browser.ts';

/** Receives what the browser blocks, what fails in a script, and requests to other origins. */
export type Complaints = readonly string[];

/** Opens an address of the console, such as `#/deliveries`, in a window of its own. */
export const visitConsole = (
  browser: Browser,
  running: RunningStack,
  view: View,
  look: (page: Page, complaints: Complaints) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> =>
  inView(
    browser,
    view,
    async (page) => {
      const complaints: string[] = [];
      page.setDefaultTimeout(45_000);
      const { origin } = new URL(running.stack.baseUrl);
      await page.addInitScript(
        "addEventListener('securitypolicyviolation', (event) => console.error('blocked: ' + event.effectiveDirective))",
      );
      page.on('console', (message) => {
        // A refusal is an answer: the first request asks whether the browser has a session.
        if (message.type() !== 'info' && !/status of 403/.test(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.origin !== origin && url.protocol !== 'data:') complaints.push(`of another origin: ${url}`);
      });
      await page.goto(`${running.stack.baseUrl}/console/`);
      await look(page, complaints);
    },
    { locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options },
  );

/** Signs in with a staff access token, in any language. */
export const signInWithKey = async (page: Page, key: string): Promise<void> => {
  await page.locator('details.panel summary').click();
  await page.locator('details.panel input').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').first().waitFor();
};

/** Opens the console, signed in with a key; that of the Owner unless another one is given. */
export const visitSignedIn = (
  browser: Browser,
  running: RunningStack,
  view: View,
  look: (page: Page, complaints: Complaints) => Promise<void>,
  { key = running.stack.adminKey, ...options }: BrowserContextOptions & { readonly key?: string } = {},
): Promise<void> =>
  visitConsole(
    browser,
    running,
    view,
    async (page, complaints) => {
      await signInWithKey(page, key);
      await look(page, complaints);
    },
    options,
  );

/** Opens a sign-in link, and confirms that it signs in. */
export const openSignInLink = async (page: Page, link: string): Promise<void> => {
  await page.goto(link);
  await page.getByRole('heading', { name: 'Sign in as' }).waitFor();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/console\//);
};

/** Chooses an action from the menu of a row, or of a page with one menu. */
export const choose = async (within: Locator | Page, action: string): Promise<void> => {
  await within.getByRole('button', { name: /^Actions/ }).click();
  await within.getByRole('menuitem', { name: action }).click();
};

/** Shows a view, by its address after the `#`. */
export const show = async (page: Page, address: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
};

/** Shows a view and waits until its data is there. */
export const openView = async (page: Page, address: string): Promise<void> => {
  await show(page, address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const spinners = page.locator('main .skeleton, main wa-spinner');
  await eventually(`the data of ${address}`, async () => (await spinners.count()) === 0 || undefined);
};

/** Returns the sign-in link of the latest mail to an address. */
export const signInLinkOf = async (running: RunningStack, email: string): Promise<string> => {
  for (;;) {
    const mails = (await mailsIn(running.stack.mailbox)).filter(({ destination }) => destination.to.includes(email));
    const [link] = /https?:\S+\/sign-in\/\S+/.exec(mails.at(-1)?.body.text ?? '') ?? [];
    if (link !== undefined) return link;
  }
};
