/** Functions run in worker threads (environments) with Lambda's limits of time, memory and concurrency. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Pool, startPool } from '../../infra/emulator/lambda/pool.ts';
import { eventual } from '../support/eventual.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';

const folder = temporaryHome();
const pools: Pool[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});
afterAll(() => folder.remove());

let count = 0;

const bundleOf = (source: string): string => {
  const bundle = join(folder.folder, `bundle-${count++}`);
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.mjs'), source);
  return bundle;
};

const poolOf = (source: string, options = {}): Pool => poolOfFolder(bundleOf(source), options);

const poolOfFolder = (bundle: string, { limit = 2, timeoutMs = 5000, maxIdleMs = 60_000 } = {}): Pool => {
  const deployment = {
    name: 'masthead-test-function',
    folder: bundle,
    module: 'index.mjs',
    export: 'handler',
    timeoutMs,
    memoryMb: 64,
    description: '',
    environment: { FROM_TEMPLATE: 'yes' },
  };
  const logFile = join(folder.folder, 'log');
  const pool = startPool(deployment, {
    limit,
    logFile,
    secret: 'secret',
    environment: { FROM_RUNNER: 'yes' },
    maxIdleMs,
    onBegin() {},
    onEnd() {},
  });
  pools.push(pool);
  return pool;
};

test('a function receives its event, its context and only its own environment variables', async () => {
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

test('source maps use no memory until a stack trace is logged, which then names the source', async () => {
  // Given a bundle with a map of its only line
  const bundle = bundleOf(
    `export const handler = async () => { const { stack } = new Error('read'); console.log(new Error('logged')); ` +
      'return stack; };',
  );
  const map = { version: 3, sources: ['written.ts'], names: [], mappings: 'AAAA' };
  writeFileSync(join(bundle, 'index.mjs.map'), JSON.stringify(map));
  // When
  const run = await poolOfFolder(bundle).invoke({});
  // Then
  expect(run).toMatchObject({ ok: true, result: expect.stringMatching(/index\.mjs:1:\d+/) });
  expect(readFileSync(join(folder.folder, 'log'), 'utf8')).toMatch(/Error: logged\n.*\/written\.ts:1:\d+/);
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

test('an environment that exits while it loads fails its run', async () => {
  const pool = poolOf('process.exit(3);');
  for (let run = 0; run < 2; run++)
    expect(await pool.invoke({})).toMatchObject({ ok: false, error: { name: 'Runtime.ExitError' } });
});

test('a cooled function has no environment, and its next run starts one', async () => {
  const pool = poolOf('let runs = 0; export const handler = async () => ++runs;');
  await pool.invoke({});
  pool.cool();
  expect(await pool.invoke({})).toMatchObject({ ok: true, result: 1 });
});

test('a function in an endless loop is stopped at its timeout, and its environment is replaced', async () => {
  const pool = poolOf(`export const handler = async (event) => { while (event.loop); return 'fine'; };`, {
    limit: 1,
    timeoutMs: 2000,
  });
  expect(await pool.invoke({ loop: true })).toMatchObject({
    ok: false,
    error: { name: 'Sandbox.Timedout', message: 'Task timed out after 2.00 seconds' },
  });
  expect(await pool.invoke({})).toMatchObject({ ok: true, result: 'fine' });
});

test('an error that is thrown outside the handler ends the environment, which is replaced', async () => {
  const pool = poolOf(`export const handler = async (event) => {
    if (event.bad) await new Promise(() => setImmediate(() => { throw new TypeError('outside'); })); return 'fine'; };`);
  for (let run = 0; run < 3; run++) {
    expect(await pool.invoke({ bad: true })).toMatchObject({ ok: false, error: { name: 'TypeError' } });
    expect(await pool.invoke({})).toMatchObject({ ok: true, result: 'fine' });
  }
});

test('a function that exceeds its memory is stopped, and its environment is replaced', async () => {
  const pool = poolOf(`export const handler = async (event) => {
    const kept = []; while (event.greedy) kept.push(new Array(100000).fill({})); return 'fine'; };`);
  expect(await pool.invoke({ greedy: true })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('memory') },
  });
  expect(await pool.invoke({})).toMatchObject({ ok: true, result: 'fine' });
});

test('an environment handles one event at a time, and the number of environments is limited', async () => {
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

test('an idle environment ends if another one is idle too', async () => {
  // Given two environments that each have handled one event of a pair
  const pool = poolOf(
    `import { mkdirSync, readdirSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    import { threadId } from 'node:worker_threads';
    export const handler = async (pair) => {
      mkdirSync(pair + '/' + threadId, { recursive: true });
      while (readdirSync(pair).length < 2) await setTimeout(1);
      return threadId; };`,
    { limit: 2, maxIdleMs: 1 },
  );
  let pairs = 0;
  const threadsOfPair = async () => {
    const pair = join(folder.folder, `pair-${pairs++}`);
    const runs = await Promise.all([pool.invoke(pair), pool.invoke(pair)]);
    return runs.map((run) => (run.ok ? Number(run.result) : Number.NaN));
  };
  const first = await threadsOfPair();
  // Then one of them remains, and a further one is started with the next pair
  await eventual(async () => {
    const next = await threadsOfPair();
    expect(next.filter((thread) => first.includes(thread))).toHaveLength(1);
  });
});

test('running and waiting invocations fail when the pool is stopped', async () => {
  const pool = poolOf(`export const handler = () => new Promise((resolve) => setTimeout(resolve, 60000));`, {
    limit: 1,
  });
  const runs = [pool.invoke({}), pool.invoke({})];
  await pool.stop();
  for (const run of runs) expect(await run).toMatchObject({ ok: false });
});

test('invocations wait until the bundle of their function exists', async () => {
  // Given a pool of a bundle that is still being made
  const bundle = join(folder.folder, 'later');
  const pool = poolOfFolder(bundle);
  const run = pool.invoke({});
  expect(pool.isWarm()).toBe(false);
  // When it is there
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.mjs'), `export const handler = async () => 'made';`);
  pool.resume();
  // Then
  expect(await run).toMatchObject({ ok: true, result: 'made' });
});

describe('when the bundle of a function is replaced', () => {
  const version = (name: string) => `export const handler = async () => '${name}';`;
  const replaced = (pool: Pool, source: string) =>
    new Promise<string>((resolve) => {
      pool.update(bundleOf(source), (error) => resolve(error?.message ?? 'loaded'));
    });

  test('the next invocation runs the new bundle', async () => {
    const pool = poolOf(version('first'));
    expect(await pool.invoke({})).toMatchObject({ result: 'first' });
    expect(await replaced(pool, version('second'))).toBe('loaded');
    expect(await pool.invoke({})).toMatchObject({ result: 'second' });
  });

  test('a function that was never used runs the new bundle from the start', async () => {
    const pool = poolOf(version('first'));
    const loaded = replaced(pool, version('second'));
    expect(await pool.invoke({})).toMatchObject({ result: 'second' });
    expect(await loaded).toBe('loaded');
  });

  test('a running invocation finishes with the old bundle', async () => {
    // Given an invocation that waits until the new bundle is in use
    const pool = poolOf(`import { existsSync, writeFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      export const handler = async ({ began, go }) => {
        writeFileSync(began, '');
        while (!existsSync(go)) await setTimeout(5);
        return 'first';
      };`);
    const [began, go] = [join(folder.folder, 'began'), join(folder.folder, 'go')];
    const running = pool.invoke({ began, go });
    await eventual(() => expect(existsSync(began)).toBe(true));
    // When the bundle is replaced
    await replaced(pool, version('second'));
    expect(await pool.invoke({})).toMatchObject({ result: 'second' });
    writeFileSync(go, '');
    // Then
    expect(await running).toMatchObject({ ok: true, result: 'first' });
  });

  test.each([
    ['in use', true],
    ['not used yet', false],
  ])('a new bundle that does not load is dropped, for a function %s', async (_what, isUsed) => {
    const pool = poolOf(version('first'));
    if (isUsed) await pool.invoke({});
    const broken = replaced(pool, `throw new Error('broken at import');`);
    expect(await pool.invoke({})).toMatchObject({ result: 'first' });
    expect(await broken).toBe('broken at import');
    expect(await pool.invoke({})).toMatchObject({ result: 'first' });
  });

  test('the later of two replacements is used', async () => {
    const pool = poolOf(version('first'));
    await pool.invoke({});
    void replaced(pool, version('second'));
    expect(await replaced(pool, version('third'))).toBe('loaded');
    expect(await pool.invoke({})).toMatchObject({ result: 'third' });
  });

  test('invocations wait while the function is paused', async () => {
    const pool = poolOf(version('first'));
    await pool.invoke({});
    pool.pause();
    const held = pool.invoke({});
    let isReleased = false;
    void pool.resumed().then(() => {
      isReleased = true;
    });
    expect(await replaced(pool, version('second'))).toBe('loaded');
    expect(isReleased).toBe(false);
    pool.resume();
    expect(await held).toMatchObject({ result: 'second' });
    expect(isReleased).toBe(true);
  });
});
