/** `npm run ops -- import-ghost`: a Ghost site's webhooks move to Masthead and back, and receivers notice nothing. */
import { createHmac } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { type FakeGhostSite, startGhostSite } from '../support/ghost-site.ts';
import { type Delivery, receiveWebhooks, type WebhookReceiver } from '../support/parts-receiver.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { runScript } from '../support/run-script.ts';

const home = temporaryHome();
let running: RunningStack;
let site: FakeGhostSite;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [running, site, receiver] = await Promise.all([
    runStack(home.folder, ['--memory']),
    startGhostSite(),
    receiveWebhooks(),
  ]);
  const at = (path: string) => `${receiver.origin}${path}`;
  site.add('Shop', [
    { event: 'post.published', target_url: at('/shop/1'), secret: 'shop secret' },
    { event: 'post.published', target_url: at('/shop/2'), secret: null },
    { event: 'post.unpublished', target_url: at('/shop/1'), secret: 'shop secret' },
    { event: 'page.published', target_url: at('/shop/1'), secret: 'shop secret' },
    { event: 'member.added', target_url: at('/shop/crm'), secret: 'größer' },
  ]);
  site.add(
    'Zapier',
    [
      { event: 'post.published', target_url: at('/zapier/1'), secret: null },
      { event: 'member.edited', target_url: at('/zapier/2'), secret: null },
      { event: 'page.edited', target_url: at('/zapier/3'), secret: null },
      { event: 'post.edited', target_url: at('/zapier/3'), secret: null },
      { event: 'page.deleted', target_url: 'http://10.0.0.1/internal', secret: null },
    ],
    'builtin',
  );
});
afterAll(async () => {
  site.close();
  receiver.close();
  await running.end('SIGTERM');
  home.remove();
});

const records = () => readdirSync(home.folder).filter((name) => name.startsWith('ghost-import-'));
const run = (...args: string[]) =>
  runScript('infra/ops/ops.ts', ['import-ghost', '--from', site.url, ...args], {
    MASTHEAD_HOME: home.folder,
    GHOST_TOKEN: site.token,
  });
const integrationsHere = async () => {
  const { body } = await running.call('GET', '/admin/integrations/?include=webhooks&limit=all', {
    key: running.stack.adminKey,
  });
  return body.integrations as {
    name: string;
    webhooks: { event: string; target_url: string; name: string | null }[];
  }[];
};
const importedHere = async () => (await integrationsHere()).filter(({ name }) => name === 'Shop' || name === 'Zapier');
const post = (title: string) => ({ post: { current: { title, status: 'published' }, previous: { status: 'draft' } } });
const arrived = (title: string): readonly Delivery[] =>
  receiver.deliveries.filter(({ body }) => body.includes(`"${title}"`));

/** The steps follow each other. */
it('the command prints its plan, and changes nothing without --apply', async () => {
  const { output, code } = await run('--include', 'Zapier');
  expect(code, output).toBe(0);
  expect(output).toMatch(/here +create +post\.published +http:\/\/127\.0\.0\.1:\d+\/zapier\/1/);
  expect(output).toMatch(/stays +page\.deleted +http:\/\/10\.0\.0\.1\/internal\n +.*not allowed/);
  expect(output).toContain('Nothing was changed.');
  const plain = await run();
  expect(plain.output).toContain('Zapier, with 5 webhooks: it is built in');
  expect(plain.output).not.toMatch(/create.*zapier/);
  expect(site.webhooks).toHaveLength(10);
  expect(await importedHere()).toEqual([]);
});

