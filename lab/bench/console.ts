/**
 * Measures the console in a browser against a local stack: size and first paint of the first view, scrolling through 10,000 deliveries,
 * how soon a new delivery is shown, and the steps from sign-in to the first delivery of a new webhook. Prints a table.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildConsole, type FileSize } from '../../infra/cdk/console.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { startBrowser } from '../../test/browser/browser.ts';
import { openSignInLink, show, signInLinkOf, signInWithKey } from '../../test/browser/console.ts';
import { serveManyDeliveries } from '../../test/browser/many-deliveries.ts';
import { runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { writeSection } from '../page-section.ts';
import { headRevision } from './head-revision.ts';
import { machineText } from './machine.ts';
import { measureScrolling } from './scrolling.ts';
import { quantile } from './statistics.ts';

const pageCommand = 'npm --prefix lab run bench:console -- --page';

const reported: (readonly [string, string])[] = [];
const report = (what: string, value: string): void => {
  reported.push([what, value]);
  console.log(`${what.padEnd(64)} ${value}`);
};
const ms = (value: number): string => `${Math.round(value)} ms`;

/** The keystroke-level model of Card, Moran and Newell: seconds per decision, click and typed character. */
const human = { decision: 1.35, click: 1.1, character: 0.28 };

const measure = async ({ page: isForPage }: { readonly page: boolean }): Promise<void> => {
  const load = loadavg()[0] ?? 0;
  const home = temporaryHome();
  const [browser, running] = await Promise.all([startBrowser(), runStack(home.folder, ['--memory'])]);
  const { stack } = running;
  const consoleUrl = `${stack.baseUrl}/console/`;

  /** Calls `look` with a page in a new browser context, so that its cache is empty. */
  const inPage = async (look: (page: Page) => Promise<void>): Promise<void> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    try {
      await look(await context.newPage());
    } finally {
      await context.close();
    }
  };

  const measureSize = async (): Promise<void> => {
    const sizes: FileSize[] = JSON.parse(readFileSync(join(await buildConsole(), 'sizes.json'), 'utf8'));
    const bytes = sizes.filter(({ first }) => first).reduce((sum, { gzip }) => sum + gzip, 0);
    report('First view, gzipped', `${(bytes / 1024).toFixed(1)} KiB`);
  };

  /** Measures the first contentful paint, and the time until the view can be used, with an empty cache. */
  const measureFirstView = async (): Promise<void> => {
    const painted: number[] = [];
    const usable: number[] = [];
    for (let run = 0; run < 7; run++)
      await inPage(async (page) => {
        const from = performance.now();
        await page.goto(consoleUrl);
        await page.getByRole('button', { name: 'Send me a link' }).waitFor();
        usable.push(performance.now() - from);
        painted.push(
          Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")),
        );
      });
    report('First view painted (median of 7, empty cache)', ms(quantile(painted, 0.5)));
    report('First view painted (slowest)', ms(Math.max(...painted)));
    report('Sign-in form usable (median of 7)', ms(quantile(usable, 0.5)));
  };

  /** Shows the list of 10,000 deliveries and scrolls through it. */
  const measureList = (): Promise<void> =>
    inPage(async (page) => {
      await page.goto(consoleUrl);
      await signInWithKey(page, stack.adminKey);
      await serveManyDeliveries(page);
      await show(page, '#/deliveries');
      const table = page.getByRole('table');
      await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.locator('[role=table][aria-rowcount="10001"]').waitFor();
      await table.evaluate((element) => element.scrollTo(0, 0));
      await measureScrolling(browser, page, report);
    });

  const publish = (title: string) =>
    running.call('POST', '/admin/events/', {
      key: stack.adminKey,
      body: { events: [{ event: 'post.published', payload: { post: { current: { title }, previous: {} } } }] },
    });

  /** Measures from the answer to the publisher until the row is in the document. */
  const measureNewDelivery = (): Promise<void> =>
    inPage(async (page) => {
      const { body } = await running.call('GET', '/admin/integrations/', { key: stack.adminKey });
      const webhook = {
        event: 'post.published',
        target_url: `${stack.receiver}/live`,
        integration_id: body.integrations[0].id,
      };
      await running.call('POST', '/admin/webhooks/', { key: stack.adminKey, body: { webhooks: [webhook] } });
      await page.goto(consoleUrl);
      await signInWithKey(page, stack.adminKey);
      await show(page, '#/deliveries');
      const rows = page.getByRole('row').filter({ hasText: 'Delivered' });
      const times: number[] = [];
      for (let run = 0; run < 12; run++) {
        await publish(`Event ${run}`);
        const from = performance.now();
        await rows.nth(run).waitFor();
        times.push(performance.now() - from);
        // Publish at a different point of the polling interval each time.
        await page.waitForTimeout(run * 130);
      }
      report('New delivery shown after publishing (median of 12)', ms(quantile(times, 0.5)));
      report('New delivery shown after publishing (slowest)', ms(Math.max(...times)));
    });

  /** Follows the steps of a person who has never seen the page. */
  const measureFirstDelivery = (): Promise<void> =>
    inPage(async (page) => {
      const from = performance.now();
      let seconds = 0;
      const steps: string[] = [];
      const step = async (text: string, act: () => Promise<unknown>, typed = ''): Promise<void> => {
        const began = performance.now();
        await act();
        seconds += human.decision + human.click + typed.length * human.character;
        steps.push(`${String(steps.length + 1).padStart(2)}. ${text} (${ms(performance.now() - began)})`);
      };
      const email = stack.ownerEmail;
      await page.goto(consoleUrl);
      const address = page.getByRole('textbox', { name: 'Your email address' });
      await step('Enter the address', () => address.fill(email), email);
      await step('Send me a link', () => page.getByRole('button', { name: 'Send me a link' }).click());
      await step('Open the link in the mail', async () => {
        await openSignInLink(page, await signInLinkOf(running, email));
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
      });
      await step('Webhooks', () => page.getByRole('link', { name: 'Webhooks', exact: true }).click());
      await step('Create a webhook', () => page.getByRole('link', { name: 'Create a webhook' }).first().click());
      const target = `${stack.receiver}/first`;
      await step('Enter the target URL', () => page.getByLabel('Target URL').fill(target), target);
      await step('Create', () => page.locator('form wa-button[variant=brand]').click());
      await step('Send a ping', () => page.getByRole('button', { name: /ping/i }).click());
      await step('Show the delivery', async () => {
        await page.getByRole('link', { name: 'Show the delivery', exact: true }).click();
        await page.getByText('Attempt 1').waitFor();
      });
      const machine = (performance.now() - from) / 1000;
      report(
        'From sign-in to the first delivery of a new webhook',
        `${steps.length} steps, ${machine.toFixed(1)} s by the script`,
      );
      report('  for a person, by the keystroke-level model', `${(seconds + machine).toFixed(0)} s`);
      for (const line of steps) console.log(`    ${line}`);
    });

  try {
    await measureSize();
    await measureFirstView();
    await measureList();
    await measureNewDelivery();
    await measureFirstDelivery();
  } finally {
    await browser.close();
    await running.end('SIGINT');
    home.remove();
  }
  if (isForPage) writePage(load);
};

/** @param load the load average before the measurement */
const writePage = (load: number): void => {
  const head = `Revision ${headRevision()}, ${machineText()}, load average before the run ${load.toFixed(2)}; rendered in software.`;
  const rows = reported.map(([what, value]) => `| ${what.trim()} | ${value} |`);
  writeSection('console.md', pageCommand, [head, '', '| what | measured |', '|---|---|', ...rows].join('\n'));
};

await run(
  command('npm --prefix lab run bench:console --')
    .description(
      'Measures the console in a browser on a local stack: milliseconds until it is painted, until it can be used and until it shows a new delivery, scrolling through 10,000 deliveries, and the steps to a first delivery.',
    )
    .option('--page', 'Write the figures into lab/reports/console.md.', false)
    .action(measure),
);
