/** An invitation on the running stack in a real browser: without JavaScript, and with the keyboard alone. */
import { describe, expect, it } from 'vitest';
import { inviteOn } from '../support/invitation-link.ts';
import { inView } from './browser.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();

describe('the link of an invitation', () => {
  it('can be accepted without JavaScript', async () => {
    const { url } = await inviteOn(running, 'ada@example.org');
    await inView(
      browser,
      'light',
      async (page) => {
        await page.goto(url);
        await page.getByLabel('Your name').fill('Ada Lovelace');
        await page.getByRole('button', { name: 'Accept the invitation' }).click();
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Welcome, Ada Lovelace');
        await page.goto(url);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You have joined');
      },
      { javaScriptEnabled: false },
    );
  });

  it('can be accepted with the keyboard alone', async () => {
    const { url } = await inviteOn(running, 'grace@example.org');
    await inView(browser, 'narrow', async (page) => {
      await page.goto(url);
      await page.keyboard.press('Tab');
      await page.keyboard.type('Grace Hopper');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Welcome, Grace Hopper' }).waitFor();
    });
  });

  it('leads back to the form from a page that reports a failure', async () => {
    const { url } = await inviteOn(running, 'jean@example.org');
    await inView(browser, 'phone', async (page) => {
      await page.goto(url);
      await page.evaluate("document.querySelector('input').removeAttribute('maxlength')");
      await page.getByLabel('Your name').fill('a'.repeat(20_000));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your name is too long for this form' }).waitFor();
      await page.getByRole('link', { name: 'Back to the invitation' }).click();
      await page.getByLabel('Your name').fill('Jean Bartik');
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'Welcome, Jean Bartik' }).waitFor();
    });
  });

  it('is not sent to other sites as a referrer', async () => {
    const { url } = await inviteOn(running, 'mary@example.org');
    await inView(browser, 'light', async (page) => {
      await page.goto(url);
      expect(await page.evaluate('document.referrer')).toBe('');
      const [request] = await Promise.all([
        page.waitForRequest((one) => one.isNavigationRequest() && one.method() === 'POST'),
        page
          .getByLabel('Your name')
          .fill('Mary')
          .then(() => page.keyboard.press('Enter')),
      ]);
      expect(await request.headerValue('referer')).toBeNull();
    });
  });
});
