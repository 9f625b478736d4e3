/**
 * Measures scrolling through the list of 10,000 deliveries: at the speed of a fast wheel, by wheel events, and through all rows in ten seconds,
 * which shows different rows in every frame.
 */
import type { Browser, CDPSession, Page } from 'playwright-core';
import * as v from 'valibot';
import { quantile } from './statistics.ts';

/** CPU time of the main thread in ms: in total, and what the page itself causes. */
interface Usage {
  readonly cpu: number;
  readonly script: number;
  readonly layout: number;
}

const metricsOf = async (session: CDPSession): Promise<(name: string) => number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return (name) => metrics.find((one) => one.name === name)?.value ?? 0;
};

const usageOf = async (session: CDPSession): Promise<Usage> => {
  const seconds = await metricsOf(session);
  return {
    cpu: seconds('TaskDuration') * 1000,
    script: seconds('ScriptDuration') * 1000,
    layout: (seconds('LayoutDuration') + seconds('RecalcStyleDuration')) * 1000,
  };
};

interface Size {
  /** Elements in the document. */
  readonly elements: number;
  readonly heapMib: number;
}

const sizeOf = async (page: Page, session: CDPSession): Promise<Size> => {
  // Taking a snapshot frees everything unreachable, even what an ordinary collection leaves for later.
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return {
    elements: Number(await page.evaluate("document.querySelectorAll('*').length")),
    heapMib: (await metricsOf(session))('JSHeapUsedSize') / 2 ** 20,
  };
};

/** Records the frames of the main thread, and the frames in which part of the window shows no row. */
const recordFrames = `(() => {
  const table = document.querySelector('[role=table]');
  const body = table.querySelector('.rows-body');
  const height = parseInt(body.firstElementChild.style.height);
  const recorded = (window.recorded = { times: [], missing: 0, isOver: false });
  const step = (now) => {
    if (recorded.isOver) return;
    recorded.times.push(now);
    const [first, last] = [body.firstElementChild, body.lastElementChild].map((row) => row.ariaRowIndex - 2);
    if (first * height > table.scrollTop || (last + 1) * height < table.scrollTop + table.clientHeight) recorded.missing++;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})()`;

const takeFrames = `(() => {
  const { times, missing } = window.recorded;
  window.recorded.isOver = true;
  return { frames: times.slice(1).map((time, index) => time - times[index]), missing };
})()`;

const recorded = v.object({ frames: v.array(v.number()), missing: v.number() });

/** Scrolls through all rows in ten seconds. */
const scrollThrough = `new Promise((resolve) => {
  const table = document.querySelector('[role=table]');
  const from = performance.now();
  const step = (now) => {
    table.scrollTop = ((now - from) / 10000) * (table.scrollHeight - table.clientHeight);
    if (now - from < 10000) requestAnimationFrame(step);
    else resolve();
  };
  requestAnimationFrame(step);
})`;

/** Pixels per second: twenty notches of a wheel, 55 rows. */
const wheelSpeed = 2400;

interface Drawn<T> {
  readonly result: T;
  /** Returns how many frames the compositor drew. */
  readonly drawn: number;
}

const countDrawn = async <T>(browser: Browser, act: () => Promise<T>): Promise<Drawn<T>> => {
  const session = await browser.newBrowserCDPSession();
  let drawn = 0;
  session.on('Tracing.dataCollected', ({ value }) => {
    drawn += value.filter(
      (event) => 'name' in event && event.name === 'Display::DrawAndSwap' && event.ph === 'X',
    ).length;
  });
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['viz'] } });
  const result = await act();
  await session.send('Tracing.end');
  await isComplete;
  await session.detach();
  return { result, drawn };
};

/** Scrolls a page that shows the list, and reports the frames, the elements and the heap. */
export const measureScrolling = async (
  browser: Browser,
  page: Page,
  report: (what: string, value: string) => void,
): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const scroll = async (act: () => Promise<unknown>): Promise<Size> => {
    const before = await usageOf(session);
    const { result, drawn } = await countDrawn(browser, async () => {
      await page.evaluate(recordFrames);
      await act();
      return v.parse(recorded, await page.evaluate(takeFrames));
    });
    const after = await usageOf(session);
    const { frames, missing } = result;
    const seconds = frames.reduce((sum, frame) => sum + frame, 0) / 1000;
    const perSecond = (count: number): string => (count / seconds).toFixed(1);
    const ofFrame = (name: keyof Usage): string => ((after[name] - before[name]) / frames.length).toFixed(1);
    report('  frames a second: drawn / by the main thread', `${perSecond(drawn)} / ${perSecond(frames.length)}`);
    report(
      '  a frame of the main thread, median / 95th percentile',
      `${quantile(frames, 0.5).toFixed(0)} / ${quantile(frames, 0.95).toFixed(0)} ms`,
    );
    report('  frames in which a row is missing', String(missing));
    report(
      '  main thread for a frame: script / style and layout / all',
      `${ofFrame('script')} / ${ofFrame('layout')} / ${ofFrame('cpu')} ms`,
    );
    return sizeOf(page, session);
  };
  const wheel = { x: 700, y: 500, speed: wheelSpeed, gestureSourceType: 'mouse', preventFling: true } as const;
  const sizes = [await sizeOf(page, session)];
  report(`Scrolling with ${wheelSpeed} px a second, by wheel`, '');
  sizes.push(
    await scroll(() => session.send('Input.synthesizeScrollGesture', { ...wheel, yDistance: -10 * wheelSpeed })),
  );
  for (const pass of ['', ', again', ', a third time']) {
    report(`Scrolling through 10,000 deliveries in 10 s${pass}`, '');
    sizes.push(await scroll(() => page.evaluate(scrollThrough)));
  }
  report('Elements before, and after each of these', sizes.map(({ elements }) => elements).join(' / '));
  report('JavaScript heap', `${sizes.map(({ heapMib }) => heapMib.toFixed(1)).join(' / ')} MiB`);
};
