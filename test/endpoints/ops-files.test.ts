/** `npm run ops -- export` and `apply`: what a stage has as a file, and a stage that becomes what a file has. */
import { readFileSync, statSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { opsOn } from '../support/ops.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const { owner } = await stack.seed();
const { as, answerWith, file } = opsOn(stack);
const ops = (...args: string[]) => as(owner)(args);
/** Variables that a file names; running a command ends stubs. */
const set = (variables: Readonly<Record<`WEBHOOK_${string}`, string>>) => Object.assign(process.env, variables);
afterEach(() => {
  answerWith();
  for (const name of Object.keys(process.env)) if (name.startsWith('WEBHOOK_')) delete process.env[name];
});

const secrets = file('applied.json', '').replace('applied.json', 'secrets.env');
const valuesMade = () =>
  Object.fromEntries(
    readFileSync(secrets, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
const exported = async (): Promise<string> => (await ops('export')).output;
const applied = (content: unknown, ...options: string[]) =>
  ops('apply', file('applied.json', typeof content === 'string' ? content : JSON.stringify(content)), ...options);
const empty = async () => {
  expect(await applied({ integrations: [] }, '--prune', '--yes')).toMatchObject({ code: 0 });
  await stack.drain('deletions');
  expect(JSON.parse(await exported())).toEqual({ integrations: [] });
};
const inFile = (name: string) => `\${${name}}`;
const hook = (place: number, more: object = {}) => ({
  event: 'post.published',
  target_url: `https://hooks.example.com/${place}`,
  name: `Hook ${place}`,
  ...more,
});

const small = (...webhooks: object[]) => ({ integrations: [{ name: 'Desk', webhooks }] });
const desk = async () =>
  JSON.parse(await exported()).integrations.find(({ name }: { name: string }) => name === 'Desk');

it('what differs is shown, and a question comes before it changes', async () => {
  const created =
    '+ integration Desk\n+ webhook Desk / Hook 1000\n    post.published → https://hooks.example.com/1000\n';
  expect(await applied(small(hook(1000)))).toEqual({
    code: 2,
    output: created,
    errors: expect.stringContaining('Make these 2 changes? Add --yes'),
  });
  expect((await applied(small(hook(1000)), '--yes')).output).toMatch(/\nDone\.\n$/);
  expect(await applied(small(hook(1000)))).toEqual({ code: 0, output: 'Nothing differs.\n', errors: '' });
});

it('a webhook keeps what the stage knows of it when its name changes, or its event and target', async () => {
  await applied(small(hook(1000), hook(1001)), '--yes');
  const renamed = small(hook(1000, { name: 'Renamed' }), hook(1001, { event: 'post.unpublished' }));
  const { output } = await applied(renamed, '--yes');
  expect(output).toContain('~ webhook Desk / Renamed\n    name: Hook 1000 → Renamed\n');
  expect(output).toContain('~ webhook Desk / Hook 1001\n    event: post.published → post.unpublished\n');
  expect(output).not.toMatch(/^[+-]/m);
});

it('what a webhook lacks in the file has its default, and what the file lacks stays unless pruned', async () => {
  await applied(small(hook(1000, { options: { description: 'Old' } }), hook(1001)), '--yes');
  const { output } = await applied(small(hook(1000)), '--yes');
  expect(output).toBe('~ webhook Desk / Hook 1000\n    options.description: Old → null\nDone.\n');
  expect((await desk()).webhooks).toHaveLength(2);
  await applied({ integrations: [{ name: 'Old CRM', webhooks: [hook(1002)] }] }, '--yes');
  expect((await applied(small(hook(1000)), '--prune', '--dry-run')).output).toContain(
    '- webhook Desk / Hook 1001\n- integration Old CRM\n    with its keys and 1 webhook\n',
  );
});

it('a target has the values of variables', async () => {
  const at = small({ event: 'post.published', target_url: `${inFile('WEBHOOK_HOOKS')}/of-desk` });
  expect(await applied(at)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('needs the variable WEBHOOK_HOOKS'),
  });
  set({ WEBHOOK_HOOKS: 'https://prod.example.com' });
  expect((await applied(at, '--dry-run')).output).toContain(
    '+ webhook Desk / post.published → https://prod.example.com/of-desk\n',
  );
});

it.each([
  ['two integrations of one name', { integrations: [{ name: 'A' }, { name: 'A' }] }, 'more than one integration A'],
  ['two webhooks of one name', small(hook(1), hook(2, { name: 'Hook 1' })), 'more than one webhook Desk / Hook 1'],
  ['two webhooks of one event and target', small(hook(1), hook(1, { name: null })), 'for post.published → https://'],
  ['a secret', small(hook(1, { secret: 's3cret' })), 'secret must name a variable'],
  ['a header that is no variable', small(hook(1, { options: { headers: { A: 'b' } } })), 'headers.A must name'],
  [
    'a variable of another kind',
    small(hook(1, { target_url: `https://evil.example/${inFile('AWS_SECRET_ACCESS_KEY')}` })),
    'target_url names AWS_SECRET_ACCESS_KEY; variables begin with WEBHOOK_',
  ],
  ['an unknown field', small(hook(1, { targt: 1 })), '`integrations.0.webhooks.0.targt` is unknown.'],
  ['no JSON', '{', 'The file is not JSON: '],
])('a file with %s is refused before anything changes', async (_what, content, reason) => {
  answerWith((method) => {
    throw new Error(`${method} was sent`);
  });
  expect(await applied(content, '--yes')).toMatchObject({ code: 2, errors: expect.stringContaining(reason) });
});

it('a name that several webhooks of the stage have is refused by both commands', async () => {
  const {
    body: { integrations },
  } = await stack.call('integrations/list', { path: '/admin/integrations/?limit=100', key: owner });
  const { id } = integrations.find(({ name }: { name: string }) => name === 'Desk');
  const twin = { ...hook(2000), name: 'Hook 1000', integration_id: id };
  const created = await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    body: { webhooks: [twin] },
    key: owner,
  });
  const refused = { code: 2, errors: expect.stringContaining('more than one webhook Desk / Hook 1000') };
  expect(await ops('export')).toMatchObject(refused);
  expect(await applied(small(hook(1000)), '--yes')).toMatchObject(refused);
  await ops('webhooks', 'delete', created.body.webhooks[0].id, '--yes');
});

