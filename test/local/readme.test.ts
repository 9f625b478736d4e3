/** The README's first delivery and the recipes work if you paste their blocks one after the other. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, section = ''] = readme.split('## Your first delivery');
/** Returns the commands of a page as they are pasted, without the indent of a list. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/^( *)```sh\n(.*?)^ *```/gms)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
const [firstDelivery = ''] = section.split('\n## ');
const blocks = commandsIn(firstDelivery);
const expected = [...firstDelivery.matchAll(/```json\n(.*?)\n```/gs)].map(([, block = '']) => block);

const home = temporaryHome();
let running: RunningStack;
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
});
afterAll(async () => {
  await running.end('SIGTERM');
  home.remove();
});

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

/** Returns the fields of the first item that a block of the README shows, in their order. */
const fieldsIn = (text: string): string[] => [...text.matchAll(/"(\w+)":(?!\[)/g)].map(([, name = '']) => name);

it("the README's commands create a webhook, deliver an event, rename the webhook and invite an author", async () => {
  const [names = '', create = '', publish = '', rename = '', invite = ''] = blocks;
  const { stack, call } = running;

  const answers = paste(names, create, publish, rename, invite, 'echo "id=$id"').split('\n');
  const [, id = ''] = /^id=([0-9a-f]{24})$/m.exec(answers.join('\n')) ?? [];
  expect(answers.join()).not.toContain('"errors"');
  for (const shown of expected) {
    const [root = ''] = shown.split('[', 1);
    const answer = answers.find((line) => line.startsWith(root));
    expect(fieldsIn(answer ?? '').slice(0, fieldsIn(shown).length)).toEqual(fieldsIn(shown));
  }
  expect(await shown(stack.received, 'Hello')).toContain('x-ghost-signature');
  const { body } = await call('GET', '/admin/integrations/?include=webhooks', { key: stack.adminKey });
  const webhooks = body.integrations.flatMap((one: { webhooks: { id: string; name: string }[] }) => one.webhooks);
  expect(webhooks).toContainEqual(expect.objectContaining({ id, name: 'Site rebuild' }));
  await shown(`${stack.mailbox}/store`, 'ada@example.com');
});

const recipes = join(root, 'docs/recipes');
const pages = readdirSync(recipes).filter((page) => page !== 'README.md');

it.each(pages)('the commands of the recipe %s preview a request, create the webhook and send an example', (page) => {
  const [names = ''] = commandsIn(readFileSync(join(recipes, 'README.md'), 'utf8'));
  const commands = commandsIn(readFileSync(join(recipes, page), 'utf8'));
  const answers = paste(names, ...commands);
  expect(answers).not.toContain('"errors"');
  expect(answers).toContain('{"webhooks":[{"id":');
});
