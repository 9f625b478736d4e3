/** Events from a Ghost site: authenticated by Ghost's signature, published once, and delivered like any other event. */
import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { ghostEvents } from '../../shared/foundation/event-names.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, tamper, record, rows } = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());

const create = async (name: string): Promise<string> => {
  const body = { integrations: [{ name }] };
  const created = await stack.call('integrations/create', { path: '/admin/integrations/', key: keys.owner, body });
  return created.body.integrations[0].id;
};
const makeSecret = async (id: string): Promise<string> => {
  const path = `/admin/integrations/${id}/inbound_secret/`;
  const made = await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner });
  expect(made.status).toBe(200);
  return made.body.secrets[0].secret;
};
const site = await create('Ghost');
const secret = await makeSecret(site);

const published = (title: string) =>
  JSON.stringify({
    post: { current: { title, status: 'published' }, previous: { status: 'draft' } },
    event: 'post.published',
  });

const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex');
/** Ghost 6 signs the body followed by the time. */
const signed = (body: string, at = Date.now(), key = secret) => `sha256=${hmac(`${body}${at}`, key)}, t=${at}`;

/** Ghost 5.0 to 5.87 signs the body alone. */
const signedWithoutTime = (body: string, key: string, at = Date.now()) => `sha256=${hmac(body, key)}, t=${at}`;

const send = (body: string, signature: string | undefined, { id = site, event = 'post.published' } = {}) =>
  stack.call('inbound/ghost', {
    path: `/inbound/ghost/${id}/${event}/`,
    body,
    headers: { 'Content-Type': 'application/json', ...(signature !== undefined && { 'X-Ghost-Signature': signature }) },
  });

let paths = 0;
const subscriber = async (event: string) => {
  const bodies = await textsOf(event);
  return async () => (await bodies()).map((body) => JSON.parse(body));
};

/** The same, with the exact texts. */
const textsOf = async (event: string, api_version?: string) => {
  const path = `/${paths++}`;
  await webhook(`${receiver.origin}${path}`, { event, ...(api_version !== undefined && { api_version }) });
  return async () => {
    await stack.drain('events');
    await stack.drain('deliveries');
    return receiver.deliveries.filter((delivery) => delivery.path === path).map(({ body }) => body);
  };
};

describe('a webhook request from a Ghost site', () => {
  it('is published: it returns 202 with the event, and every subscribed webhook gets the event', async () => {
    const received = await subscriber('post.published');
    const answer = await send(published('Relayed'), signed(published('Relayed')));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      events: [
        { id: expect.stringMatching(/^[0-9a-f]{64}$/), event: 'post.published', created_at: expect.any(String) },
      ],
    });
    expect(await received()).toEqual([JSON.parse(published('Relayed'))]);
  });

  it('is accepted if only the body is signed, as Ghost 5.0 to 5.87 does', async () => {
    const id = await create('An older Ghost');
    const key = await makeSecret(id);
    const body = published('An older Ghost');
    expect((await send(body, signedWithoutTime(body, key), { id })).status).toBe(202);
  });

  it('needs no resource for site.changed, because its body was empty before Ghost 6.50', async () => {
    const received = await subscriber('site.changed');
    expect((await send('{}', signed('{}'), { event: 'site.changed' })).status).toBe(202);
    expect(await received()).toEqual([{}]);
  });

  it('reaches slow subscribers in the slow lane, and is accepted without any subscribers', async () => {
    const deleted = JSON.stringify({ tag: { current: {}, previous: { name: 'News' } } });
    expect((await send(deleted, signed(deleted), { event: 'tag.deleted' })).status).toBe(202);
    const body = JSON.stringify({ tag: { current: { name: 'News' }, previous: {} } });
    const { id } = await webhook(`${receiver.origin}/slow`, { event: 'tag.added' });
    await tamper(webhookKey(id as WebhookId), { health: { slow_until: Date.now() + 600_000, slowings: 1 } });
    expect((await send(body, signed(body), { event: 'tag.added' })).status).toBe(202);
    expect(await stack.messages('events')).toEqual([]);
    await stack.drain('deliveries');
    expect(await stack.take('slow-deliveries')).toMatchObject([{ body: { webhook_id: id, event: 'tag.added' } }]);
  });

  it('makes one event if it is repeated unchanged, and another if it is signed at another time', async () => {
    const received = await subscriber('page.published');
    const body = JSON.stringify({ page: { current: { title: 'Again' }, previous: {} } });
    const signature = signed(body, Date.now() - 1000);
    const event = { event: 'page.published' };
    const first = await send(body, signature, event);
    const again = await send(body, signature, event);
    expect(again.status).toBe(202);
    expect(again.body.events[0].id).toBe(first.body.events[0].id);
    expect(await received()).toHaveLength(1);
    const repeated = await send(body, signature, event);
    expect(repeated.body.events[0].id).toBe(first.body.events[0].id);
    await send(body, signed(body), event);
    expect(await received()).toHaveLength(2);
  });
});

