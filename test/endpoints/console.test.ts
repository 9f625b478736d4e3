/** The console comes from one origin, under a strict policy and a budget of bytes, and is cached while unchanged. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { freshStack, type TestResponse } from '../support/parts.ts';

const stack = await freshStack();
const open = (path = '/console/') => stack.call('console/page', { path });
const file = (name: string) => stack.call('console/asset', { path: `/console/${name}/` });

/** Returns the targets of the links of a page, without those of the page's body. */
const linksOf = ({ text }: TestResponse): string[] =>
  [...text.replace(/<body[\s\S]*/, '').matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
const filesOf = (page: TestResponse): string[] =>
  linksOf(page).flatMap((target) => /^\.\/([\w-]+\.\w+)$/.exec(target)?.[1] ?? []);

const characters: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" };

describe('GET /console/', () => {
  it('returns a page without authentication, which is never cached and sends no referrer', async () => {
    const page = await open();
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  it('allows only scripts, styles and requests of this origin, and one script inside it, by its hash', async () => {
    const page = await open();
    const inside = [...page.text.matchAll(/<script(?![^>]* src=)[^>]*>([^<]*)/g)].map(([, script = '']) => script);
    const hashes = inside.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(hashes).toHaveLength(1);
    expect(page.headers['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' ${hashes[0]}`,
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    const text = page.text.replace(/ data-site="[^"]*"/, '');
    expect(text).not.toMatch(/<style|<script>|\sstyle=|\son\w+=|javascript:|https?:|"\/\/|\{\w+\}/i);
  });

  it("contains the frame with the publication's name, which the browser paints before any script runs", async () => {
    const { call } = await freshStack({ publication: { name: 'Salt & <Pepper> $&', url: 'https://salt.example.org' } });
    const page = await call('console/page', { path: '/console/' });
    expect(page.text).toContain('<span>Salt &amp; &lt;Pepper&gt; $&amp;</span>');
  });

  it('contains the publication, which needs no further request', async () => {
    const name = '"Salt" & <script>Pepper</script>';
    const { call } = await freshStack({ publication: { name, url: 'https://salt.example.org' } });
    const page = await call('console/page', { path: '/console/' });
    const [, written = ''] = / data-site="([^"]*)"/.exec(page.text) ?? [];
    const text = written.replace(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => characters[name] ?? '');
    expect(JSON.parse(text)).toEqual({ name, url: 'https://salt.example.org', accentColor: '#1a4f8b' });
    expect(page.headers['content-security-policy']).toBe((await open()).headers['content-security-policy']);
  });

  it("also allows images from the origin of the publication's logo", async () => {
    const { call } = await freshStack({
      publication: {
        name: 'The Daily Owl',
        url: 'https://owl.example.org',
        logoUrl: 'https://cdn.example.org/owl.png',
      },
    });
    const page = await call('console/page', { path: '/console/' });
    expect(page.headers['content-security-policy']).toContain("; img-src 'self' data: https://cdn.example.org; ");
  });

  it('uses relative links only, so that it works on every domain and stage', async () => {
    const links = linksOf(await open()).filter((target) => target !== 'data:,');
    expect(links.length).toBeGreaterThan(1);
    for (const target of links) expect(target).toMatch(/^\.\/(?:[\w-]+\.\w+|\.\.\/admin\/[\w/?=]+)$/);
  });

  it('links to its files correctly, even if the address has no slash at the end', async () => {
    const links = linksOf(await open('/console')).filter((target) => target !== 'data:,');
    expect(links).toEqual(
      linksOf(await open()).flatMap((target) => (target === 'data:,' ? [] : target.replace('./', 'console/'))),
    );
  });

  it('loads at most 150 KiB, compressed, for the first view', async () => {
    const page = await open();
    const linked = await Promise.all(filesOf(page).map(file));
    const imported = linked.flatMap(({ text }) =>
      [...text.matchAll(/from"\.\/([\w-]+\.js)"/g)].map(([, name = '']) => name),
    );
    expect(imported).toHaveLength(1);
    const files = [...linked, ...(await Promise.all(imported.map(file)))];
    const sizes = [page, ...files].map(({ text }) => gzipSync(text).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150 * 1024);
  });
});

describe('GET /console/{file}/', () => {
  it('serves every file that the page loads, and allows caches to keep it', async () => {
    const names = filesOf(await open());
    expect(names.map((name) => name.replace(/-[0-9A-Z]{8}\./, '.'))).toEqual(
      expect.arrayContaining(['main.js', 'console.css']),
    );
    for (const name of names) {
      const answer = await file(name);
      expect(answer.status, name).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('serves the licences of its packages, and lets no cache keep them', async () => {
    const answer = await file('licences.txt');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).toMatch(/^preact [\d.]+: MIT$/m);
  });

  it.each(['main.js', 'page.html', '..%2Findex.mjs', 'constructor'])('returns 404 for `%s`', async (name) => {
    const answer = await file(name);
    expect(answer.status).toBe(404);
    expect(answer.body.errors[0]).toMatchObject({ type: 'NotFoundError', help: expect.stringContaining('Reload') });
  });
});
