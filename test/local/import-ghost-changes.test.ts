/** People change both sides of a move on several machines: what the command says of a receiver is what it gets. */
import { createHmac } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { cleanStage, importer } from '../support/ghost-import.ts';
import { type FakeGhostSite, startGhostSite } from '../support/ghost-site.ts';
import { receiveWebhooks, type WebhookReceiver } from '../support/parts-receiver.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';

const home = temporaryHome();
const otherHome = temporaryHome();
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
  otherHome.remove();
});
beforeEach(async () => {
  cases++;
  process.env.MASTHEAD_HOME = home.folder;
  if (site !== undefined) await cleanStage(site, running);
  for (const { id, name } of await here()) if (name === 'Own') await call('DELETE', `/admin/integrations/${id}/`);
  site?.close();
  site = await startGhostSite();
  site.add('Shop', [
    { event: 'post.published', target_url: target('posts'), secret: 'shop' },
    { event: 'member.added', target_url: target('members'), secret: null },
  ]);
  run = importer(site, running);
});

const target = (path: string) => `${receiver.origin}/changes-${cases}/${path}`;
const originals = () => site.webhooks.filter(({ target_url }) => target_url.startsWith(receiver.origin));
const relays = () => site.webhooks.filter(({ target_url }) => target_url.includes('/inbound/ghost/'));
const got = (path: string, title: string) =>
  receiver.deliveries.filter((one) => one.path === `/changes-${cases}/${path}` && one.body.includes(`"${title}"`));
let fired = 0;
/** Fires an event and waits until these receivers have it; returns how often each of all has it afterwards. */
const fire = async (event: string, awaited: readonly string[], all: readonly string[] = awaited) => {
  const title = `event ${fired++}`;
  await site.fire(event, { [event.split('.')[0] ?? '']: { current: { title }, previous: {} } });
  await eventually(
    `a delivery to ${awaited}`,
    async () => awaited.every((one) => got(one, title).length > 0) || undefined,
  );
  return all.map((one) => got(one, title).length);
};
const call = (method: string, path: string, body?: object) =>
  running.call(method, path, { key: running.stack.adminKey, ...(body !== undefined && { body }) });
const here = async () => {
  const { body } = await call('GET', '/admin/integrations/?include=webhooks&limit=100');
  return body.integrations as {
    id: string;
    name: string;
    description: string | null;
    webhooks: { id: string; event: string; target_url: string }[];
  }[];
};
const copyOf = async (path: string) =>
  (await here()).flatMap(({ webhooks }) => webhooks).find(({ target_url }) => target_url === target(path))?.id ?? '';
const succeeds = async (...wanted: Parameters<typeof run>) => {
  const { error, output } = await run(...wanted);
  expect(error, output).toBeUndefined();
  return output;
};
const fails = async (...wanted: Parameters<typeof run>) => {
  const { error, output } = await run(...wanted);
  expect(error, output).toBeDefined();
  return `${output}\n${error?.message}`;
};

describe('another machine', () => {
  it('undoes a move that it has not made, though the integrations at Ghost were deleted', async () => {
    site.add('Blog', [{ event: 'post.published', target_url: target('blog'), secret: 'größer' }]);
    await succeeds('switch');
    site.deleteIntegration('Shop');
    site.deleteIntegration('Blog');
    process.env.MASTHEAD_HOME = otherHome.folder;
    await succeeds('undo');
    const secrets = Object.fromEntries(originals().map(({ target_url, secret }) => [target_url, secret]));
    expect(secrets).toEqual({ [target('posts')]: 'shop', [target('members')]: null, [target('blog')]: 'größer' });
    expect(relays()).toEqual([]);
  });

  it('continues a move that was stopped', async () => {
    await run('switch', { isKilled: ({ length }) => length >= 30 });
    process.env.MASTHEAD_HOME = otherHome.folder;
    await succeeds('switch');
    expect(originals()).toEqual([]);
    expect(await fire('post.published', ['posts'])).toEqual([1]);
  });

  it('does not make the same step at the same time, and nothing is left double', async () => {
    await Promise.all([run('switch'), run('switch')]);
    await succeeds('switch');
    const names = (await here()).map(({ description }) => description).filter((text) => text?.includes(site.uuid));
    expect(names.length).toBe(new Set(names).size);
    expect(site.integrations.filter(({ name }) => name === 'Masthead')).toHaveLength(1);
    expect(await fire('post.published', ['posts'])).toEqual([1]);
  });
});

