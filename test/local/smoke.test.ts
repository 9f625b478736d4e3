/** `npm run smoke` succeeds on a stack that works, reports what is wrong, and removes what it made. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { runScript } from '../support/run-script.ts';

const smoke = 'infra/ops/smoke.ts';
const home = temporaryHome();
let running: RunningStack;
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
});
afterAll(async () => {
  await running.end('SIGINT');
  home.remove();
});

test('the smoke test passes with the key of an integration, and deletes its webhook', async () => {
  const { baseUrl, integrationKey, adminKey, receiver } = running.stack;
  const first = await runScript(smoke, [baseUrl], { MASTHEAD_KEY: integrationKey });
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining(`${baseUrl} works.`) });
  for (const step of ['Deliver the event', 'Invite', 'Delete the webhook']) expect(first.output).toContain(`✓ ${step}`);
  const target = ['--target', `${receiver}/smoke`];
  const second = await runScript(smoke, [`${baseUrl}/`, ...target], { MASTHEAD_KEY: integrationKey });
  expect(second).toMatchObject({ code: 0 });
  const { text } = await running.call('GET', '/admin/integrations/?include=webhooks', { key: adminKey });
  expect(text).not.toContain('smoke');
});

test('the smoke test fails with the reason if the target returns an error', async () => {
  const { baseUrl, integrationKey } = running.stack;
  const target = `${baseUrl}/no/such/path`;
  const { code, output } = await runScript(smoke, [baseUrl, '--target', target], { MASTHEAD_KEY: integrationKey });
  expect(output).toContain('✗ Deliver the event: The target returned 404, expected 2xx');
  expect(code).toBe(1);
});

test.each([
  ['an unknown key', '0'.repeat(24).concat(':', '1'.repeat(64)), 'returned 401', 1],
  ['no key', '', 'MASTHEAD_KEY is not set. Set it to the key of an integration that may publish.', 2],
  ['a malformed key', 'secret', 'MASTHEAD_KEY does not have the form <id>:<secret>.', 2],
])('the smoke test fails with the reason for %s', async (_title, key, reason, exitCode) => {
  const { code, output } = await runScript(smoke, [running.stack.baseUrl], { MASTHEAD_KEY: key });
  expect(output).toContain(reason);
  expect(code).toBe(exitCode);
});

test('the smoke test fails without a URL', async () => {
  expect(await runScript(smoke, [])).toEqual({
    code: 2,
    output: expect.stringMatching(/^<url> is missing: .*Run with --help for usage\.\n$/),
  });
});