describe("a receiver that answers 410 to a Ghost site's event", () => {
  it('disables only its own webhook, and the other webhooks still get events', async () => {
    const gone = await receiveWebhooks((response) => response.writeHead(410).end());
    const event = 'post.unpublished';
    const declined = await webhook(`${gone.origin}/gone`, { event });
    const received = await subscriber(event);
    const body = (title: string) => JSON.stringify({ event, post: { current: { title }, previous: {} } });
    for (const title of ['First', 'Second', 'Third']) {
      // Ghost removes its own webhook, the relay, if Masthead answers 410.
      expect((await send(body(title), signed(body(title)), { event })).status).toBe(202);
      await stack.drain('deliveries');
    }
    expect((await received()).map(({ post }) => post.current.title).toSorted()).toEqual(['First', 'Second', 'Third']);
    expect(gone.deliveries).toHaveLength(1);
    expect(await record(declined.id)).toMatchObject({ status: 'disabled' });
    const found = await rows(declined.id);
    expect(found.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['held', 1],
      ['held', 0],
      ['held', 0],
    ]);
    const relays = await stack.call('relays/list', { path: '/admin/relays/', key: keys.owner });
    const relay = relays.body.relays.find(({ integration_id }: { integration_id: string }) => integration_id === site);
    expect(relay).toMatchObject({ silent_since: null });
    gone.close();
  });
});