describe('a site is refused', () => {
  it('if it has relays to another stage, with the way back', async () => {
    const other = `https://other.example/ghost/api/inbound/ghost/${'a'.repeat(24)}/post.published/`;
    site.add('Masthead of another stage', [{ event: 'post.published', target_url: other, secret: 'x' }]);
    for (const action of ['show', 'switch', 'undo'] as const) {
      const said = await fails(action);
      expect(said).toContain('relays to another stage, https://other.example/ghost/api');
      expect(said).toMatch(/--url https:\/\/other\.example\/ghost\/api --undo/);
    }
    expect(originals()).toHaveLength(2);
  });

  it('under another URL than the one it was moved under', async () => {
    await succeeds('switch');
    const url = site.url.replace('127.0.0.1', 'localhost');
    for (const action of ['switch', 'undo', 'check'] as const)
      expect(await fails(action, { url })).toContain(`use --from ${site.url}`);
    expect(await fire('post.published', ['posts'])).toEqual([1]);
  });

  it('if the stage has another site already', async () => {
    await succeeds('switch');
    const second = await startGhostSite();
    second.add('Other', [{ event: 'post.published', target_url: target('second'), secret: null }]);
    for (const action of ['show', 'switch'] as const) {
      const { error } = await importer(second, running)(action);
      expect(error?.message).toContain(`A stage is one publication, and this one has the webhooks of ${site.url}`);
    }
    expect(second.webhooks).toHaveLength(1);
    second.close();
  });

  it('if Ghost does not list all integrations', async () => {
    site.hidden = 5;
    expect(await fails('show')).toContain('optimization__maxLimit');
  });
});

describe('the check', () => {
  it('names each receiver of a dead relay and why, until a later test has passed', async () => {
    await succeeds('switch');
    await fire('post.published', ['posts']);
    site.network = { error: 'ECONNRESET' };
    await site.fire('post.published', {});
    const cause = /✗ post\.published .*\/posts: post\.published was lost at .*ECONNRESET/;
    expect(await fails('check')).toMatch(cause);
    site.network = 'open';
    await fire('post.published', ['posts']);
    const later = await fails('check');
    expect(later).toMatch(cause);
    expect(later).toMatch(/✓ member\.added .*\/members: from Masthead/);
    await succeeds('apply');
    expect(await succeeds('check')).toMatch(/✓ post\.published .*\/posts: from Masthead; last event/);
  });

  it('says that a webhook is disabled here, and how to enable it', async () => {
    await succeeds('switch');
    const id = await copyOf('posts');
    await call('POST', `/admin/webhooks/${id}/disable/`);
    expect(await fails('check')).toContain(`webhooks enable ${id}`);
    await call('POST', `/admin/webhooks/${id}/enable/`);
    await succeeds('check');
  });

  it('does not say that an event is lost if only the answer was late', async () => {
    await succeeds('switch');
    site.network = { error: 'ETIMEDOUT' };
    await site.fire('post.published', {});
    expect(await fails('check')).toMatch(/✗ post\.published .*\/posts: post\.published may have been lost at/);
  });

  it('says when Ghost last sent to a receiver', async () => {
    await succeeds('apply');
    expect(await succeeds('check')).toMatch(/\/posts: from Ghost; last event none yet\. From Masthead too, so twice/);
    await fire('post.published', ['posts']);
    expect(await succeeds('check')).toMatch(/\/posts: from Ghost; last event 20.*Z \(.*\)\. From Masthead too/);
  });

  it('notices a post of which Ghost sent no event', async () => {
    await succeeds('switch');
    site.newest.posts = [{ published_at: new Date(Date.now() + 120_000).toISOString() }];
    expect(await succeeds('check')).toMatch(/! posts: the newest was published at .* last post\.published at/);
  });

  it('is not misled by new names at Ghost', async () => {
    await succeeds('switch');
    site.renameIntegration('Masthead', { name: 'Relays', description: 'Do not delete' });
    site.renameIntegration('Shop', { name: 'Store' });
    await succeeds('check');
    await succeeds('switch');
    expect(site.integrations.map(({ name }) => name)).not.toContain('Masthead');
    await succeeds('undo');
    expect(site.integrations.map(({ name }) => name)).toEqual(['Ghost Scheduler', 'Store']);
    expect(originals()).toHaveLength(2);
  });
});

