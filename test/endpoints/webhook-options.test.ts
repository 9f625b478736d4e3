/** The options of a webhook: how they are stored and shown, and how they change what receivers get. */
import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { deliveryKey } from '../../shared/deliveries/records/row.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { optionsKey } from '../../shared/webhooks/options-store.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { newUrl, webhookCalls, webhookFields } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, deliver, messagesFor, attempt, tamper, rows, record, items } = deliveryTools(stack, keys);
const { create, update, remove, existing } = webhookCalls(stack);

const path = (id: string) => `/admin/webhooks/${id}/options/`;
const read = (id: string, key = keys.integration) => stack.call('webhooks/read-options', { path: path(id), key });
const put = (id: string, options: object, key = keys.integration) =>
  stack.call('webhooks/update-options', { path: path(id), key, body: { options: [options] } });
const preview = (item: object) =>
  stack.call('webhooks/preview', {
    path: '/admin/webhooks/preview/',
    key: keys.integration,
    body: { previews: [{ event: 'post.published', target_url: newUrl(), ...item }] },
  });
const tryFilter = (id: string, filter: unknown, key = keys.integration) =>
  stack.call('webhooks/try-filter', {
    path: `/admin/webhooks/${id}/trial/`,
    key,
    body: { trials: [{ filter }] },
  });
const none = {
  description: null,
  headers: {},
  format: { type: 'ghost' },
  filter: null,
  debounce: null,
  throttle: null,
  left_out: 0,
};
/** Returns a new id of 64 characters, most of which take twelve in a header. */
const longestId = (): string => `${'🎉'.repeat(28)}${randomUUID()}`;
const news = { post: { current: { title: [{ prefix: 'News' }] } } };

const open: { close(): void }[] = [];
afterEach(() => {
  for (const receiver of open.splice(0)) receiver.close();
});
const hook = async (options: object, fields: object = {}, status = 200) => {
  const receiver = await receiveWebhooks((response) => {
    response.writeHead(status);
    response.end();
  });
  open.push(receiver);
  const made = await webhook(`${receiver.origin}/hook#one`, { options, ...fields });
  return { ...made, arrived: receiver.deliveries };
};

