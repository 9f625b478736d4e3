/**
 * Measures the console in a browser against a local stack: the first paint, scrolling through 10,000 deliveries, how soon a new delivery is
 * shown, and the way from sign-in to the first delivery of a new webhook. Prints a table; `npm run bench:console`.
 */
import type { CDPSession, Page } from 'playwright-core';
import * as v from 'valibot';
import { startBrowser } from '../browser/browser.ts';
import { show, signInLinkOf, signInWithKey } from '../browser/console.ts';
import { serveManyDeliveries } from '../browser/many-deliveries.ts';
import { runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { quantile } from './statistics.ts';

const home = temporaryHome();
const [browser, running] = await Promise.all([startBrowser(), runStack(home.folder, ['--memory'])]);
const { stack } = running;
const consoleUrl = `${stack.baseUrl}/console/`;

const report = (what: string, value: string): void => console.log(`${what.padEnd(64)} ${value}`);
const ms = (value: number): string => `${Math.round(value)} ms`;

/** Calls `look` with a page of a new browser context, which has an empty cache. */
const inPage = async (look: (page: Page) => Promise<void>): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  try {
    await look(await context.newPage());
  } finally {
    await context.close();
  }
};

/** The first paint with content, and until the view can be used, with an empty cache. */
const measureFirstView = async (): Promise<void> => {
  const painted: number[] = [];
  const usable: number[] = [];
  for (let run = 0; run < 7; run++)
    await inPage(async (page) => {
      const from = performance.now();
      await page.goto(consoleUrl);
      await page.getByRole('button', { name: 'Send me a link' }).waitFor();
      usable.push(performance.now() - from);
      painted.push(Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")));
    });
  report('First view painted (median of 7, empty cache)', ms(quantile(painted, 0.5)));
  report('First view painted (slowest)', ms(Math.max(...painted)));
  report('Sign-in form usable (median of 7)', ms(quantile(usable, 0.5)));
};

interface Metrics {
  readonly nodes: number;
  readonly heapMib: number;
  /** CPU time of the main thread: all of it, and what the page itself causes. */
  readonly cpuMs: number;
  readonly scriptMs: number;
  readonly layoutMs: number;
}

const metricsOf = async (session: CDPSession): Promise<Metrics> => {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
  return {
    nodes: metric('Nodes'),
    heapMib: metric('JSHeapUsedSize') / 2 ** 20,
    cpuMs: metric('TaskDuration') * 1000,
    scriptMs: metric('ScriptDuration') * 1000,
    layoutMs: (metric('LayoutDuration') + metric('RecalcStyleDuration')) * 1000,
  };
};

/** Scrolls through all rows in ten seconds; returns the duration of each frame in ms. Runs in the page. */
const scrollThrough = `new Promise((resolve) => {
  const table = document.querySelector('[role=table]');
  const times = [];
  const from = performance.now();
  const step = (now) => {
    times.push(now);
    table.scrollTop = ((now - from) / 10000) * (table.scrollHeight - table.clientHeight);
    if (now - from < 10000) requestAnimationFrame(step);
    else resolve(times.slice(1).map((time, index) => time - times[index]));
  };
  requestAnimationFrame(step);
})`;

/** Scrolls through all rows, and reports the frames. */
const measureScrolling = (): Promise<void> =>
  inPage(async (page) => {
    await page.goto(consoleUrl);
    await signInWithKey(page, stack.adminKey);
    await serveManyDeliveries(page);
    await show(page, '#/deliveries');
    const table = page.getByRole('table');
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.locator('[role=table][aria-rowcount="10001"]').waitFor();
    await table.evaluate((element) => element.scrollTo(0, 0));
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await metricsOf(session);
    const frames = v.parse(v.array(v.number()), await page.evaluate(scrollThrough));
    const after = await metricsOf(session);
    await page.evaluate(scrollThrough);
    const again = await metricsOf(session);
    const total = frames.reduce((sum, frame) => sum + frame, 0);
    report('Scrolling through 10,000 deliveries in 10 s: frames a second', (frames.length / (total / 1000)).toFixed(1));
    report('  a frame, median / 95th percentile', `${ms(quantile(frames, 0.5))} / ${ms(quantile(frames, 0.95))}`);
    const ofFrame = (name: 'cpuMs' | 'scriptMs' | 'layoutMs'): string =>
      ((after[name] - before[name]) / frames.length).toFixed(1);
    report(
      '  main thread for a frame: script / style and layout / all',
      `${ofFrame('scriptMs')} / ${ofFrame('layoutMs')} / ${ofFrame('cpuMs')} ms`,
    );
    report('  elements before / after / after a second time', `${before.nodes} / ${after.nodes} / ${again.nodes}`);
    const heaps = [before, after, again].map(({ heapMib }) => heapMib.toFixed(1));
    report('  JavaScript heap before / after / after a second time', `${heaps.join(' / ')} MiB`);
  });

const publish = (title: string) =>
  running.call('POST', '/admin/events/', {
    key: stack.adminKey,
    body: { events: [{ event: 'post.published', payload: { post: { current: { title }, previous: {} } } }] },
  });

/** From the answer to the publisher until the row is in the document. */
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
      // At another point of the interval of readings each time.
      await page.waitForTimeout(run * 130);
    }
    report('New delivery shown after publishing (median of 12)', ms(quantile(times, 0.5)));
    report('New delivery shown after publishing (slowest)', ms(Math.max(...times)));
  });

/** The keystroke-level model of Card, Moran and Newell: seconds for a decision, a click and a typed character. */
const human = { decision: 1.35, click: 1.1, character: 0.28 };

/** The way of a person who has never seen the page. */
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
      await page.goto(await signInLinkOf(running, email));
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    });
    await step('Webhooks', () => page.getByRole('link', { name: 'Webhooks', exact: true }).click());
    await step('Create a webhook', () => page.getByRole('link', { name: 'Create a webhook' }).first().click());
    const target = `${stack.receiver}/first`;
    await step('Enter the target URL', () => page.getByLabel('Target URL').fill(target), target);
    await step('Choose an event', () => page.getByRole('radio').first().check());
    await step('Create', () => page.locator('form wa-button[variant=brand]').click());
    await step('Send a ping', () => page.getByRole('button', { name: /ping/i }).click());
    await step('Show the delivery', async () => {
      await page.getByRole('link', { name: 'Show it', exact: true }).click();
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
  await measureFirstView();
  await measureScrolling();
  await measureNewDelivery();
  await measureFirstDelivery();
} finally {
  await browser.close();
  await running.end('SIGINT');
  home.remove();
}
