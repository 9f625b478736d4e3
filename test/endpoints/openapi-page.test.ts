/** The documentation page comes from this origin only, under a strict policy, and is cached while unchanged. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freshStack, type TestResponse } from '../support/parts.ts';

const stack = await freshStack();
const open = () => stack.call('openapi/page', { path: '/admin/docs/' });
const file = (name: string) => stack.call('openapi/asset', { path: `/admin/docs/${name}/` });

const linksOf = ({ text }: TestResponse): string[] =>
  [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
const filesOf = (page: TestResponse): string[] =>
  linksOf(page).flatMap((target) => /^\/ghost\/api\/admin\/docs\/(.+)$/.exec(target)?.[1] ?? []);

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('GET /admin/docs/', () => {
  it('returns a page without authentication, which is never cached', async () => {
    const page = await open();
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  it('allows only scripts, styles and requests of this origin', async () => {
    const policy = (await open()).headers['content-security-policy']?.split('; ') ?? [];
    const [, nonce = ''] = /'nonce-([\w+/=]{24})'/.exec(policy.join()) ?? [];
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('has a new nonce in each response, and its script uses it', async () => {
    const pages = await Promise.all([open(), open()]);
    const nonces = pages.map(({ text, headers }) => {
      const [, nonce = ''] = /<script type="module" nonce="([^"]+)"/.exec(text) ?? [];
      expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  it('contains no inline script, style or handler, and loads nothing from another origin', async () => {
    const page = await open();
    expect(page.text).not.toMatch(/<style|<iframe|<object|<form|\sstyle=|\son\w+=|javascript:|@import|url\(|\{\w+\}/i);
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc="\/ghost\/api\/)[^>]*>/);
    expect(page.text).not.toMatch(/https?:|"\/\//);
    expect(linksOf(page).filter((target) => !target.startsWith('/ghost/api/admin/'))).toEqual(['data:,']);
  });

  it('links only to addresses below the base URL of its stage', async () => {
    vi.stubEnv('BASE_URL', 'https://a1b2c3.execute-api.eu-central-1.amazonaws.com/prod/ghost/api');
    const { call } = await freshStack();
    vi.stubEnv('BASE_URL', 'https://a1b2c3.execute-api.eu-central-1.amazonaws.com/prod/ghost/api');
    const page = await call('openapi/page', { path: '/admin/docs/' });
    const links = linksOf(page).filter((target) => target !== 'data:,');
    expect(links.length).toBeGreaterThan(2);
    for (const target of links) expect(target).toMatch(/^\/prod\/ghost\/api\/admin\//);
  });
});

describe('GET /admin/docs/{file}/', () => {
  it('serves every file that the page loads, and allows caches to keep it', async () => {
    const names = filesOf(await open());
    expect(names.map((name) => name.replace(/-[0-9A-Z]{8}\./, '.')).sort()).toEqual(['main.js', 'page.css']);
    for (const name of names) {
      const answer = await file(name);
      expect(answer.status, name).toBe(200);
      expect(answer.headers['content-type']).toBe(`text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`);
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it("sends no file that exceeds Lambda's limit on responses (6 MB)", async () => {
    for (const name of filesOf(await open())) {
      const result = await file(name);
      expect(Buffer.byteLength(JSON.stringify(result.text)), name).toBeLessThan(5.5 * 1024 * 1024);
    }
  });

  it('serves the licences of its packages, and lets no cache keep them', async () => {
    const answer = await file('licences.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).toMatch(/^@scalar\/api-reference [\d.]+: MIT$/m);
  });

  it.each(['main.js', 'main-AAAAAAAA.js', '..%2Findex.mjs', '../index.mjs', 'constructor', '%00'])(
    'returns 404 for `%s`',
    async (name) => {
      const answer = await file(name);
      expect(answer.status).toBe(404);
      expect(answer.body.errors[0]).toMatchObject({ type: 'NotFoundError', help: expect.stringContaining('Reload') });
    },
  );
});

describe('GET /admin/openapi.json', () => {
  it('is sent once: caches keep it, and a request that has this version gets 304 without it', async () => {
    const read = (headers: Record<string, string> = {}) =>
      stack.call('openapi/read', { path: '/admin/openapi.json/', headers });
    const first = await read();
    expect(first.headers['cache-control']).toBe('public, no-cache');
    expect(first.body.openapi).toMatch(/^3\.1/);
    const again = await read({ 'If-None-Match': first.headers.etag ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await read({ 'If-None-Match': 'W/"another"' })).status).toBe(200);
  });
});