describe('the options of a webhook', () => {
  it('are empty at first, and need no item in the table', async () => {
    const { id } = await existing(keys.integration);
    expect((await read(id)).body).toEqual({ options: [none] });
    expect(await items(optionsKey(id as WebhookId).pk)).toEqual([]);
    expect(await record(id)).not.toHaveProperty('options_revision');
  });

  it('keep their values if a PUT omits them, and are removed by null', async () => {
    const { id } = await existing(keys.integration);
    await put(id, { description: 'For the desk', headers: { 'X-Team': 'news' }, format: { type: 'slack' } });
    const answer = await put(id, { filter: null });
    expect(answer.body.options).toEqual([
      { ...none, description: 'For the desk', headers: { 'X-Team': null }, format: { type: 'slack' } },
    ]);
    expect((await read(id)).body).toEqual(answer.body);
    await put(id, { description: '', headers: null, format: null });
    expect((await read(id)).body.options).toEqual([none]);
    expect(await items(optionsKey(id as WebhookId).pk)).toEqual([]);
    expect(await record(id)).not.toHaveProperty('options_revision');
  });

  it('have the debounce as it was sent, for all events of the webhook unless it says otherwise', async () => {
    const { id } = await existing(keys.integration);
    const answer = await put(id, { debounce: { seconds: 10, max_seconds: 60 } });
    expect(answer.body.options).toEqual([{ ...none, debounce: { seconds: 10, max_seconds: 60, per: 'webhook' } }]);
    const debounce = { seconds: 3600, max_seconds: 86_400, per: 'resource' };
    expect((await put(id, { debounce })).body.options).toEqual([{ ...none, debounce }]);
    expect((await put(id, { debounce: null })).body.options).toEqual([none]);
  });

  it('never show a secret, and keep it if it is sent as null', async () => {
    const target_url = 'https://api.github.com/repos/ada/blog/dispatches';
    const github = { format: { type: 'github', token: 'github_pat_hunter2' }, headers: { 'X-Key': 'hunter3' } };
    const made = await create({ event: 'post.added', target_url, options: github }, keys.integration);
    expect(made.status, made.text).toBe(201);
    const [{ id }] = made.body.webhooks;
    const again = await put(id, { format: { type: 'github', token: null }, headers: { 'x-key': null, 'X-New': 'n' } });
    for (const { text } of [made, again, await read(id)]) expect(text).not.toMatch(/hunter/);
    expect(JSON.stringify(await items(optionsKey(id).pk))).toMatch(/github_pat_hunter2.*|hunter3/);
    await remove(id, keys.integration);
    expect(await items(optionsKey(id).pk)).toEqual([]);
  });

  describe('when target_url moves', () => {
    const github = (token: string | null) => ({ type: 'github', token });
    const made = async () => {
      const options = { format: github('github_pat_hunter2'), headers: { 'X-Key': 'hunter3' } };
      const { id } = await existing(keys.integration, { event: 'post.added', target_url: newTarget(), options });
      return id;
    };
    let hosts = 0;
    const newTarget = (origin = 'https://api.github.com') => `${origin}/repos/ada/blog-${hosts++}/dispatches`;
    const stored = async (id: string) => JSON.stringify(await items(optionsKey(id as WebhookId).pk));

    it.each<[string, object | undefined]>([
      ['options.headers', undefined],
      ['options.headers', { description: 'Moved' }],
      ['options.headers', { format: github('new') }],
      ['options.headers.x-key', { format: github('new'), headers: { 'x-key': null } }],
      ['options.format', { headers: { 'X-Key': 'new' } }],
      ['options.format.token', { headers: null, format: github(null) }],
    ])('are refused with the property %s if the PUT sends %j', async (property, options) => {
      const id = await made();
      const changes = { target_url: newTarget('https://evil.example'), ...(options && { options }) };
      const refused = await update(id, changes, keys.integration);
      expectRefusal(refused, { status: 422, type: 'ValidationError', property });
      expect(refused.body.errors[0].help).toMatch(/again/);
      expect(refused.text).not.toMatch(/hunter/);
      expect(await record(id)).toMatchObject({ target_url: expect.stringContaining('https://api.github.com/') });
    });

    it.each([
      'http://localhost/a?b',
      'https://localhost:8443/a?b',
      'https://localhost./a?b',
      'https://localhost/A?b',
      'https://localhost/a',
    ])('treat %s as another target than https://localhost/a?b', async (target_url) => {
      const options = { headers: { 'X-Key': 'hunter3' } };
      const { id } = await existing(keys.integration, { target_url: 'https://localhost/a?b', options });
      const refused = await update(id, { target_url }, keys.integration);
      expectRefusal(refused, { status: 422, type: 'ValidationError', property: 'options.headers' });
      await remove(id, keys.integration);
    });

    it('are stored if the PUT sends all secrets again, or removes them', async () => {
      const id = await made();
      const options = { format: github('new-token'), headers: { 'x-key': 'new-value' } };
      const moved = await update(id, { target_url: newTarget('https://ghe.example'), options }, keys.integration);
      expect(moved.status, moved.text).toBe(200);
      expect(await stored(id)).toMatch(/new-token.*new-value|new-value.*new-token/);
      const bare = { format: null, headers: null };
      const again = await update(
        id,
        { target_url: newTarget('https://next.example'), options: bare },
        keys.integration,
      );
      expect(again.status, again.text).toBe(200);
      expect(await stored(id)).not.toMatch(/hunter|new-/);
    });

    it('keep their secrets if only the fragment or the spelling of the target changes', async () => {
      const options = { format: github('github_pat_hunter2'), headers: { 'X-Key': 'hunter3' } };
      const target_url = newTarget();
      const { id } = await existing(keys.integration, { event: 'post.added', target_url, options });
      const same = `${target_url.replace('api.github.com', 'API.github.com:443')}#two`;
      const answer = await update(id, { target_url: same }, keys.integration);
      expect(answer.status, answer.text).toBe(200);
      expect(await stored(id)).toMatch(/hunter3.*hunter2|hunter2.*hunter3/);
    });

    it('stay as they are without secrets', async () => {
      const options = { description: 'For the desk', format: { type: 'slack' } };
      const { id } = await existing(keys.integration, { options });
      const answer = await update(id, { target_url: newUrl() }, keys.integration);
      expect(answer.status, answer.text).toBe(200);
      expect((await read(id)).body.options).toMatchObject([options]);
    });
  });

  describe('when the format changes', () => {
    const template = (text: string) => ({ type: 'template', template: { query: text } });
    const made = async (format: object) => {
      const options = { format, headers: { Authorization: 'Bearer hunter3' } };
      return (await existing(keys.integration, { event: 'post.added', options })).id;
    };

    it.each<[string, object, object]>([
      ['another type', { type: 'slack' }, { format: template('{{post.current.title}}') }],
      ['another template', template('{{event}}'), { format: template('mutation { addAdmin }') }],
      ['no format', template('{{event}}'), { format: null }],
      ['names that keep their values', { type: 'slack' }, { format: template('x'), headers: { Authorization: null } }],
    ])('need the values of the headers again: %s', async (_, stored, changes) => {
      const id = await made(stored);
      const property = 'headers' in changes ? 'headers.Authorization' : 'headers';
      expectRefusal(await put(id, changes), { status: 422, type: 'ValidationError', property });
      const inside = await update(id, { options: changes }, keys.integration);
      expectRefusal(inside, { status: 422, type: 'ValidationError', property: `options.${property}` });
      expect((await read(id)).body.options[0].format).toEqual(stored);
    });

    it('need the secrets of the format again if another of its settings changes', async () => {
      const algolia = (application_id: string, api_key: string | null) => ({
        format: { type: 'algolia', application_id, api_key },
      });
      const target_url = 'https://evil.algolia.net/1/indexes/posts/batch';
      const fields = { event: 'post.published', target_url, options: algolia('MINE', 'hunter2') };
      const { id } = await existing(keys.integration, fields);
      const refused = await put(id, algolia('YOURS', null));
      expectRefusal(refused, { status: 422, type: 'ValidationError', property: 'format.api_key' });
      expect((await put(id, algolia('YOURS', 'hunter4'))).status).toBe(200);
    });

    it('keep the values of the headers if the same format is sent, or only a secret of it changes', async () => {
      const id = await made(template('{{event}}'));
      expect((await put(id, { format: template('{{event}}'), description: 'Same' })).status).toBe(200);
      const target_url = 'https://api.github.com/repos/ada/other/dispatches';
      const options = { format: { type: 'github', token: 'hunter2' }, headers: { 'X-Key': 'hunter3' } };
      const other = await existing(keys.integration, { event: 'post.added', target_url, options });
      expect((await put(other.id, { format: { type: 'github', token: 'hunter4' } })).status).toBe(200);
    });

    it('are stored if all values are sent again, or removed', async () => {
      const id = await made({ type: 'slack' });
      const again = await put(id, { format: template('x'), headers: { Authorization: 'Bearer new' } });
      expect(again.status, again.text).toBe(200);
      expect((await put(id, { format: null, headers: null })).status).toBe(200);
    });
  });

  it("are stored with the webhook by POST and PUT, which return the webhook's 13 fields", async () => {
    const made = await create(
      { event: 'post.added', target_url: newUrl(), options: { description: 'One', format: { type: 'discord' } } },
      keys.integration,
    );
    const [{ id }] = made.body.webhooks;
    expect(Object.keys(made.body.webhooks[0])).toEqual(webhookFields);
    const changed = await update(id, { name: 'Two', options: { description: 'Two' } }, keys.integration);
    expect(Object.keys(changed.body.webhooks[0])).toEqual(webhookFields);
    expect((await read(id)).body.options).toMatchObject([{ description: 'Two', format: { type: 'discord' } }]);
  });

  it('lose their item when a PUT removes the last option', async () => {
    const { id } = await existing(keys.integration, { options: { description: 'For the desk' } });
    expect((await update(id, { options: { description: null } }, keys.integration)).status).toBe(200);
    expect(await items(optionsKey(id as WebhookId).pk)).toEqual([]);
  });

  it('stay unchanged if the webhook cannot be stored', async () => {
    const taken = await existing(keys.integration);
    const { id } = await existing(keys.integration);
    const { event, target_url } = taken;
    const changes = { event, target_url, options: { description: 'New' } };
    expect((await update(id, changes, keys.integration)).status).toBe(422);
    expect((await read(id)).body.options).toEqual([none]);
  });

  it.each<[string, object]>([
    ['filter.pst', { filter: { pst: { current: { title: ['x'] } } } }],
    ['filter.event', { filter: { event: ['page.published'] } }],
    ['format.type', { format: { type: 'fax' } }],
    ['format', { format: { type: 'meilisearch', api_key: 'k' } }],
    ['format.token', { format: { type: 'github' } }],
    ['format.template', { format: { type: 'template', template: { text: '{{#each}}' } } }],
    ['headers.Host', { headers: { Host: 'evil.example' } }],
    ['headers.X-Real-IP', { headers: { 'X-Real-IP': '127.0.0.1' } }],
    ['headers.X-Client-IP', { headers: { 'X-Client-IP': '127.0.0.1' } }],
    ['headers.X-Cluster-Client-IP', { headers: { 'X-Cluster-Client-IP': '127.0.0.1' } }],
    ['headers.Fastly-Client-IP', { headers: { 'Fastly-Client-IP': '127.0.0.1' } }],
    ['headers.True-Client-IP', { headers: { 'True-Client-IP': '127.0.0.1' } }],
    ['headers.CF-Connecting-IP', { headers: { 'CF-Connecting-IP': '127.0.0.1' } }],
    ...['X_Ghost_Signature', 'webhook_signature', 'Masthead_Attempt', 'X_Forwarded_For', 'X-HTTP-Method-Override'].map(
      (name): [string, object] => [`headers.${name}`, { headers: { [name]: '1' } }],
    ),
    ...['X-Original-URL', 'X-Rewrite-URL', 'Client-IP', 'Fly-Client-IP', 'X-Azure-ClientIP', 'X-Azure-SocketIP'].map(
      (name): [string, object] => [`headers.${name}`, { headers: { [name]: '1' } }],
    ),
    ['headers.Webhook-Id', { headers: { 'Webhook-Id': '1' } }],
    ['headers.Content-Type', { headers: { 'Content-Type': 'text/plain' } }],
    ['headers.X-A', { headers: { 'X-A': 'a\r\nHost: evil.example' } }],
    ['headers.X-Unknown', { headers: { 'X-Unknown': null } }],
    ['headers', { headers: { 'X-Key': 'a', 'x-key': 'b' } }],
    ['headers', { headers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, 'x'])) }],
    ['description', { description: 'x'.repeat(501) }],
    ['debounce.max_seconds', { debounce: { seconds: 10 } }],
    ['debounce.max_seconds', { debounce: { seconds: 10, max_seconds: 9 } }],
    ['debounce.max_seconds', { debounce: { seconds: 10, max_seconds: 86_401 } }],
    ['debounce.seconds', { debounce: { seconds: 0, max_seconds: 60 } }],
    ['debounce.seconds', { debounce: { seconds: 1.5, max_seconds: 60 } }],
    ['debounce.seconds', { debounce: { seconds: 3601, max_seconds: 86_400 } }],
    ['debounce.per', { debounce: { seconds: 10, max_seconds: 60, per: 'event' } }],
    ['debounce', { debounce: 10 }],
    ['throttle.requests', { throttle: { requests: 0, per: 'second' } }],
    ['throttle.requests', { throttle: { requests: 101, per: 'minute' } }],
    ['throttle.requests', { throttle: { requests: 1.5, per: 'minute' } }],
    ['throttle.per', { throttle: { requests: 1, per: 'hour' } }],
  ])('are refused with the property %s: %j', async (property, options) => {
    const { id } = await existing(keys.integration, { event: 'post.added' });
    expectRefusal(await put(id, options), { status: 422, type: 'ValidationError', property });
    const inside = { event: 'post.added', target_url: newUrl(), options };
    const refused = await create(inside, keys.integration);
    expectRefusal(refused, { status: 422, type: 'ValidationError', property: `options.${property}` });
    expect((await read(id)).body.options).toEqual([none]);
  });

  it("must also fit the new event if the webhook's event changes", async () => {
    const { id } = await existing(keys.integration, { event: 'post.published', options: { filter: news } });
    const refused = await update(id, { event: 'member.added' }, keys.integration);
    expectRefusal(refused, { status: 422, type: 'ValidationError', property: 'options.filter.post' });
  });

  it('return 403 to another integration, and 404 if there is no webhook', async () => {
    const { id } = await existing(keys.integration);
    for (const answer of [
      await read(id, keys.otherIntegration),
      await put(id, { description: 'Mine' }, keys.otherIntegration),
    ])
      expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
    expect((await read('a'.repeat(24))).status).toBe(404);
  });
});

