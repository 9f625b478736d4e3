/** What all responses share: their headers, and that the spelling of a request's headers and path does not matter. */
import { describe, expect, it } from 'vitest';
import { endpointLines } from '../../shared/contract.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack({ allowedOrigins: ['https://console.example.com'] });
const keys = await stack.seed();
const { existing } = webhookCalls(stack);

const endpoints = endpointLines();
const id = '0123456789abcdef01234567';
const origin = 'https://console.example.com';

const answers: readonly (readonly [string, (headers: Record<string, string>) => Promise<TestResponse>])[] = [
  ['200', (headers) => stack.call('roles/list', { path: '/admin/roles/', key: keys.integration, headers })],
  [
    '201',
    (headers) =>
      stack.call('webhooks/create', {
        path: '/admin/webhooks/',
        key: keys.integration,
        headers,
        body: { webhooks: [{ event: 'site.changed', target_url: newUrl() }] },
      }),
  ],
  [
    '204',
    async (headers) => {
      const webhook = await existing(keys.integration);
      return stack.call('webhooks/delete', { path: `/admin/webhooks/${webhook.id}/`, key: keys.integration, headers });
    },
  ],
  ['403', (headers) => stack.call('roles/list', { path: '/admin/roles/', headers })],
  ['404', (headers) => stack.call('fallback/answer', { path: '/admin/nothing/', headers })],
  ['405', (headers) => stack.call('fallback/answer', { method: 'PATCH', path: '/admin/roles/', headers })],
];

describe.each(answers)('a response with the status %s', (status, call) => {
  it('has the headers Content-Version, Vary, Cache-Control, HSTS and nosniff', async () => {
    const answer = await call({});
    expect(String(answer.status)).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-version': expect.stringMatching(/^v\d+\.\d+$/),
      vary: expect.stringMatching(/\bAccept-Version\b/),
      'cache-control': 'no-store',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-type']).toBe(status === '204' ? undefined : 'application/json; charset=utf-8');
  });

  it('allows pages of a configured origin to read it and its headers', async () => {
    const { headers } = await call({ Origin: origin });
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-expose-headers']).toContain('Location');
    expect(headers.vary).toContain('Origin');
  });

  it('has no CORS headers for other origins', async () => {
    const { headers } = await call({ Origin: 'https://evil.example.com' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers.vary).toContain('Origin');
  });
});

it.each(['v5.130', 'v99.0', 'nonsense', 'x'.repeat(5000)])(
  'a response is the same for Accept-Version %j',
  async (version) => {
    const headers = { 'Accept-Version': version };
    const answer = await stack.call('roles/list', { path: '/admin/roles/', key: keys.integration, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-version']).toBe('v6.0');
  },
);

describe('each endpoint of the contract', () => {
  it.each(
    endpoints
      .filter(({ callers }) => !(callers as readonly string[]).includes('anyone'))
      .map((line) => [line.function, line] as const),
  )('%s returns 403 NoPermissionError to a request without credentials', async (_, line) => {
    const path = line.path.replace(/\{\w+\}/g, id);
    const answer = await stack.call(line.function as Parameters<typeof stack.call>[0], { path });
    expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
  });

  it.each(
    endpoints
      .filter(
        ({ callers }) => !(callers as readonly string[]).some((caller) => ['integration', 'anyone'].includes(caller)),
      )
      .map((line) => [line.function, line] as const),
  )(
    '%s returns 403 NoPermissionError to the key of an integration, because the endpoint is for staff',
    async (_, line) => {
      const path = line.path.replace(/\{\w+\}/g, id);
      const answer = await stack.call(line.function as Parameters<typeof stack.call>[0], {
        path,
        key: keys.integration,
      });
      const error = expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
      expect(error.message).toContain('integration');
    },
  );
});

describe('the spelling of header names', () => {
  it.each([
    ['lower case', 'content-type', 'content-encoding'],
    ['upper case', 'CONTENT-TYPE', 'CONTENT-ENCODING'],
    ['mixed case', 'cOnTeNt-TyPe', 'Content-encoding'],
  ])('does not matter: %s', async (_, type, encoding) => {
    const event = (headers: Record<string, string>) =>
      stack.call('webhooks/create', { path: '/admin/webhooks/', key: keys.integration, body: '{}', headers });
    expect((await event({ 'Content-Type': '', [type]: 'application/json; charset=utf-16' })).status).toBe(415);
    expect((await event({ [encoding]: 'gzip' })).status).toBe(415);
  });
});

describe('the slash at the end', () => {
  it('is optional on every path', async () => {
    const body = () => ({ webhooks: [{ event: 'site.changed', target_url: newUrl() }] });
    const post = await stack.call('webhooks/create', { path: '/admin/webhooks', key: keys.integration, body: body() });
    expect(post.status).toBe(201);
    const path = `/admin/webhooks/${post.body.webhooks[0].id}`;
    expect((await stack.call('webhooks/update', { path, key: keys.integration, body: body() })).status).toBe(200);
    expect((await stack.call('webhooks/delete', { path, key: keys.integration })).status).toBe(204);
    expect((await stack.call('roles/list', { path: '/admin/roles', key: keys.integration })).status).toBe(200);
  });
});

describe('HEAD', () => {
  it('is supported wherever GET is, with the same status and headers', async () => {
    const request = { path: '/admin/roles/', key: keys.integration };
    const [get, head] = [
      await stack.call('roles/list', request),
      await stack.call('roles/list', { ...request, method: 'HEAD' }),
    ];
    expect(head.status).toBe(200);
    expect(head.headers).toEqual(get.headers);
  });
});
