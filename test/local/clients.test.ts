/** Existing clients work with the running stack after a change of their URL and key only. */
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import GhostAdminApi from '@tryghost/admin-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { newUrl, webhookFields } from '../support/webhooks.ts';

const home = temporaryHome();
let running: RunningStack;
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
});
afterAll(async () => {
  await running.end('SIGTERM');
  home.remove();
});

describe.each(['v6.0', 'v5.0', true])('the official client (version %s)', (version) => {
  const client = (key = running.stack.integrationKey) =>
    new GhostAdminApi({ url: running.stack.baseUrl.replace(/\/ghost\/api$/, ''), key, version });
  const hook = () => ({ event: 'post.published', target_url: newUrl(), name: 'Official' });

  it('creates a webhook and receives one object, not a list', async () => {
    const sent = hook();
    const added = await client().webhooks.add(sent);
    expect(Object.keys(added)).toEqual(webhookFields);
    expect(added).toMatchObject(sent);
  });

  it('updates the webhook', async () => {
    const { webhooks } = client();
    const added = await webhooks.add(hook());
    const edited = await webhooks.edit({ id: added.id, name: 'Edited', event: 'post.added' });
    expect(edited).toEqual({ ...added, name: 'Edited', event: 'post.added', updated_at: expect.any(String) });
  });

  it('updates the webhook by sending the whole object that it received', async () => {
    const { webhooks } = client();
    const added = await webhooks.add(hook());
    // The client removes `id` from its argument.
    expect(await webhooks.edit({ ...added })).toEqual({ ...added, updated_at: expect.any(String) });
  });

  it('deletes the webhook with a JSON body', async () => {
    const { webhooks } = client();
    const { id } = await webhooks.add(hook());
    expect(await webhooks.delete({ id })).toBe('');
    await expect(webhooks.delete({ id })).rejects.toMatchObject({ name: 'NotFoundError', type: 'NotFoundError' });
  });

  it('throws a ValidationError with all nine keys of an error', async () => {
    const error = await client()
      .webhooks.add({ event: 'post.publish', target_url: 'nowhere' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining('post.published'),
      context: expect.any(String),
      type: 'ValidationError',
      details: [
        { index: 0, field: 'event', rule: 'known_event' },
        { index: 0, field: 'target_url', rule: 'url' },
      ],
      property: 'event',
      help: expect.any(String),
      code: null,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ghostErrorCode: null,
    });
  });

  it.each([
    [
      'ValidationError',
      'a duplicate',
      async () => {
        const twice = hook();
        await client().webhooks.add({ ...twice });
        await client(running.stack.otherIntegrationKey).webhooks.add({ ...twice });
      },
    ],
    ['ValidationError', 'a malformed id', () => client().webhooks.edit({ id: 'nonsense', name: 'x' })],
    ['NotFoundError', 'an unknown id', () => client().webhooks.edit({ id: 'f'.repeat(24), name: 'x' })],
    [
      'NoPermissionError',
      "another integration's webhook",
      async () => {
        const { id } = await client().webhooks.add(hook());
        await client(running.stack.otherIntegrationKey).webhooks.delete({ id });
      },
    ],
    ['NoPermissionError', 'the key of an Author', () => client(running.stack.staffKeys.Author).webhooks.add(hook())],
    [
      'UnauthorizedError',
      'a wrong secret',
      () => client(`${running.stack.integrationKey.slice(0, 25)}${'0'.repeat(64)}`).webhooks.add(hook()),
    ],
    ['UnauthorizedError', 'an unknown key', () => client(`${'0'.repeat(24)}:${'0'.repeat(64)}`).webhooks.add(hook())],
  ])('throws a %s for %s', async (name, _, act) => {
    await expect(act()).rejects.toMatchObject({ name, type: name });
  });

  it('sends integration_id with the key of an Owner', async () => {
    const own = await client().webhooks.add(hook());
    const owner = client(running.stack.adminKey);
    await expect(owner.webhooks.add(hook())).rejects.toMatchObject({
      name: 'ValidationError',
      property: 'integration_id',
    });
    const added = await owner.webhooks.add({ ...hook(), integration_id: own.integration_id });
    expect(added.integration_id).toBe(own.integration_id);
  });
});

describe('a client that omits the trailing slash', () => {
  it('can use all operations', async () => {
    const key = running.stack.integrationKey;
    const body = (webhook: object) => ({ webhooks: [webhook] });
    const added = await running.call('POST', '/admin/webhooks', {
      key,
      body: body({ event: 'page.added', target_url: newUrl() }),
    });
    expect(added.status).toBe(201);
    const path = `/admin/webhooks/${added.body.webhooks[0].id}`;
    expect((await running.call('PUT', path, { key, body: body({ name: 'No slash' }) })).status).toBe(200);
    expect((await running.call('DELETE', path, { key })).status).toBe(204);
    const roles = await running.call('GET', '/admin/roles?permissions=assign', { key });
    const [{ id: role_id }] = roles.body.roles;
    const invited = await running.call('POST', '/admin/invites', {
      key,
      body: { invites: [{ role_id, email: 'no-slash@example.com' }] },
    });
    expect(invited.status).toBe(201);
    expect(invited.headers.location).toBe(`${running.stack.baseUrl}/admin/invites/${invited.body.invites[0].id}/`);
  });
});