describe('a delivery', () => {
  it("has the webhook's format and headers, and its signature covers the bytes that are sent", async () => {
    const secret = 'hunter2';
    const options = { format: { type: 'slack' }, headers: { 'X-Team': 'news', Authorization: 'Bearer t0ken' } };
    const { id, arrived } = await hook(options, { secret });
    await deliver('post.published', { title: 'Hello <!channel>' });
    const [delivery] = arrived;
    expect(JSON.parse(delivery?.body ?? '').text).toBe('Post published: Hello &lt;!channel&gt;');
    expect(delivery?.headers).toMatchObject({ 'x-team': 'news', authorization: 'Bearer t0ken' });
    const [, hash, time] = /^sha256=(\w+), t=(\d+)$/.exec(String(delivery?.headers['x-ghost-signature'])) ?? [];
    expect(hash).toBe(createHmac('sha256', secret).update(`${delivery?.body}${time}`).digest('hex'));
    const [row] = await rows(id);
    const shown = await stack.call('deliveries/read', {
      path: `/admin/webhooks/${id}/deliveries/${row?.id}/`,
      key: keys.integration,
    });
    expect(shown.body.deliveries[0].request).toMatchObject({
      body: delivery?.body,
      headers: { 'X-Team': '…', Authorization: '…' },
    });
    expect(shown.text).not.toContain('t0ken');
    await remove(id, keys.integration);
  });

  it('has no body for a deploy hook, and is sent to the target without its fragment', async () => {
    const { id, arrived } = await hook({ format: { type: 'deploy-hook' } }, { event: 'site.changed' });
    await deliver('site.changed');
    const [delivery] = arrived;
    expect(delivery).toMatchObject({ body: '', path: '/hook' });
    expect(delivery?.headers).toMatchObject({ 'content-length': '0', 'masthead-trigger': 'event' });
    expect(delivery?.headers).not.toHaveProperty('content-type');
    await remove(id, keys.integration);
  });

  it('is not created if the filter excludes the event, and the webhook counts such events', async () => {
    const { id, arrived } = await hook({ filter: news });
    await deliver('post.published', { title: 'News of today' });
    await deliver('post.published', { title: 'Recipes' });
    await deliver('post.published', { title: 'Sports' });
    expect(arrived).toHaveLength(1);
    expect(await rows(id)).toHaveLength(1);
    expect((await read(id)).body.options).toMatchObject([{ left_out: 2 }]);
    await remove(id, keys.integration);
  });

  it('uses the options at the time of each attempt, so that a retry uses changed options', async () => {
    const { id, arrived } = await hook({ format: { type: 'slack' } }, {}, 500);
    await deliver('post.published', { title: 'Hello' });
    await put(id, { format: { type: 'template', template: ['{{post.current.title}}'] } });
    const [row] = await rows(id);
    const redeliver = `/admin/webhooks/${id}/deliveries/${row?.id}/redeliver/`;
    await stack.call('deliveries/redeliver', { path: redeliver, key: keys.integration });
    await stack.drain('deliveries');
    await stack.drain('slow-deliveries');
    expect(arrived.at(-1)?.body).toBe('["Hello"]');
    await remove(id, keys.integration);
  });
});

