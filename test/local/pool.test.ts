/** Functions in worker threads have Lambda's limits of time, memory and concurrency, and an environment of their own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Pool, startPool } from '../../infra/emulator/lambda/pool.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';

const folder = temporaryHome();
const pools: Pool[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});
afterAll(() => folder.remove());

let count = 0;

const poolOf = (source: string, { limit = 2, timeoutMs = 5000 } = {}): Pool => {
  const bundle = join(folder.folder, `bundle-${count++}`);
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.mjs'), source);
  const deployment = {
    name: 'masthead-test-function',
    folder: bundle,
    module: 'index.mjs',
    export: 'handler',
    timeoutMs,
    memoryMb: 64,
    logGroup: '/masthead/test/function',
    environment: { FROM_TEMPLATE: 'yes' },
  };
  const logFile = join(folder.folder, 'log');
  const pool = startPool(deployment, {
    limit,
    logFile,
    secret: 'secret',
    environment: { FROM_RUNNER: 'yes' },
    onBegin() {},
    onEnd() {},
  });
  pools.push(pool);
  return pool;
};

test('a function receives its event, its context and its own environment variables, none of the parent', async () => {
  process.env.OF_THE_PARENT = 'yes';
  const pool = poolOf(`export const handler = async (event, context) => ({
    event, name: context.functionName, time: context.getRemainingTimeInMillis(), environment: { ...process.env } });`);
  const run = await pool.invoke({ n: 1 });
  expect(run).toMatchObject({
    ok: true,
    result: {
      event: { n: 1 },
      name: 'masthead-test-function',
      environment: { FROM_TEMPLATE: 'yes', FROM_RUNNER: 'yes' },
    },
  });
  expect(JSON.stringify(run)).not.toContain('OF_THE_PARENT');
});

test('the output of a function goes to the log', async () => {
  const pool = poolOf(`export const handler = async () => { console.log('a line of a function'); };`);
  await pool.invoke({});
  expect(readFileSync(join(folder.folder, 'log'), 'utf8')).toContain('a line of a function\n');
});

test('an error of a function is returned, and the next run works', async () => {
  const pool = poolOf(
    `export const handler = async (event) => { if (event.bad) throw new TypeError('no'); return 'fine'; };`,
  );
  expect(await pool.invoke({ bad: true })).toMatchObject({ ok: false, error: { name: 'TypeError', message: 'no' } });
  expect(await pool.invoke({})).toMatchObject({ ok: true, result: 'fine' });
});

test('a bundle that does not load fails every run', async () => {
  const pool = poolOf(`throw new Error('broken at import');`);
  expect(await pool.invoke({})).toMatchObject({ ok: false, error: { message: 'broken at import' } });
  expect(await pool.invoke({})).toMatchObject({ ok: false, error: { message: 'broken at import' } });
});

test('a function in an endless loop is ended at its timeout, and replaced', async () => {
  const pool = poolOf(`export const handler = async (event) => { while (event.loop); return 'fine'; };`, {
    limit: 1,
    timeoutMs: 500,
  });
  expect(await pool.invoke({ loop: true })).toMatchObject({
    ok: false,
    error: { name: 'Sandbox.Timedout', message: 'Task timed out after 0.50 seconds' },
  });
  expect(await pool.invoke({})).toMatchObject({ ok: true, result: 'fine' });
});

test('a function that exceeds its memory is ended, and replaced', async () => {
  const pool = poolOf(`export const handler = async (event) => {
    const kept = []; while (event.greedy) kept.push(new Array(100000).fill({})); return 'fine'; };`);
  expect(await pool.invoke({ greedy: true })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('memory') },
  });
  expect(await pool.invoke({})).toMatchObject({ ok: true, result: 'fine' });
});

test('an environment handles one event at a time, and their number is limited', async () => {
  const pool = poolOf(
    `import { threadId } from 'node:worker_threads';
    let busy = false;
    export const handler = async () => {
      if (busy) throw new Error('two at a time');
      busy = true; await new Promise((resolve) => setTimeout(resolve, 5)); busy = false;
      return threadId; };`,
    { limit: 2 },
  );
  const runs = await Promise.all(Array.from({ length: 40 }, () => pool.invoke({})));
  const threads = new Set(runs.map((run) => (run.ok ? run.result : 'failed')));
  expect(threads.has('failed')).toBe(false);
  expect(threads.size).toBeLessThanOrEqual(2);
});

test('running and waiting invocations fail when the pool is stopped', async () => {
  const pool = poolOf(`export const handler = () => new Promise((resolve) => setTimeout(resolve, 60000));`, {
    limit: 1,
  });
  const runs = [pool.invoke({}), pool.invoke({})];
  await pool.stop();
  for (const run of runs) expect(await run).toMatchObject({ ok: false });
});