it('the command copies webhooks with their secrets, prints what it skips, and relays each event once', async () => {
  const before = site.webhooks;
  const { output, code } = await run('--apply', '--switch', '--include', 'Zapier');
  expect(code, output).toBe(0);
  expect(output).toMatch(/stays +page\.deleted +http:\/\/10\.0\.0\.1\/internal/);
  expect(output).toContain('It arrived.');
  const copied = (await importedHere()).flatMap(({ webhooks }) => webhooks);
  expect(copied.map(({ event, target_url }) => `${event} ${target_url}`).sort()).toEqual(
    before
      .filter(({ target_url }) => !target_url.includes('10.0.0.1'))
      .map(({ event, target_url }) => `${event} ${target_url}`)
      .sort(),
  );
  const left = site.webhooks.map(({ event, target_url }) => [event, target_url.replace(/\/[0-9a-f]{24}\//, '/<id>/')]);
  expect(left.sort()).toEqual(
    [
      ['page.deleted', 'http://10.0.0.1/internal'],
      ...[
        'member.added',
        'page.published',
        'post.published',
        'post.unpublished',
        'member.edited',
        'page.edited',
        'post.edited',
      ].map((event) => [event, `${running.stack.baseUrl}/inbound/ghost/<id>/${event}/`]),
    ].sort(),
  );
});

it('every receiver gets an event of the site once, with a signature by its known secret', async () => {
  await site.fire('post.published', post('From Ghost'));
  await eventually('three deliveries', async () => arrived('From Ghost').length >= 3 || undefined);
  expect(
    arrived('From Ghost')
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['/shop/1', '/shop/2', '/zapier/1']);
  const signed = arrived('From Ghost').find(({ path }) => path === '/shop/1');
  const [, hash, time] = /^sha256=(\w+), t=(\d+)$/.exec(signed?.headers['x-ghost-signature'] ?? '') ?? [];
  expect(hash).toBe(createHmac('sha256', 'shop secret').update(`${signed?.body}${time}`).digest('hex'));
});

it('a second run does nothing more', async () => {
  // The last result of a delivery and the last use of a key are written later than the delivery arrives.
  const settled = (body: unknown) => JSON.stringify(body).replaceAll(/"last_\w+":(?:null|"[^"]*")/g, '');
  const [here, there] = [settled(await integrationsHere()), site.webhooks];
  const { output, code } = await run('--apply', '--switch', '--include', 'Zapier');
  expect(code, output).toBe(0);
  expect(settled(await integrationsHere())).toBe(here);
  expect(site.webhooks).toEqual(there);
});

it('the check and `ops doctor` show that events arrive', async () => {
  const checked = await run('--check', '--include', 'Zapier');
  expect(checked.output).toContain('✓ Every receiver that was moved gets its events.');
  expect(checked.output).toMatch(/✓ post\.published .*shop\/1: from Masthead; last event /);
  expect(checked.code).toBe(0);
  const { output } = await runScript('infra/ops/ops.ts', ['doctor', '--stage', 'local'], {
    MASTHEAD_HOME: home.folder,
  });
  expect(output).toMatch(/✓ relays +Ghost 127\.0\.0\.1:\d+: the last event arrived at/);
  expect(output).toContain('No webhook had been added at Ghost as of');
});

it('only its owner can read the record of an import, which has secrets', () => {
  expect(records()).toHaveLength(1);
  expect(statSync(join(home.folder, records()[0] ?? '')).mode & 0o777).toBe(0o600);
});

it('--undo restores everything at Ghost and at Masthead', async () => {
  const { output, code } = await run('--undo');
  expect(code, output).toBe(0);
  expect(await importedHere()).toEqual([]);
  expect(site.integrations.map(({ name }) => name)).not.toContain('Masthead');
  const restored = site.webhooks.map(
    ({ event, target_url, secret }) => `${event} ${new URL(target_url).pathname} ${secret}`,
  );
  expect(restored.sort()).toEqual([
    'member.added /shop/crm größer',
    'member.edited /zapier/2 null',
    'page.deleted /internal null',
    'page.edited /zapier/3 null',
    'page.published /shop/1 shop secret',
    'post.edited /zapier/3 null',
    'post.published /shop/1 shop secret',
    'post.published /shop/2 null',
    'post.published /zapier/1 null',
    'post.unpublished /shop/1 shop secret',
  ]);
  expect(records()).toEqual([]);
  const again = await run('--undo');
  expect(again.code).toBe(1);
  expect(again.output).toContain('There is no import');
});

const token = `${'a'.repeat(24)}:${'b'.repeat(64)}`;
const from = ['--from', 'https://blog.example'];
it.each([
  [['--from', 'blog'], token, "--from is 'blog'; it must be the URL of a Ghost site, such as https://blog.example."],
  [[...from, '--url', 'stage:443'], token, "--url is 'stage:443'; it must be the base URL of the stage"],
  [from, '', 'No token: set GHOST_TOKEN, or name a file with --token-file'],
  [from, 'a:b', 'GHOST_TOKEN must be a staff access token'],
  [[...from, '--token-file', '/dev/null'], token, '--token-file must be a staff access token'],
  [[...from, '--token-file', '/missing'], token, '--token-file /missing does not exist.'],
  [[...from, '--switch'], token, '--switch needs --apply'],
  [from, token, 'https://blog.example cannot reach http://127.0.0.1'],
])('the command explains what is wrong with %j and the token %j', async (args, GHOST_TOKEN, message) => {
  const { output, code } = await runScript('infra/ops/ops.ts', ['import-ghost', ...args], {
    MASTHEAD_HOME: home.folder,
    GHOST_TOKEN,
  });
  expect(code).toBe(2);
  expect(output).toContain(message);
});
