/** `npm run dev` rebuilds the functions that use a changed file, and reports code that does not compile. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../infra/cdk/root.ts';
import { devBundles, filesOf } from '../../infra/local/dev/bundles.ts';
import { watchFiles } from '../../infra/local/dev/watch.ts';

const cache = join(root, 'node_modules/.cache/masthead');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'dev-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bundles = devBundles(join(folder, 'bundles'));
let built: ReadonlyMap<string, string>;
beforeAll(async () => {
  built = await bundles.build(['config/read', 'openapi/page', 'console/page', 'deliveries/deliver']);
});

describe('the bundle of a function', () => {
  it("contains only the function's own code, with a map to its source", () => {
    const file = join(built.get('config/read') ?? '', 'index.mjs');
    expect(readFileSync(file, 'utf8')).not.toContain('// node_modules/');
    const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
    expect(sources.map((source: string) => join(file, '..', source))).toContain(join(root, 'functions/config/read.ts'));
  });

  it("loads the function's packages, even CommonJS ones", async () => {
    const load = (name: string) => import(pathToFileURL(join(folder, 'bundles/dependencies', `${name}.mjs`)).href);
    expect(await load('valibot')).toHaveProperty('safeParse');
    expect(await load('undici/lib/dispatcher/client.js')).toHaveProperty('default.name', 'Client');
  });

  it('has the files that the function serves beside it', () => {
    expect(readFileSync(join(built.get('openapi/page') ?? '', 'page.html'), 'utf8')).toContain('<html');
  });
});

describe('a changed file', () => {
  it.each([
    ['functions/config/read.ts', ['config/read']],
    ['shared/publication/site.ts', ['config/read']],
    ['shared/deliveries/attempt/attempt.ts', ['deliveries/deliver']],
    ['shared/http/endpoint.ts', ['config/read', 'openapi/page', 'console/page']],
    ['shared/foundation/clock.ts', ['config/read', 'openapi/page', 'console/page', 'deliveries/deliver']],
    ['web/docs/page.html', ['openapi/page']],
    ['web/console/main.tsx', ['console/page']],
    ['web/token.ts', ['openapi/page', 'console/page']],
    ['README.md', []],
  ])('%s makes exactly these functions rebuild: %j', (file, names) => {
    expect(bundles.using([file])).toEqual(names);
  });

  it('makes the templates rebuild if they depend on it', async () => {
    const files = await filesOf('infra/cdk/app.ts');
    expect(files).toContain('infra/cdk/stages.ts');
    expect([...files].some((file) => file.startsWith('infra/cdk/stacks/'))).toBe(true);
    expect(files).toContain('shared/contract.ts');
    expect(files).not.toContain('functions/config/read.ts');
  });

  it('is reported once, even if an editor writes it several times', async () => {
    const watched = mkdtempSync(join(folder, 'watched-'));
    mkdirSync(join(watched, 'functions/webhooks'), { recursive: true });
    const file = join(watched, 'functions/webhooks/create.ts');
    writeFileSync(file, 'one');
    const reports: (readonly string[])[] = [];
    const first = Promise.withResolvers<void>();
    const watching = await watchFiles(watched, ['functions'], (files) => {
      reports.push(files);
      first.resolve();
    });
    for (const text of ['', 'two']) writeFileSync(file, text);
    writeFileSync(`${file}~`, 'a backup');
    await first.promise;
    await watching.stop();
    expect(reports).toEqual([['functions/webhooks/create.ts']]);
  });
});

describe('code that does not compile', () => {
  it('is reported with its file and line', async () => {
    const sources = mkdtempSync(join(folder, 'sources-'));
    mkdirSync(join(sources, 'functions'));
    writeFileSync(join(sources, 'functions/broken.ts'), 'export const handler = async () => {\n  return 1 +;\n};\n');
    const broken = devBundles(join(sources, 'bundles'), sources).build(['broken']);
    await expect(broken).rejects.toThrow(/functions\/broken\.ts:2:12:.*return 1 \+;/s);
  });
});
