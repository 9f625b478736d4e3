/** Checks the size of each function's bundle, because loading it is part of every cold start, and which AWS clients it contains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleOptions, bundlerFiles } from '../../infra/cdk/bundle.ts';
import { root } from '../../infra/cdk/cache.ts';
import { type ContractLine, contract, type FunctionName } from '../../shared/contract.ts';

const lines: readonly ContractLine[] = contract;
const kb = 1000;

/** Maximum bytes of functions that differ from others of their kind. */
const budgets: Partial<Record<FunctionName, number>> = {
  // With undici, whose connections deliveries have to themselves (ADR 4).
  'deliveries/deliver': 654 * kb,
  // With three clients.
  'mail/send': 366 * kb,
  // With the document that it serves.
  'openapi/read': 490 * kb,
};

/** Maximum bytes, about two per cent above the largest of the kind. */
const budgetOf = ({ function: name, kind, access }: ContractLine): number => {
  const own = budgets[name as FunctionName];
  if (own !== undefined) return own;
  if (access.table === undefined) return kind === 'fallback' ? 36 * kb : 44 * kb;
  return kind === 'endpoint' ? 350 * kb : 300 * kb;
};

interface Bundle {
  readonly bytes: number;
  readonly inputs: readonly string[];
}
let bundles: ReadonlyMap<string, Bundle>;

beforeAll(async () => {
  const options = bundleOptions(
    root,
    lines.map((line) => line.function),
  );
  const { metafile } = await build({ ...options, sourcemap: false, write: false, metafile: true, outdir: 'bundles' });
  bundles = new Map(
    Object.values(metafile.outputs).map(({ entryPoint = '', bytes, inputs }) => [
      entryPoint.replace(/^functions\/(.*)\.ts$/, '$1'),
      { bytes, inputs: Object.keys(inputs) },
    ]),
  );
}, 60_000);

const packages = {
  '@aws-sdk/client-dynamodb': ({ access }: ContractLine) => access.table !== undefined || access.due === true,
  '@aws-sdk/client-sqs': ({ access }: ContractLine) => access.send !== undefined || access.measure !== undefined,
  '@aws-sdk/client-ses': ({ access }: ContractLine) => access.mail === true,
  undici: ({ function: name }: ContractLine) => name === 'deliveries/deliver',
};

it('a bundle is rebuilt when a plug-in of the bundler has changed', () => {
  const sources = bundlerFiles.map((file) => readFileSync(join(root, file), 'utf8'));
  for (const { name } of bundleOptions('', []).plugins)
    expect(sources.some((source) => source.includes(`name: '${name}'`))).toBe(true);
});

describe.each(lines)('the bundle of $function', (line) => {
  it('is smaller than its budget', () => {
    expect(bundles.get(line.function)?.bytes).toBeLessThanOrEqual(budgetOf(line));
  });

  it('contains exactly the AWS clients that its line in the contract grants', () => {
    const inputs = bundles.get(line.function)?.inputs ?? [];
    const found = Object.keys(packages).filter((name) =>
      inputs.some((file) => file.startsWith(`node_modules/${name}/`)),
    );
    const granted = Object.entries(packages).flatMap(([name, isGranted]) => (isGranted(line) ? [name] : []));
    expect(found).toEqual(granted);
  });

  it('reports its own time and memory, because Lambda logs only failed invocations (ADR 18)', () => {
    expect(bundles.get(line.function)?.inputs).toContain('shared/aws/watched.ts');
  });

  it('reads credentials from the environment only, and contains no client for other sources', () => {
    const inputs = bundles.get(line.function)?.inputs ?? [];
    const others = /^node_modules\/@aws-sdk\/(?:nested-clients|credential-provider-(?!env\/|node\/))/;
    expect(inputs.filter((file) => others.test(file))).toEqual([]);
  });
});