describe('the body from a Ghost site is forwarded byte for byte', () => {
  const versions = ['v2', 'v3', 'v4', 'v5', 'v6', 'canary'];
  const member = (event?: string) =>
    `{${event === undefined ? '' : `"event":"${event}",`}"member":{"current":{"email":"a@b.example","tiers":[{"id":"1"}],"n":1.0, "é":"\\u00e9"},"previous":{}}}`;
  const bodies: [string, string, string][] = [
    ['with `event` first, as Ghost 6.65 does', 'member.added', member('member.added')],
    ['without `event`, as Ghost before 6.50 did', 'member.edited', member()],
    ['with parts that are large', 'member.deleted', member('member.deleted').replace('"1"', `"${'x'.repeat(60_000)}"`)],
  ];
  it.each(bodies)('%s, to webhooks of every `api_version`', async (_, event, body) => {
    const receivers = await Promise.all(versions.map((version) => textsOf(event, version)));
    expect((await send(body, signed(body), { event })).status).toBe(202);
    for (const received of receivers) expect(await received()).toEqual([body]);
  });

  it('even with 5 MB: it is stored in parts, and the log shows its first 256 KiB', async () => {
    const paragraph = '<p class="größer">The quick brown fox “jumps” over the lazy dog.</p>\n';
    const html = Array.from({ length: 60_000 }, (_, index) => `${paragraph}${index}`).join('');
    const body = JSON.stringify({ event: 'page.added', page: { current: { html }, previous: {} } });
    expect(Buffer.byteLength(body)).toBeGreaterThan(4_500_000);
    const received = await textsOf('page.added', 'v5');
    expect((await send(body, signed(body), { event: 'page.added' })).status).toBe(202);
    const texts = await received();
    expect(texts.map((text) => text === body)).toEqual([true]);
    const { body: list } = await stack.call('deliveries/list-all', {
      path: '/admin/deliveries/?event=page.added',
      key: keys.owner,
    });
    const [{ id, webhook_id }] = list.deliveries;
    const path = `/admin/webhooks/${webhook_id}/deliveries/${id}/`;
    const { request } = (await stack.call('deliveries/read', { path, key: keys.owner })).body.deliveries[0];
    expect(request.headers['Content-Length']).toBe(String(Buffer.byteLength(body)));
    expect(body.startsWith(request.body)).toBe(true);
    expect(Buffer.byteLength(request.body)).toBeGreaterThan(262_140);
    expect(Buffer.byteLength(request.body)).toBeLessThanOrEqual(262_144);
  });

  it('but without a byte order mark, which filters and formats could not read', async () => {
    const event = 'post.scheduled';
    const path = `/${paths++}`;
    const filter = { post: { current: { title: ['Marked'] } } };
    await webhook(`${receiver.origin}${path}/filtered`, { event, options: { filter } });
    const format = { type: 'template', template: { text: '{{post.current.title}}' } };
    await webhook(`${receiver.origin}${path}/formatted`, { event, options: { format } });
    const body = JSON.stringify({ event, post: { current: { title: 'Marked' }, previous: {} } });
    const marked = `\uFEFF${body}`;
    expect((await send(marked, signed(marked), { event })).status).toBe(202);
    await stack.drain('events');
    await stack.drain('deliveries');
    const received = receiver.deliveries.filter((delivery) => delivery.path.startsWith(path));
    expect(Object.fromEntries(received.map((one) => [one.path.slice(path.length), one.body]))).toEqual({
      '/filtered': body,
      '/formatted': '{"text":"Marked"}',
    });
  });

  it('but a publisher cannot publish a payload of the same form', async () => {
    const body = { events: [{ event: 'member.added', payload: { relayed: member() } }] };
    const answer = await stack.call('events/publish', { path: '/admin/events/', key: keys.integration, body });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'payload' });
  });
});

describe('a request is refused with 401 and makes no event', () => {
  const body = published('Forged');
  const rows: [string, () => Promise<unknown>][] = [
    ['without a signature', () => send(body, undefined)],
    ['with a signature of another form', () => send(body, `v1,${hmac(body)}`)],
    ['with a signature by another secret', () => send(body, signed(body, Date.now(), 'guessed'))],
    ['with the signature of another body', () => send(body, signed(`${body} `))],
    ['with a time more than five minutes ago', () => send(body, signed(body, Date.now() - 301_000))],
    ['with a time more than five minutes ahead', () => send(body, signed(body, Date.now() + 301_000))],
    [
      'to an integration without an inbound secret, signed with an empty one',
      async () => {
        const id = await create('No secret');
        return send(body, signed(body, Date.now(), ''), { id });
      },
    ],
    ['to an unknown integration', () => send(body, signed(body), { id: 'f'.repeat(24) })],
  ];
  it.each(rows)('if it is sent %s', async (_, request) => {
    const received = await subscriber('post.published');
    expectRefusal((await request()) as never, { status: 401, type: 'UnauthorizedError' });
    expect(await received()).toEqual([]);
  });

  it('with the same error for an unknown integration as for a wrong signature', async () => {
    const wrong = await send(body, signed(body, Date.now(), 'guessed'));
    const unknown = await send(body, signed(body), { id: 'f'.repeat(24) });
    const { id: _one, ...one } = wrong.body.errors[0];
    const { id: _other, ...other } = unknown.body.errors[0];
    expect(one).toEqual(other);
  });

  it('if it is signed with a secret that was replaced', async () => {
    const id = await create('Replaced');
    const earlier = await makeSecret(id);
    const later = await makeSecret(id);
    expect((await send(body, signed(body, Date.now(), earlier), { id })).status).toBe(401);
    expect((await send(body, signed(body, Date.now(), later), { id })).status).toBe(202);
  });
});

