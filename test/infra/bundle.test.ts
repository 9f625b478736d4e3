/** The bundles: one folder per function, with the module that Lambda and the local stack load. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundles, bundleFunctions } from '../../infra/cdk/bundle.ts';
import { pageFilesOf } from '../../infra/cdk/pages.ts';
import { lines } from './synthesized.ts';

let bundles: Bundles;
beforeAll(async () => {
  bundles = await bundleFunctions();
}, 60_000);

describe('the bundle', () => {
  it.each(lines)('of $function is one module that exports its handler', (line) => {
    const folder = bundles.folderOf(line.function);
    const beside = pageFilesOf[line.function];
    expect(readdirSync(folder).sort()).toEqual(
      [...(beside === undefined ? [] : [beside]), 'index.mjs', 'index.mjs.map'].sort(),
    );
    expect(readFileSync(join(folder, 'index.mjs'), 'utf8')).toMatch(/export\s*\{[^}]*\bas handler\b[^}]*\}/);
  });

  it.each(lines)('of $function is smaller than a megabyte, because its size is part of every cold start', (line) => {
    expect(statSync(join(bundles.folderOf(line.function), 'index.mjs')).size).toBeLessThan(1024 * 1024);
  });

  it('is built once for the same sources', async () => {
    const [line] = lines;
    expect((await bundleFunctions()).folderOf(line?.function ?? '')).toBe(bundles.folderOf(line?.function ?? ''));
  });

  it('of a function that is not in the contract is refused by name', () => {
    expect(() => bundles.folderOf('webhooks/explode')).toThrow('webhooks/explode');
  });
});