describe('a webhook with options', () => {
  const slack = { format: { type: 'slack' }, headers: { 'X-Team': 'news' }, filter: news };
  const messageOf = (one: { body: string } | undefined): string => JSON.parse(one?.body ?? '{}').text;

  it('gets a retry with the same bytes and a valid signature', async () => {
    const { id, arrived } = await hook({ format: { type: 'slack' } }, { secret: 'hunter2' }, 500);
    const message = (await messagesFor('post.published')).find(({ webhook_id }) => webhook_id === id);
    const next = await attempt(message ?? expect.fail());
    const [row] = await rows(id);
    // As if the five seconds had passed.
    const key = deliveryKey(id as WebhookId, row?.id ?? expect.fail());
    const next_attempt_at = new Date().toISOString();
    await tamper(key, { next_attempt_at });
    await attempt({ ...(next?.body ?? expect.fail()), next_attempt_at });
    expect(arrived.map(({ headers }) => headers['masthead-attempt'])).toEqual(['1', '2']);
    expect(arrived[1]?.body).toBe(arrived[0]?.body);
    for (const { body, headers } of arrived) {
      const [, hash, time] = /^sha256=(\w+), t=(\d+)$/.exec(String(headers['x-ghost-signature'])) ?? [];
      expect(hash).toBe(createHmac('sha256', 'hunter2').update(`${body}${time}`).digest('hex'));
    }
    await remove(id, keys.integration);
  });

  it('gets redeliveries and replays in its current format, even of events that its filter now excludes', async () => {
    const { id, arrived } = await hook({});
    await deliver('post.published', { title: 'Recipes' });
    await put(id, slack);
    const [row] = await rows(id);
    await stack.call('deliveries/redeliver', {
      path: `/admin/webhooks/${id}/deliveries/${row?.id}/redeliver/`,
      key: keys.integration,
    });
    await stack.call('replays/create', {
      path: `/admin/webhooks/${id}/replays/`,
      key: keys.integration,
      body: { replays: [{ since: '2020-01-01', until: new Date(Date.now() + 60_000).toISOString() }] },
    });
    for (const queue of ['replays', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
    const triggers = arrived.map(({ headers }) => headers['masthead-trigger']);
    expect(triggers).toContain('redelivery');
    expect(triggers).toContain('replay');
    for (const one of arrived.slice(1)) {
      expect(messageOf(one)).toBe('Post published: Recipes');
      expect(one.headers['x-team']).toBe('news');
    }
    await remove(id, keys.integration);
  });

  it('gets two signatures of the formatted bytes after its secret was rotated', async () => {
    const secretBefore = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const { id, arrived } = await hook({ format: { type: 'discord' } }, { secret: secretBefore });
    const rotated = await stack.call('webhooks/rotate-secret', {
      path: `/admin/webhooks/${id}/secret/`,
      key: keys.integration,
    });
    await deliver('post.published', { title: 'Signed twice' });
    const { body, headers } = arrived[0] ?? expect.fail();
    const expected = [rotated.body.secrets[0].secret, secretBefore].map((secret: string) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    });
    expect(String(headers['webhook-signature']).split(' ')).toEqual(expected);
    expect(JSON.parse(body)).toHaveProperty('embeds');
    await remove(id, keys.integration);
  });

  it('does not delay others in its batch if its receiver fails', async () => {
    const failing = await hook(
      { format: { type: 'teams' }, filter: { post: { current: { title: ['Hello'] } } } },
      {},
      503,
    );
    const working = await hook({ format: { type: 'slack' } });
    const plain = await hook({});
    await deliver('post.published', { title: 'Hello' });
    expect(failing.arrived).toHaveLength(1);
    expect(messageOf(working.arrived[0])).toBe('Post published: Hello');
    expect(JSON.parse(plain.arrived[0]?.body ?? '{}').post.current.title).toBe('Hello');
    for (const { id } of [failing, working, plain]) await remove(id, keys.integration);
  });
});

describe('a ping', () => {
  const ping = async (id: string, item?: object) => {
    const answer = await stack.call('webhooks/ping', {
      path: `/admin/webhooks/${id}/ping/`,
      key: keys.integration,
      ...(item && { body: { pings: [item] } }),
    });
    await stack.drain('deliveries');
    await stack.drain('slow-deliveries');
    return answer;
  };

  it('sends an example event in the format of the webhook, even if the filter excludes it', async () => {
    const { id, arrived } = await hook({ format: { type: 'slack' }, filter: news });
    const answer = await ping(id, { event: 'post.published', example: true });
    expect(answer.body).toEqual({ pings: [{ delivery_id: expect.stringMatching(/^[0-9a-f]{24}$/) }] });
    expect(JSON.parse(arrived[0]?.body ?? '').text).toContain('Post published: What to sow in winter');
    await remove(id, keys.integration);
  });

  it('sends an earlier event of the webhook again, by the id of its publisher or that of its receiver', async () => {
    const { id, arrived } = await hook({});
    const event_id = await deliver('post.published', { id: longestId(), title: 'Earlier' });
    for (const known of [event_id, arrived[0]?.headers['masthead-event-id']])
      expect(await ping(id, { event_id: known })).toMatchObject({ status: 202 });
    expect(arrived.map(({ body }) => JSON.parse(body).post.current.title)).toEqual(Array(3).fill('Earlier'));
    expectRefusal(await ping(id, { event_id: 'unknown' }), { status: 404, type: 'NotFoundError' });
    await remove(id, keys.integration);
  });
});

describe('a preview', () => {
  it('shows the request and whether the filter matches, but sends nothing', async () => {
    const target_url = 'https://hooks.example/team#two';
    const options = { format: { type: 'discord' }, filter: news, headers: { Authorization: 'Bearer t0ken' } };
    const answer = await preview({ target_url, example: true, options });
    expect(answer.status, answer.text).toBe(200);
    const [shown] = answer.body.previews;
    expect(shown).toMatchObject({ method: 'POST', url: 'https://hooks.example/team', matched: false });
    expect(shown.headers).toMatchObject({ Authorization: '…', 'Content-Type': 'application/json' });
    expect(JSON.parse(shown.body)).toHaveProperty('embeds');
    expect(answer.text).not.toContain('t0ken');
  });

  it('needs no secrets, and refuses options that could not be stored', async () => {
    const target_url = 'https://api.github.com/repos/ada/blog/dispatches';
    expect((await preview({ target_url, options: { format: { type: 'github', token: null } } })).status).toBe(200);
    const refused = await preview({ options: { filter: { pst: [1] } } });
    expectRefusal(refused, { status: 422, type: 'ValidationError', property: 'options.filter.pst' });
  });
});

describe('previews and trials', () => {
  it('have one limit of 120 a minute for an integration', async () => {
    const { id } = await existing(keys.otherIntegration, { event: 'post.published' });
    const trial = () => tryFilter(id, news, keys.otherIntegration);
    const example = () =>
      stack.call('webhooks/preview', {
        path: '/admin/webhooks/preview/',
        key: keys.otherIntegration,
        body: { previews: [{ event: 'post.published', example: true, target_url: newUrl() }] },
      });
    let allowed = 0;
    while (allowed <= 120 && (await (allowed % 2 === 0 ? trial() : example())).status === 200) allowed++;
    expect(allowed).toBe(120);
    for (const refused of [await trial(), await example()])
      expectRefusal(refused, { status: 429, type: 'TooManyRequestsError' });
    expect((await preview({ example: true })).status).toBe(200);
  });
});

describe('a preview of an earlier event', () => {
  it('shows the request for the event, which is found by its id, with or without its webhook', async () => {
    const { id, arrived } = await hook({});
    const event_id = await deliver('post.published', { id: longestId(), title: 'Earlier' });
    const received = arrived[0]?.headers['masthead-event-id'];
    for (const more of [{}, { webhook_id: id }, { event_id: received, webhook_id: id }]) {
      const answer = await preview({ event_id, ...more, options: { format: { type: 'slack' }, filter: news } });
      expect(answer.status, answer.text).toBe(200);
      const [shown] = answer.body.previews;
      expect(shown).toMatchObject({
        matched: false,
        headers: { 'Masthead-Event-Id': received },
      });
      expect(JSON.parse(shown.body).text).toBe('Post published: Earlier');
    }
    const ofOwner = await stack.call('webhooks/preview', {
      path: '/admin/webhooks/preview/',
      key: keys.owner,
      body: { previews: [{ event: 'post.published', event_id, target_url: newUrl() }] },
    });
    expect(JSON.parse(ofOwner.body.previews[0].body).post.current.title).toBe('Earlier');
    await remove(id, keys.integration);
  });

  it("returns 404 for an unknown event or a wrong name, and 403 for another integration's webhook", async () => {
    const { id } = await hook({});
    const event_id = await deliver('post.published', { title: 'Earlier' });
    const refusals = [
      [{ event_id: 'unknown' }, 404],
      [{ event_id: 'unknown', webhook_id: id }, 404],
      [{ event: 'page.published', event_id, webhook_id: id }, 404],
      [{ event_id, webhook_id: 'a'.repeat(24) }, 404],
      [{ event_id, webhook_id: 'nonsense' }, 422],
    ] as const;
    for (const [item, status] of refusals) expect((await preview(item)).status, JSON.stringify(item)).toBe(status);
    const { id: other } = await existing(keys.otherIntegration);
    expectRefusal(await preview({ event_id, webhook_id: other }), { status: 403, type: 'NoPermissionError' });
    await remove(id, keys.integration);
  });
});

describe('a trial of a filter', () => {
  it("shows the webhook's newest events, including those that its current filter excluded", async () => {
    const { id } = await hook({ filter: news });
    await deliver('post.published', { title: 'News of today' });
    await deliver('post.published', { title: 'Recipes' });
    await deliver('post.published', { title: 'Sports' });
    const answer = await tryFilter(id, { post: { current: { title: [{ prefix: 'S' }, { prefix: 'N' }] } } });
    expect(answer.status, answer.text).toBe(200);
    const [{ matched, events }] = answer.body.trials;
    expect(matched).toBe(2);
    expect(
      events.map(({ title, matched: passes, left_out }: Record<string, unknown>) => [title, passes, left_out]),
    ).toEqual([
      ['Post published: Sports', true, true],
      ['Post published: Recipes', false, true],
      ['Post published: News of today', true, false],
    ]);
    expect(events[0]).toMatchObject({ event: 'post.published', event_id: expect.any(String) });
    // An event that the filter excluded can be previewed too.
    const previewed = await preview({ event_id: events[0].event_id, webhook_id: id });
    expect(JSON.parse(previewed.body.previews[0].body).post.current.title).toBe('Sports');
    await remove(id, keys.integration);
  });

  it('shows at most 20 events, none of them twice and no pings', async () => {
    const { id } = await hook({}, { event: 'page.scheduled' });
    for (let number = 0; number < 22; number++) await publish('page.scheduled', { title: `Page ${number}` });
    for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
    const [row] = await rows(id);
    const redeliver = `/admin/webhooks/${id}/deliveries/${row?.id}/redeliver/`;
    await stack.call('deliveries/redeliver', { path: redeliver, key: keys.integration });
    await stack.call('webhooks/ping', {
      path: `/admin/webhooks/${id}/ping/`,
      key: keys.integration,
      body: { pings: [{ example: true }] },
    });
    const [{ events }] = (await tryFilter(id, { page: news.post })).body.trials;
    const titles = events.map(({ title }: { title: string }) => title);
    expect(new Set(titles)).toEqual(
      new Set(Array.from({ length: 20 }, (_, number) => `Page scheduled: Page ${21 - number}`)),
    );
    expect(titles).toHaveLength(20);
    await remove(id, keys.integration);
  });

  it('shows no event with a name that the webhook has given up, although its filter excluded that event', async () => {
    const { id } = await hook({ filter: news });
    await deliver('post.published', { title: 'Recipes' });
    expect((await tryFilter(id, news)).body.trials[0].events).toMatchObject([{ title: 'Post published: Recipes' }]);
    await update(id, { event: 'post.edited' }, keys.integration);
    expect((await tryFilter(id, news)).body).toEqual({ trials: [{ matched: 0, events: [] }] });
    await remove(id, keys.integration);
  });

  it('is empty without events, and refuses a filter that could not be stored', async () => {
    const { id } = await existing(keys.integration, { event: 'post.published' });
    expect((await tryFilter(id, news)).body).toEqual({ trials: [{ matched: 0, events: [] }] });
    for (const [filter, property] of [
      [{ pst: { current: { title: ['x'] } } }, 'filter.pst'],
      [null, 'filter'],
      ['text', 'filter'],
    ] as const)
      expectRefusal(await tryFilter(id, filter), { status: 422, type: 'ValidationError', property });
    expectRefusal(await tryFilter(id, news, keys.otherIntegration), { status: 403, type: 'NoPermissionError' });
    expect((await tryFilter('a'.repeat(24), news)).status).toBe(404);
  });
});

describe('fields that no webhook has', () => {
  it('are ignored, and a header names them', async () => {
    const sent = { event: 'post.published', target_url: newUrl(), rate_limit: 5, 'x y': 1, status: 'disabled' };
    const answer = await create(sent, keys.integration);
    expect(answer.headers['masthead-ignored']).toBe('rate_limit, ?');
    const changed = await update(answer.body.webhooks[0].id, { nmae: 'typo' }, keys.integration);
    expect(changed.headers['masthead-ignored']).toBe('nmae');
    const known = await update(answer.body.webhooks[0].id, { name: 'Right' }, keys.integration);
    expect(known.headers).not.toHaveProperty('masthead-ignored');
  });
});