it('a webhook that targets this endpoint gets 403, so that its events do not go in a circle', async () => {
  const body = published('Around');
  const answer = await stack.call('inbound/ghost', {
    path: `/inbound/ghost/${site}/post.published/`,
    body,
    headers: { 'Content-Type': 'application/json', 'X-Ghost-Signature': signed(body), 'Masthead-Event-Id': 'e1' },
  });
  expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
});

describe('a request returns 422', () => {
  it('for an event that does not exist, and the error lists similar names', async () => {
    const answer = await send('{"post":{}}', signed('{"post":{}}'), { event: 'post.publish' });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'event' });
    expect(answer.body.errors[0].message).toContain('post.published');
  });

  it('for a body that belongs to another event than the path names', async () => {
    const answer = await send(published('x'), signed(published('x')), { event: 'post.added' });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'event' });
  });

  it.each(['{"page":{"current":{}}}', '{"post":[]}', '[]', '"post"', 'null'])(
    'for a body that is not a payload: %s',
    async (body) => {
      expectRefusal(await send(body, signed(body)), { status: 422, type: 'ValidationError', property: 'payload' });
    },
  );
});

it('reading the integration does not show the inbound secret', async () => {
  const path = `/admin/integrations/${site}/?include=api_keys,webhooks`;
  const read = await stack.call('integrations/read', { path, key: keys.owner });
  expect(read.status).toBe(200);
  expect(read.text).not.toContain(secret);
});

it('requesting an inbound secret for an unknown integration returns 404', async () => {
  const path = `/admin/integrations/${'f'.repeat(24)}/inbound_secret/`;
  const answer = await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner });
  expectRefusal(answer, { status: 404, type: 'NotFoundError' });
});

describe('a signature over the body alone', () => {
  const site5 = async () => {
    const id = await create('Ghost 5');
    return { id, key: await makeSecret(id) };
  };
  const post = (current: object, previous: object) => JSON.stringify({ post: { current, previous } });

  it('is refused after the site has signed a time, until the site gets another secret', async () => {
    const { id, key } = await site5();
    const [first, second, third] = ['first', 'second', 'third'].map(published) as [string, string, string];
    expect((await send(first, signed(first, Date.now(), key), { id })).status).toBe(202);
    expectRefusal(await send(second, signedWithoutTime(second, key), { id }), {
      status: 401,
      type: 'UnauthorizedError',
    });
    const later = await makeSecret(id);
    expect((await send(third, signedWithoutTime(third, later), { id })).status).toBe(202);
  });

  it('is accepted until the site has signed a time, and refused afterwards', async () => {
    const { id, key } = await site5();
    const bodies = ['a', 'b', 'c'].map(published) as [string, string, string];
    expect((await send(bodies[0], signedWithoutTime(bodies[0], key), { id })).status).toBe(202);
    expect((await send(bodies[1], signed(bodies[1], Date.now(), key), { id })).status).toBe(202);
    expect((await send(bodies[2], signedWithoutTime(bodies[2], key), { id })).status).toBe(401);
  });

  it('cannot be forged: a signature over body and time signs a text that is not JSON', async () => {
    const { id, key } = await site5();
    const body = published('Stolen');
    const at = Date.now();
    const stolen = `sha256=${hmac(`${body}${at}`, key)}, t=${at + 1}`;
    expectRefusal(await send(`${body}${at}`, stolen, { id }), { status: 400, type: 'BadRequestError' });
    expect((await send(body, signed(body, at, key), { id })).status).toBe(202);
  });

  it('makes one event whatever its time says, because the time is not signed', async () => {
    const { id, key } = await site5();
    const received = await subscriber('page.scheduled');
    const body = JSON.stringify({ page: { current: { status: 'scheduled' }, previous: { status: 'draft' } } });
    const to = { id, event: 'page.scheduled' };
    const first = await send(body, signedWithoutTime(body, key, Date.now() - 60_000), to);
    const again = await send(body, signedWithoutTime(body, key), to);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body.events[0].id).toBe(first.body.events[0].id);
    expect(await received()).toHaveLength(1);
  });

  it('makes a new event at another time for site.changed, whose bodies are all the same', async () => {
    const { id, key } = await site5();
    const to = { id, event: 'site.changed' };
    const first = await send('{}', signedWithoutTime('{}', key, Date.now() - 1000), to);
    const second = await send('{}', signedWithoutTime('{}', key), to);
    expect(second.body.events[0].id).not.toBe(first.body.events[0].id);
  });

  it.each([
    ['post.edited', post({ title: 'a', status: 'draft' }, { title: 'b' }), 'post.added'],
    ['post.edited', post({ title: 'a', status: 'draft' }, { title: 'b' }), 'post.published'],
    ['post.edited', post({ title: 'a', status: 'draft' }, { title: 'b' }), 'post.deleted'],
    ['post.deleted', post({}, { title: 'a', status: 'published' }), 'post.published'],
    ['post.published', post({ title: 'a', status: 'published' }, { status: 'draft' }), 'post.unpublished'],
    ['post.scheduled', post({ title: 'a', status: 'scheduled' }, { status: 'draft' }), 'post.unscheduled'],
  ])('is refused if a body of %s, %s, is sent as %s', async (event, body, other) => {
    const { id, key } = await site5();
    expectRefusal(await send(body, signedWithoutTime(body, key), { id, event: other }), {
      status: 422,
      type: 'ValidationError',
      property: 'event',
    });
    expect((await send(body, signedWithoutTime(body, key), { id, event })).status).toBe(202);
  });
});