describe('a change at Ghost before the switch', () => {
  it.each([
    ['the secret', { secret: 'another' }, 'posts', 'post.published'],
    ['the target', { target_url: '/moved' }, 'moved', 'post.published'],
    ['the event', { event: 'page.published' }, 'posts', 'page.published'],
  ])('of %s is what the receiver gets afterwards', async (_, changes, path, event) => {
    await succeeds('apply');
    const moved = 'target_url' in changes ? { target_url: target('moved') } : changes;
    site.edit(target('posts'), moved);
    expect(await fails('check')).toMatch(/at Ghost it has another (?:secret|target|event) than its copy here/);
    await succeeds('switch');
    expect(originals()).toEqual([]);
    expect(await fire(event, [path], ['posts', 'moved'])).toEqual(path === 'moved' ? [0, 1] : [1, 0]);
    const last = receiver.deliveries.at(-1);
    const [, hash, time] = /^sha256=(\w+), t=(\d+)$/.exec(last?.headers['x-ghost-signature'] ?? '') ?? [];
    const secret = 'secret' in changes ? 'another' : 'shop';
    expect(hash).toBe(createHmac('sha256', secret).update(`${last?.body}${time}`).digest('hex'));
  });

  it('that deletes a webhook deletes its copy', async () => {
    await succeeds('apply');
    site.edit(target('posts'));
    expect(await fails('check')).toContain('deleted at Ghost, but not here');
    await succeeds('switch');
    expect(await copyOf('posts')).toBe('');
    expect(await fire('member.added', ['members'], ['members', 'posts'])).toEqual([1, 0]);
  });
});

describe('a change after the switch', () => {
  it('of a target here is right, and an undo restores what Ghost had', async () => {
    await succeeds('switch');
    const id = await copyOf('posts');
    await call('PUT', `/admin/webhooks/${id}/`, { webhooks: [{ target_url: target('edited') }] });
    await succeeds('switch');
    expect(await succeeds('check')).toMatch(/✓ post\.published .*\/edited: from Masthead/);
    expect(await fire('post.published', ['edited'], ['edited', 'posts'])).toEqual([1, 0]);
    await succeeds('undo');
    expect(await fire('post.published', ['posts'], ['posts', 'edited'])).toEqual([1, 0]);
  });

  it('that puts a webhook back at Ghost moves it anew, with its secret', async () => {
    await succeeds('switch');
    site.add('Shop again', [{ event: 'post.published', target_url: target('posts'), secret: 'new' }]);
    expect(await fails('check')).toContain('✗');
    await succeeds('switch');
    expect(originals()).toEqual([]);
    expect(await fire('post.published', ['posts'])).toEqual([1]);
    await succeeds('undo');
    expect(
      originals()
        .map(({ secret }) => secret)
        .sort(),
    ).toEqual(['new', null].sort());
  });

  it('of the inbound secret is entered at the relays', async () => {
    await succeeds('switch');
    const inbound = (await here()).find(({ description }) => description?.startsWith('Receives'))?.id;
    await call('POST', `/admin/integrations/${inbound}/inbound_secret/`);
    expect(await fails('check')).toContain('not the secret that it should have');
    await succeeds('apply');
    expect(await fire('post.published', ['posts'])).toEqual([1]);
    await succeeds('check');
  });

  it('of the URL of the stage moves the relays there', async () => {
    await succeeds('switch');
    const baseUrl = running.stack.baseUrl.replace('127.0.0.1', 'localhost');
    await succeeds('check', { baseUrl });
    await succeeds('apply', { baseUrl });
    expect(relays().every(({ target_url }) => target_url.startsWith(baseUrl))).toBe(true);
    expect(await fire('post.published', ['posts'])).toEqual([1]);
    await succeeds('undo', { baseUrl });
  });

  it('of the URL of the stage moves them back if Ghost does not reach it', async () => {
    await succeeds('switch');
    site.network = { error: 'ENOTFOUND', host: 'localhost' };
    const baseUrl = running.stack.baseUrl.replace('127.0.0.1', 'localhost');
    expect(await fails('apply', { baseUrl })).toContain(`The relays send to ${running.stack.baseUrl} again.`);
    await succeeds('check');
    site.network = 'open';
    expect(await fire('post.published', ['posts'])).toEqual([1]);
    await succeeds('apply');
  });

  it('of the URL of the stage leaves no receiver with a good mark if Ghost reaches neither', async () => {
    await succeeds('switch');
    site.network = { error: 'ENOTFOUND' };
    const baseUrl = running.stack.baseUrl.replace('127.0.0.1', 'localhost');
    expect(await fails('apply', { baseUrl })).not.toContain('✓');
    expect(await fails('check')).not.toContain('✓');
    site.network = 'open';
    await succeeds('apply');
  });

  it('that deletes a webhook here is accepted if somebody confirms it', async () => {
    await succeeds('switch');
    await call('DELETE', `/admin/webhooks/${await copyOf('posts')}/`);
    expect(await fails('check')).toContain('deleted here, so nobody sends to it');
    await succeeds('apply', { agrees: true });
    expect(await succeeds('check')).not.toContain('/posts');
  });
});

