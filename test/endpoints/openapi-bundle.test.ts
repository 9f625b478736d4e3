/** The generator of the OpenAPI document slows no function's start. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { contract } from '../../shared/contract.ts';

const root = join(import.meta.dirname, '../..');

it('one bundle contains the OpenAPI document; none contains its source texts or the JSON Schema package', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: contract.map((line) => `functions/${line.function}.ts`),
    outdir: 'unwritten',
    bundle: true,
    write: false,
    metafile: true,
    // It is enough, and fast, to look at the names of imported packages.
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const outputs = Object.values(metafile.outputs).map(({ entryPoint, inputs, imports }) => ({
    entryPoint,
    inputs: [...Object.keys(inputs), ...imports.map(({ path }) => path)],
  }));
  expect(outputs).toHaveLength(contract.length);
  const holding = (part: string) =>
    outputs.filter(({ inputs }) => inputs.some((input) => input.includes(part))).map(({ entryPoint }) => entryPoint);
  expect(holding('valibot').length).toBeGreaterThan(10);
  expect(holding('@valibot/to-json-schema')).toEqual([]);
  expect(holding('infra/openapi/operations')).toEqual([]);
  expect(holding('infra/openapi/components')).toEqual([]);
  expect(holding('@scalar/')).toEqual([]);
  expect(holding('web/')).toEqual([]);
  expect(holding('docs/openapi.json').sort()).toEqual(['functions/openapi/read.ts']);
});
