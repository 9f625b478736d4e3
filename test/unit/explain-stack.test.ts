/** `npm run ops -- explain-stack` finds the source lines for the stack of a minified bundle. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { explainStack } from '../../infra/ops/explain-stack/explain.ts';

const folder = mkdtempSync(join(tmpdir(), 'masthead-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('each place in the bundle is replaced by the file, line and column of the source', async () => {
  mkdirSync(join(folder, 'functions'));
  const source = join(folder, 'functions/broken.ts');
  writeFileSync(
    source,
    "const refuse = (): never => {\n  throw new Error('no');\n};\nexport const handler = () => refuse();\n",
  );
  const outfile = join(folder, 'bundle/index.mjs');
  // External, because the test runner would follow a link to the source map.
  await build({ entryPoints: [source], outfile, bundle: true, minify: true, format: 'esm', sourcemap: 'external' });
  const { handler } = await import(pathToFileURL(outfile).href);
  let stack = '';
  try {
    handler();
  } catch (error) {
    stack = error instanceof Error ? (error.stack ?? '') : '';
  }
  const deployed = stack
    .replaceAll(pathToFileURL(outfile).href, 'file:///var/task/index.mjs')
    .replaceAll(outfile, '/var/task/index.mjs');
  const record = JSON.stringify({ function: 'broken', error: { stack: deployed } });
  expect(record).toContain('/var/task/index.mjs:1:');
  const explained = explainStack(record, join(folder, 'bundle'));
  expect(explained).toMatch(/functions\/broken\.ts:2:9/);
  expect(explained).not.toContain('index.mjs');
});
