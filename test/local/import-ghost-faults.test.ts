/** An import removes nothing before an event has arrived, and reports no success while a receiver gets no events. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ghostSite } from '../../infra/ops/ghost/ghost-site.ts';
import { stageApi } from '../../infra/ops/ghost/stage.ts';
import { eventually } from '../support/eventual.ts';
import { cleanStage, importer } from '../support/ghost-import.ts';
import { type FakeGhostSite, type Network, startGhostSite } from '../support/ghost-site.ts';
import { receiveWebhooks, type WebhookReceiver } from '../support/parts-receiver.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';

const home = temporaryHome();
process.env.MASTHEAD_HOME = home.folder;
let running: RunningStack;
let receiver: WebhookReceiver;
let site: FakeGhostSite;
let run: ReturnType<typeof importer>;
let cases = 0;
beforeAll(async () => {
  [running, receiver] = await Promise.all([runStack(home.folder, ['--memory']), receiveWebhooks()]);
});
afterAll(async () => {
  site.close();
  receiver.close();
  await running.end('SIGTERM');
  home.remove();
});
beforeEach(async () => {
  cases++;
  if (site !== undefined) await cleanStage(site, running);
  site?.close();
  site = await startGhostSite();
  site.add('Shop', [
    { event: 'post.published', target_url: target('posts'), secret: 'shop' },
    { event: 'member.added', target_url: target('members'), secret: null },
  ]);
  run = importer(site, running);
});

const target = (path: string) => `${receiver.origin}/${cases}/${path}`;
const originals = () => site.webhooks.filter(({ target_url }) => target_url.startsWith(receiver.origin));
const received = (path: string, title: string) =>
  receiver.deliveries.filter((one) => one.path === `/${cases}/${path}` && one.body.includes(`"${title}"`)).length;
const post = (title: string) => ({ post: { current: { title }, previous: {} } });

describe('nothing is removed at Ghost, and the output names the cause', () => {
  const rows: [string, Network, RegExp][] = [
    ['a private address', { error: 'URL_PRIVATE_INVALID' }, /does not send to private addresses/],
    ['TLS', { error: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /does not accept the TLS certificate/],
    ['a time-out', { error: 'ETIMEDOUT' }, /did not answer Ghost within two seconds/],
    ['a host without address', { error: 'ENOTFOUND' }, /cannot resolve the host/],
    ['a closed port', { error: 'ECONNREFUSED' }, /Nothing accepts connections/],
    ['another error', { error: 'EWHATEVER' }, /Ghost noted "Request failed: EWHATEVER"/],
    ['a wrong signature, also with a new secret', 'wrong signature', /refuses the signature/],
    ['silence', 'lost', /No event arrived within 20 seconds/],
  ];
  it.each(rows)('%s', async (_, network, reason) => {
    site.network = network;
    const { error, output } = await run('switch');
    expect(error?.name).toBe('NotProven');
    expect(output).toMatch(/^! post\.published .*\/posts: from Ghost/m);
    expect(output).toMatch(/^! member\.added .*\/members: from Ghost/m);
    expect(error?.message).toMatch(reason);
    expect(error?.message).toContain('nothing was removed at Ghost');
    expect(originals()).toHaveLength(2);
    const checked = await run('check');
    expect(checked.error).toBeDefined();
    expect(checked.output).toContain('✗ No event has arrived through the relay yet');
    site.network = 'open';
    expect((await run('switch')).error).toBeUndefined();
    expect(originals()).toHaveLength(0);
  });
});

it('a secret that was replaced at Masthead is repaired, and the relay is tested again', async () => {
  await run('apply');
  const { body } = await running.call('GET', '/admin/integrations/?limit=100', { key: running.stack.adminKey });
  const { id } = body.integrations.find((one: { description: string }) => one.description?.includes(`${site.url} `));
  await running.call('POST', `/admin/integrations/${id}/inbound_secret/`, { key: running.stack.adminKey });
  const { error, output } = await run('switch');
  expect(error).toBeUndefined();
  expect(output).toContain('change   the target and the secret of the relay of post.published');
  expect(originals()).toHaveLength(0);
});

it('a real event of the site is awaited if a test event would reach receivers', async () => {
  site.add('Tags', [{ event: 'tag.added', target_url: target('tags'), secret: null }]);
  expect((await run('apply')).output).toContain('The relay is not tested yet');
  expect(received('tags', '#masthead-relay-test')).toBe(0);
  const switching = run('switch');
  const firing = setInterval(() => site.fire('post.published', post('Real')), 200);
  const { error } = await switching;
  clearInterval(firing);
  expect(error).toBeUndefined();
  expect(originals()).toHaveLength(0);
});

it('a relay webhook that was deleted at Ghost is created again before anything is removed', async () => {
  await run('switch');
  site.deleteIntegration('Masthead');
  site.add('New', [{ event: 'page.published', target_url: target('pages'), secret: null }]);
  const checked = await run('check');
  expect(checked.error).toBeDefined();
  expect(checked.output).toContain('The integration Masthead was deleted at Ghost.');
  expect(checked.output).toMatch(/not moved: page\.published/);
  expect((await run('switch')).error).toBeUndefined();
  await site.fire('post.published', post('Again'));
  await eventually('the delivery', async () => received('posts', 'Again') > 0 || undefined);
  expect((await run('check')).output).toContain('✓ Every receiver that was moved gets its events.');
});

it('a webhook that was added at Ghost since is in the check, and at the stage until it is moved', async () => {
  const unmoved = async () => {
    const { body } = await running.call('GET', '/admin/relays/', { key: running.stack.adminKey });
    return body.relays.find(({ site: name }: { site: string }) => name === `Ghost ${site.url.replace('http://', '')}`);
  };
  await run('switch');
  expect(await unmoved()).toMatchObject({ compared_at: expect.any(String), unmoved: [] });
  site.add('New', [
    { event: 'page.published', target_url: target('pages'), secret: null },
    { event: 'page.published', target_url: target('other-pages'), secret: null },
    { event: 'page.deleted', target_url: 'http://10.0.0.1/internal', secret: null },
  ]);
  const { output } = await run('check');
  expect(output).toMatch(/not moved: page\.published .*pages/);
  expect(output).toContain(`npm run ops -- import-ghost --from ${site.url} --token-file <file> --apply --switch`);
  expect(output).toMatch(/stays +page\.deleted +http:\/\/10\.0\.0\.1/);
  expect(await unmoved()).toMatchObject({ unmoved: [{ event: 'page.published', count: 2 }] });
  expect((await run('switch')).error).toBeUndefined();
  expect(await unmoved()).toMatchObject({ unmoved: [] });
});

it('the dry run prints the steps that an import then makes', async () => {
  site.add('Private', [{ event: 'page.deleted', target_url: 'http://10.0.0.1/internal', secret: null }]);
  const steps = (output: string) => output.split('\n').filter((line) => /^(?:here|at Ghost|stays) /.test(line));
  const planned = steps((await run('show')).output);
  expect(planned.length).toBeGreaterThan(10);
  expect(steps((await run('switch')).output)).toEqual(planned);
});

it('a copy that was deleted at Masthead is reported as an error if its original is gone too', async () => {
  await run('switch');
  const { body } = await running.call('GET', '/admin/integrations/?include=webhooks&limit=100', {
    key: running.stack.adminKey,
  });
  const { id } = body.integrations
    .flatMap(({ webhooks }: { webhooks: { id: string; target_url: string }[] }) => webhooks)
    .find(({ target_url }: { target_url: string }) => target_url === target('posts'));
  await running.call('DELETE', `/admin/webhooks/${id}/`, { key: running.stack.adminKey });
  const again = await run('switch');
  expect(again.error).toBeDefined();
  expect(again.output).toMatch(/✗ post\.published .*posts: deleted here, so nobody sends to it\. .*--undo/);
  expect((await run('undo')).error).toBeUndefined();
  expect(originals()).toHaveLength(2);
});

describe('--undo', () => {
  it('creates an integration again that was deleted at Ghost after the switch', async () => {
    await run('switch');
    site.deleteIntegration('Shop');
    expect((await run('undo')).error).toBeUndefined();
    expect(originals()).toHaveLength(2);
    expect(site.integrations.map(({ name }) => name)).toEqual(['Ghost Scheduler', 'Shop']);
  });

  it('restores what it can, keeps the rest at Masthead with its relay, and can be repeated', async () => {
    await run('switch');
    site.refusedTarget = target('posts');
    const first = await run('undo');
    expect(first.error?.message).toMatch(/no original at Ghost.*\n.*posts/);
    expect(originals().map(({ event }) => event)).toEqual(['member.added']);
    await site.fire('post.published', post('Kept'));
    await eventually('the delivery', async () => received('posts', 'Kept') > 0 || undefined);
    site.refusedTarget = undefined;
    expect((await run('undo')).error).toBeUndefined();
    expect(originals()).toHaveLength(2);
    await site.fire('post.published', post('Restored'));
    expect(received('posts', 'Restored')).toBe(1);
  });

  it('says so if there is no import to undo', async () => {
    expect((await run('undo')).error?.message).toContain('There is no import');
  });
});

describe('one sentence explains a wrong URL or key if it leads to', () => {
  const answering = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, end: () => server.close() };
  };
  const refusal = async (url: string, key = site.token) =>
    ghostSite(url, key)
      .identify()
      .then(
        () => 'accepted',
        (error: Error) => error.message,
      );

  it('an HTML page, because the site is below a path', async () => {
    const { url, end } = await answering((_, response) =>
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html>'),
    );
    expect(await refusal(url)).toBe(
      `${url}/ghost/api/admin/site/ returned a page (404) and not Ghost's API: ` +
        `--from must be the site's URL with the path that it lies under, such as https://example.com/blog.`,
    );
    end();
  });

  it('a redirect to https', async () => {
    const { url, end } = await answering((request, response) =>
      response.writeHead(301, { Location: `https://blog.example${request.url}` }).end(),
    );
    expect(await refusal(url)).toBe(`${url} redirects to https://blog.example: use --from https://blog.example.`);
    end();
  });

  it('an unknown key, or the key of an integration', async () => {
    expect(await refusal(site.url, `${'a'.repeat(24)}:${'b'.repeat(64)}`)).toMatch(
      /^Ghost does not accept the key: .*staff access token/,
    );
    expect(await refusal(site.url, site.integrationKey)).toMatch(
      /^The key cannot read integrations: .*not the key of an integration/,
    );
  });

  it('the stage does not know the key', async () => {
    const { baseUrl } = running.stack;
    await expect(stageApi({ baseUrl, key: `${'a'.repeat(24)}:${'b'.repeat(64)}` }).checkKey()).rejects.toThrow(
      /does not accept the key: MASTHEAD_KEY must be a key of the Owner or an Administrator/,
    );
  });

  it('a host that does not answer', async () => {
    expect(await refusal('http://127.0.0.1:1')).toMatch(/^http:\/\/127\.0\.0\.1:1 cannot be reached/);
  });
});
