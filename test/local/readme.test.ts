/** The README's first delivery works if you paste its blocks one after the other. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../infra/local/demo/eventually.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, section = ''] = readme.split('## Your first delivery');
const blocks = [...(section.split('\n## ')[0] ?? '').matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

const home = temporaryHome();
let running: RunningStack;
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
});
afterAll(async () => {
  await running.end('SIGTERM');
  home.remove();
});

/** Runs blocks in one shell, with the addresses of this stack. */
const paste = (...pasted: readonly string[]): string => {
  const script = pasted
    .join("\nprintf '\\n'\n")
    .replace('http://127.0.0.1:3368/ghost/api', running.stack.baseUrl)
    .replace('http://127.0.0.1:3369', running.stack.receiver);
  const env = { ...process.env, MASTHEAD_HOME: home.folder };
  return execFileSync('bash', ['-euc', script], { cwd: root, env, encoding: 'utf8' });
};

const shown = (url: string, text: string) =>
  eventually(`${text} at ${url}`, async () => {
    const answer = await (await fetch(url)).text();
    return answer.includes(text) ? answer : undefined;
  });

it("the README's commands create a webhook, deliver an event, rename and delete the webhook, and invite an author", async () => {
  const [names = '', create = '', publish = '', ...rest] = blocks;
  const { stack, call } = running;

  const first = paste(names, create, publish, 'echo "id=$id"');
  const [, id = ''] = /^id=([0-9a-f]{24})$/m.exec(first) ?? [];
  expect(first).not.toContain('"errors"');
  expect(await shown(stack.received, 'Hello')).toContain('x-ghost-signature');

  const second = paste(names, `id=${id}`, ...rest);
  expect(second).not.toContain('"errors"');
  expect(second).toMatch(new RegExp(`"id":"${id}".*"name":"Site rebuild"`));
  expect(
    (await call('PUT', `/admin/webhooks/${id}/`, { key: stack.adminKey, body: { webhooks: [{ name: 'x' }] } })).status,
  ).toBe(404);
  await shown(`${stack.mailbox}/store`, 'ada@example.com');
});