it('secrets of a webhook are set again when asked, and needed when its target changes', async () => {
  const withToken = (place: number, more: object = {}) =>
    small(hook(place, { name: 'Signed', options: { headers: { 'X-Token': inFile('WEBHOOK_TOKEN') } }, ...more }));
  const sent: string[] = [];
  answerWith((_method, _path, body) => {
    sent.push(body);
    return undefined;
  });
  set({ WEBHOOK_TOKEN: 'first' });
  await applied(withToken(3000), '--yes');
  expect((await applied(withToken(3000), '--yes')).output).toBe('Nothing differs.\n');
  set({ WEBHOOK_TOKEN: 'second' });
  expect((await applied(withToken(3000), '--set-secrets', '--yes')).output).toBe(
    `~ webhook Desk / Signed\n    headers.X-Token: set from ${inFile('WEBHOOK_TOKEN')}\nDone.\n`,
  );
  expect(sent.at(-1)).toContain('"headers":{"X-Token":"second"}');
  delete process.env.WEBHOOK_TOKEN;
  expect(await applied(withToken(3001), '--yes')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('needed and not set: WEBHOOK_TOKEN'),
  });
  set({ WEBHOOK_TOKEN: 'third' });
  expect(await applied(withToken(3001), '--yes')).toMatchObject({ code: 0 });
  expect(sent.at(-1)).toContain('"headers":{"X-Token":"third"}');
});

it('what a stop left is done by the next run', async () => {
  const wanted = small(...[4000, 4001, 4002].map((place) => hook(place)));
  let creations = 0;
  answerWith((method) => (method === 'POST' && ++creations === 2 ? new Response('{}', { status: 500 }) : undefined));
  expect(await applied(wanted, '--yes')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /^webhook Desk \/ Hook 4001: [\s\S]*1 of 3 changes are made\. Run the command again/m,
    ),
  });
  const { output } = await applied(wanted, '--yes');
  expect(output).toBe(
    '+ webhook Desk / Hook 4001\n    post.published → https://hooks.example.com/4001\n+ webhook Desk / Hook 4002\n' +
      '    post.published → https://hooks.example.com/4002\nDone.\n',
  );
});

it('500 webhooks, exported and applied, are exported as the same file; one change differs by a line', async () => {
  await empty();
  const options = [
    {
      description: 'For the desk',
      filter: { post: { current: { tags: { slug: ['news'] } } } },
      throttle: { requests: 3, per: 'second' },
    },
    {
      headers: { Authorization: inFile('WEBHOOK_PRESS_HOOK_101_AUTHORIZATION') },
      debounce: { seconds: 60, max_seconds: 600, per: 'webhook' },
    },
    { format: { type: 'template', template: { text: '{{post.current.title}}' } } },
  ];
  /** Webhooks in the order and the form of an export. */
  const webhooksFrom = (first: number, group: string) =>
    Array.from({ length: 250 }, (_, place) => ({
      ...hook(first + place),
      secret: inFile(`WEBHOOK_${group}_HOOK_${first + place}_SECRET`),
      api_version: 'v6.0',
      ...(first + place < 103 && { options: options[place] }),
    }));
  const text = JSON.stringify(
    {
      integrations: [
        { name: 'Bookshop', contact_email: 'ops@bookshop.example', webhooks: webhooksFrom(350, 'BOOKSHOP') },
        { name: 'Press', can_publish: true, webhooks: webhooksFrom(100, 'PRESS') },
      ],
    },
    null,
    2,
  );
  expect(await applied(text, '--yes')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('These variables are needed and not set: WEBHOOK_BOOKSHOP_HOOK_350_SECRET, '),
  });
  set({ WEBHOOK_PRESS_HOOK_101_AUTHORIZATION: 'Bearer one' });
  const { code, output } = await applied(text, '--new-secrets', secrets, '--yes');
  expect(code).toBe(0);
  expect(output).toContain('+ integration Bookshop\n');
  expect(output).toMatch(/The key of Press was not printed\. .* npm run ops -- keys roll [0-9a-f]{24}\n/);
  expect(valuesMade().WEBHOOK_PRESS_HOOK_107_SECRET).toMatch(/^whsec_/);
  expect(statSync(secrets).mode & 0o077).toBe(0);
  expect(await exported()).toBe(`${text}\n`);
  const changed = text.replace('https://hooks.example.com/107"', 'https://new.example.com/107"');
  const difference =
    '~ webhook Press / Hook 107\n    target_url: https://hooks.example.com/107 → https://new.example.com/107\n';
  expect(await applied(changed, '--dry-run')).toEqual({ code: 0, output: difference, errors: '' });
});