describe('a client that sends its key id as integration_id', () => {
  it('creates a webhook of its own integration', async () => {
    const key = running.stack.integrationKey;
    const add = (integration_id?: string) =>
      running.call('POST', '/admin/webhooks/', {
        key,
        body: { webhooks: [{ event: 'tag.added', target_url: newUrl(), integration_id }] },
      });
    const [usual, odd] = [await add(), await add(key.slice(0, 24))];
    expect(odd.status).toBe(201);
    expect(odd.body.webhooks[0].integration_id).toBe(usual.body.webhooks[0].integration_id);
    expect(odd.body.webhooks[0].integration_id).not.toBe(key.slice(0, 24));
  });
});

/** Sends a request with exactly these headers, without a library that would normalize them. */
const raw = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: Buffer | string) =>
  new Promise<{
    status: number;
    headers: Record<string, string>;
    body: { errors?: unknown } | undefined;
    text: string;
  }>((resolve, reject) => {
    const { hostname, port } = new URL(running.stack.baseUrl);
    const sent = httpRequest({ hostname, port, method, path, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
        body: text.startsWith('{') ? JSON.parse(text) : undefined,
        text,
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

describe('any client', () => {
  const token = (key: string) => {
    const [kid, secret = ''] = key.split(':');
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
    const iat = Math.floor(Date.now() / 1000);
    const signed = `${part({ alg: 'HS256', typ: 'JWT', kid })}.${part({ iat, exp: iat + 60, aud: '/admin/' })}`;
    return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`;
  };
  const roles = '/ghost/api/admin/roles/';
  const webhooks = '/ghost/api/admin/webhooks/';
  const authorization = () => ({ Authorization: `Ghost ${token(running.stack.integrationKey)}` });

  it('can write header names in any case', async () => {
    const { Authorization } = authorization();
    for (const name of ['authorization', 'AUTHORIZATION', 'aUTHORIZATION'])
      expect((await raw('GET', roles, { [name]: Authorization })).status).toBe(200);
  });

  it('receives the response of GET without its body for HEAD', async () => {
    const [get, head] = [await raw('GET', roles, authorization()), await raw('HEAD', roles, authorization())];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    const { date: _, ...same } = get.headers;
    expect(head.headers).toMatchObject(same);
  });

  it('receives the supported methods for OPTIONS', async () => {
    const answer = await raw('OPTIONS', webhooks);
    expect([answer.status, answer.headers.allow]).toEqual([204, 'POST, OPTIONS']);
  });

  it('may call the API from a web page only if the page has the configured origin (CORS)', async () => {
    const origin = running.stack.allowedOrigin ?? '';
    const ask = (Origin: string) =>
      raw('OPTIONS', webhooks, {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      });
    expect((await ask(origin)).headers['access-control-allow-origin']).toBe(origin);
    expect(
      (await raw('GET', roles, { Origin: origin, ...authorization() })).headers['access-control-allow-origin'],
    ).toBe(origin);
    expect((await ask('https://evil.example.com')).headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([
    ['an unknown path', 'GET', '/ghost/api/admin/nothing/', 404, 'NotFoundError'],
    ['a path outside the API', 'GET', '/', 404, 'NotFoundError'],
    ['a path of an unknown version', 'POST', '/ghost/api/v1/admin/webhooks/', 404, 'NotFoundError'],
    ['a duplicate slash', 'GET', '/ghost/api/admin//roles/', 404, 'NotFoundError'],
    ['another method', 'PATCH', webhooks, 405, 'MethodNotAllowedError'],
    ['a list of webhooks, which does not exist', 'GET', webhooks, 405, 'MethodNotAllowedError'],
    ['no credentials', 'GET', roles, 403, 'NoPermissionError'],
  ])('receives an error for %s', async (_, method, path, status, type) => {
    expectRefusal(await raw(method, path), { status, type });
  });

  it('receives an error for an id with invalid percent-encoding', async () => {
    expectRefusal(await raw('DELETE', `${webhooks}%zz/`, authorization()), {
      status: 422,
      type: 'ValidationError',
      property: 'id',
    });
  });

  it('receives an error for a compressed body', async () => {
    const headers = { ...authorization(), 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const answer = await raw('POST', webhooks, headers, gzipSync('{"webhooks":[{}]}'));
    expectRefusal(answer, { status: 415, type: 'UnsupportedMediaTypeError' });
  });

  it.each([
    ['one byte more than 64 KiB, by the function', 64 * 1024 + 1],
    ['11 MiB, by the gateway', 11 * 1024 * 1024],
  ])('receives an error for a body of %s', async (_, bytes) => {
    const headers = { ...authorization(), 'Content-Type': 'application/json' };
    expectRefusal(await raw('POST', webhooks, headers, 'x'.repeat(bytes)), {
      status: 413,
      type: 'RequestEntityTooLargeError',
    });
  });
});
