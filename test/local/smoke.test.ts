/** `npm run smoke`: against a stage that works, and against what does not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { runScript } from '../support/run-script.ts';

const smoke = 'infra/commands/smoke.ts';
const home = temporaryHome();
let running: RunningStack;
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
}, 30_000);
afterAll(async () => {
  await running.end('SIGINT');
  home.remove();
});

test('does the main job on a running stack, and takes back what it has made', async () => {
  const { baseUrl, adminKey, receiver } = running.stack;
  const first = await runScript(smoke, [baseUrl], { MASTHEAD_KEY: adminKey });
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining(`${baseUrl} does its job.`) });
  for (const step of ['and delivered', 'an invitation is mailed', 'what was made is taken back'])
    expect(first.output).toContain(`✓ ${step}`);
  const second = await runScript(smoke, [`${baseUrl}/`, '--target', `${receiver}/smoke`], { MASTHEAD_KEY: adminKey });
  expect(second).toMatchObject({ code: 0 });
  const { text } = await running.call('GET', '/admin/integrations/', { key: adminKey });
  expect(text).not.toContain('smoke-');
}, 30_000);

test('a target that does not answer as it should fails it, with the reason', async () => {
  const { baseUrl, adminKey } = running.stack;
  const target = `${baseUrl}/no/such/path`;
  const { code, output } = await runScript(smoke, [baseUrl, '--target', target], { MASTHEAD_KEY: adminKey });
  expect(output).toContain('✗ and delivered: the target did not answer with 2xx but with 404');
  expect(code).toBe(1);
}, 30_000);

test.each([
  ['an unknown key', '0'.repeat(24).concat(':', '1'.repeat(64)), 'was answered with 401'],
  ['no key', '', 'MASTHEAD_KEY is no key of the form <id>:<secret>'],
])('%s is told', async (_title, key, reason) => {
  const { code, output } = await runScript(smoke, [running.stack.baseUrl], { MASTHEAD_KEY: key });
  expect(output).toContain(reason);
  expect(code).toBe(1);
});

test('without a URL nothing is called good', async () => {
  expect(await runScript(smoke, [])).toEqual({
    code: 1,
    output: '<url> is missing; --help tells what this command takes.\n',
  });
});