describe('a signed body that names no event, of Ghost 5.88 to 6.49,', () => {
  const draft = { title: 'a', status: 'draft' };
  const out = { title: 'a', status: 'published' };
  const planned = { title: 'a', status: 'scheduled' };
  const tags = ['tag.attached', 'tag.detached'];
  it.each([
    ['a new draft', draft, {}, ['added', 'edited', ...tags]],
    ['a post that is published at once', out, {}, ['added', 'edited', 'published', 'published.edited', ...tags]],
    ['an edited draft', draft, { title: 'b' }, ['edited', ...tags]],
    ['a draft that is published', out, { status: 'draft' }, ['edited', 'published', ...tags]],
    ['an edited post', out, { title: 'b' }, ['edited', 'published', 'published.edited', ...tags]],
    ['a post that is taken back', draft, { status: 'published' }, ['edited', 'unpublished', ...tags]],
    ['a draft that is scheduled', planned, { status: 'draft' }, ['edited', 'scheduled', ...tags]],
    ['a scheduled post that becomes a draft', draft, { status: 'scheduled' }, ['edited', 'unscheduled', ...tags]],
    ['a post whose time moves', planned, { published_at: 'x' }, ['edited', 'rescheduled', 'scheduled', ...tags]],
    [
      'a scheduled post that is published',
      out,
      { status: 'scheduled' },
      ['edited', 'published', 'unscheduled', ...tags],
    ],
    ['a deleted draft', {}, draft, ['deleted', 'tag.detached']],
    ['a deleted post', {}, out, ['deleted', 'tag.detached', 'unpublished']],
  ])('is accepted only for events that Ghost may send of it: %s', async (_, current, previous, events) => {
    const body = JSON.stringify({ post: { current, previous } });
    const accepted: string[] = [];
    for (const event of ghostEvents.filter((name) => name.startsWith('post.')))
      if ((await send(body, signed(body), { event })).status === 202) accepted.push(event.slice('post.'.length));
    expect(accepted.toSorted()).toEqual(events.toSorted());
  });
});

describe('a request with a valid signature', () => {
  it('is accepted even after 60 bad signatures from its IP address, the last ten of which got 429', async () => {
    const id = await create('Shared source');
    const key = await makeSecret(id);
    const body = published('Still here');
    const bad = [];
    for (let sent = 0; sent < 60; sent += 1)
      bad.push((await send(body, signed(body, Date.now(), 'guessed'), { id })).status);
    expect(new Set(bad.slice(-10))).toEqual(new Set([429]));
    expect((await send(body, signed(body, Date.now(), key), { id })).status).toBe(202);
  });
});