describe('a webhook that somebody made at Masthead', () => {
  const subscribe = async (event: string): Promise<void> => {
    const made = await call('POST', '/admin/integrations/', { integrations: [{ name: 'Own' }] });
    const integration_id = made.body.integrations[0].id;
    const answer = await call('POST', '/admin/webhooks/', {
      webhooks: [{ event, target_url: target('own'), integration_id }],
    });
    expect(answer.status).toBe(201);
  };

  it.each(['post.published', 'post.*', 'page.edited,post.published'])(
    'for %s keeps the relay of its event when the last copy is deleted',
    async (event) => {
      await succeeds('switch');
      await subscribe(event);
      await call('DELETE', `/admin/webhooks/${await copyOf('posts')}/`);
      await succeeds('apply', { agrees: true });
      expect(await fire('post.published', ['own'])).toEqual([1]);
    },
  );

  it('is named by an undo, which keeps its relay until somebody agrees', async () => {
    await succeeds('switch');
    await subscribe('post.published');
    expect(await fails('undo')).toMatch(/these webhooks here get no event of the site:\n.*\/own/);
    expect(await fire('post.published', ['posts', 'own'])).toEqual([1, 1]);
    await succeeds('undo', { agrees: true });
    expect(relays()).toEqual([]);
  });
});

it('an undo says first how many deliveries wait', async () => {
  await succeeds('switch');
  const id = await copyOf('posts');
  await call('POST', `/admin/webhooks/${id}/disable/`);
  await site.fire('post.published', { post: { current: { title: 'held' }, previous: {} } });
  await eventually('a held delivery', async () => {
    const { body } = await call('GET', `/admin/webhooks/${id}/deliveries/?status=held`);
    return body.deliveries.length > 0 || undefined;
  });
  expect(await succeeds('undo')).toMatch(/! 1 delivery waits here and will not be sent: post\.published/);
});

describe('the copy of the record on this machine', () => {
  const path = () => join(home.folder, `ghost-import-${site.uuid}.json`);

  it('undoes a move to a stage that is lost', async () => {
    await succeeds('switch');
    await cleanStage(site, running);
    expect(await succeeds('undo')).toContain('This stage has no record of the site');
    expect(new Set(originals().map(({ secret }) => secret))).toEqual(new Set(['shop', null]));
    expect(relays()).toEqual([]);
    expect(existsSync(path())).toBe(false);
  });

  it('is of no use while the stage has the record, even if it is damaged', async () => {
    await succeeds('switch');
    writeFileSync(path(), '{');
    await succeeds('check');
    await cleanStage(site, running);
    writeFileSync(path(), '{');
    expect(await fails('undo')).toContain('is damaged');
  });
});
