/** Requests that no endpoint handles: 404, 405 with `Allow`, and OPTIONS. */
import { describe, expect, it } from 'vitest';
import { endpointLines } from '../../shared/contract.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack({ allowedOrigins: ['https://console.example.com', 'http://localhost:3000'] });

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  stack.call('fallback/answer', { method, path, headers });

const endpoints = endpointLines();
const id = '0123456789abcdef01234567';
const paths = [...new Set(endpoints.map(({ path }) => path))];
const methodsAt = (path: string) => {
  const methods = endpoints.filter((line) => line.path === path).map(({ method }): string => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
};
const filled = (path: string) => path.replace(/\{\w+\}/g, id);
const listed = (allow: string | undefined) => (allow ?? '').split(', ').sort();

describe('an unknown path returns 404 NotFoundError like every other error', () => {
  it.each([
    '/',
    '/admin',
    '/admin/',
    '/admin/nothing/',
    '/admin/webhook/',
    '/admin/Webhooks/',
    '/admin/webhooks/x/y/z/',
    '/admin//webhooks/',
    '//admin/webhooks/',
    '/admin/webhooks//',
    '/content/posts/',
    '/v5/admin/webhooks/',
    '/v3/admin/audit/',
    '/v3/content/posts/',
    '/__proto__/',
    '/admin/constructor/',
    '/admin/%2e%2e/webhooks/',
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const error = expectRefusal(await call(method, path), { status: 404, type: 'NotFoundError' });
      expect(error.message).toBe('Unknown path.');
      expect(error.help).toContain(stack.baseUrl);
    }
  });

  it('and the error shortens a very long path', async () => {
    const error = expectRefusal(await call('GET', `/admin/${'x'.repeat(5000)}/`), {
      status: 404,
      type: 'NotFoundError',
    });
    expect(error.message.length).toBeLessThan(200);
  });
});

describe('a link of a mail that came with a part of the text around it leads to its page', () => {
  const token = `${id}${'x'.repeat(43)}`;
  it.each([
    [`/invitation/${token}/>`, `/invitation/${token}/`],
    [`/invitation/${token}/%3E`, `/invitation/${token}/`],
    [`/invitation/${token}/),/x`, `/invitation/${token}/`],
    [`/sign-in/${token}/&amp;x=1`, `/sign-in/${token}/`],
    [`/sign-in/${token}%20/`, `/sign-in/${token}/`],
    ['/invitation/', '/invitation/-/'],
    ['/sign-in', '/sign-in/-/'],
    ['/console/%23/staff/access', '/console/#/staff/access'],
  ])('%s', async (path, page) => {
    const answer = await call('GET', path);
    expect(answer).toMatchObject({ status: 302, headers: { location: `${stack.baseUrl}${page}` } });
  });

  it('but never to another host', async () => {
    const answer = await call('GET', '/invitation//evil.example/');
    expect(answer.headers.location).toBe(`${stack.baseUrl}/invitation/-/`);
  });
});

describe('another method on a known path returns 405 MethodNotAllowedError with Allow', () => {
  it.each(paths)('%s', async (path) => {
    const allowed = methodsAt(path);
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'].filter(
      (method) => !allowed.includes(method),
    );
    for (const method of others)
      for (const spelled of [filled(path), filled(path).replace(/\/$/, '')]) {
        const answer = await call(method, spelled);
        const error = expectRefusal(answer, { status: 405, type: 'MethodNotAllowedError' });
        expect(listed(answer.headers.allow)).toEqual([...allowed].sort());
        expect(error.message).toContain(method);
        expect(error.help).toContain(allowed[0]);
      }
  });

  it.each(['v2', 'v3', 'v4', 'canary'])('below the version %s, too', async (version) => {
    const answer = await call('GET', `/${version}/admin/webhooks/`);
    expectRefusal(answer, { status: 405, type: 'MethodNotAllowedError' });
    expect(answer.headers.allow).toBe('POST, OPTIONS');
    expect((await call('OPTIONS', `/${version}/admin/roles/`)).headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('even for reading or listing webhooks, which no operation does, and says where they are listed', async () => {
    for (const path of ['/admin/webhooks/', `/admin/webhooks/${id}/`]) {
      const error = expectRefusal(await call('GET', path), { status: 405, type: 'MethodNotAllowedError' });
      expect(error.help).toContain('/admin/integrations/?include=webhooks');
    }
  });

  it('before authentication and before the id is checked', async () => {
    expectRefusal(await call('PATCH', '/admin/webhooks/no-id/'), { status: 405, type: 'MethodNotAllowedError' });
  });
});

describe('OPTIONS', () => {
  it.each(paths)('%s returns the supported methods without authentication', async (path) => {
    const answer = await call('OPTIONS', filled(path));
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(listed(answer.headers.allow)).toEqual(methodsAt(path).sort());
  });

  const asks = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  };

  it.each(['https://console.example.com', 'http://localhost:3000'])(
    'answers the CORS preflight of the configured origin %s',
    async (origin) => {
      const { status, headers } = await call('OPTIONS', '/admin/webhooks/', { Origin: origin, ...asks });
      expect(status).toBe(204);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-allow-methods']).toContain('POST');
      expect(headers['access-control-allow-headers']).toBe('authorization,content-type');
      expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
      expect(headers.vary).toContain('Origin');
    },
  );

  it('allows the usual headers if the page requests none', async () => {
    const { headers } = await call('OPTIONS', '/admin/webhooks/', { Origin: 'https://console.example.com' });
    expect(headers['access-control-allow-headers']).toContain('Authorization');
  });

  it('does not return invalid header names', async () => {
    const { headers } = await call('OPTIONS', '/admin/webhooks/', {
      Origin: 'https://console.example.com',
      'Access-Control-Request-Headers': 'x: y\r\nSet-Cookie: a=b',
    });
    expect(headers['access-control-allow-headers']).toBe('Authorization, Content-Type, Accept-Version');
  });

  it.each([
    'https://evil.example.com',
    'https://console.example.com.evil.com',
    'http://console.example.com',
    'https://console.example.com:444',
    'https://CONSOLE.example.com',
    'null',
    '*',
    '',
  ])('sends no CORS headers to %j', async (origin) => {
    const { headers } = await call('OPTIONS', '/admin/webhooks/', { Origin: origin, ...asks });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
