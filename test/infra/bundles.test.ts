/** What a cold start loads: the size of each bundle, its AWS clients, and what it must not contain. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { bundleFunctions, bundleOptions, bundlerFiles } from '../../infra/cdk/bundle.ts';
import { pageFilesOf } from '../../infra/cdk/pages.ts';
import { root } from '../../infra/cdk/root.ts';
import { operations } from '../../infra/openapi/operations.ts';
import type { ContractLine, FunctionName } from '../../shared/contract.ts';
import { lines } from './synthesized.ts';

const kb = 1000;

/** Maximum bytes of functions that differ from others of their kind. */
const budgets: Partial<Record<FunctionName, number>> = {
  // With undici, whose connections deliveries have to themselves (ADR 4).
  'deliveries/deliver': 667 * kb,
  // With the rules of all formats and options, and two clients.
  'webhooks/update': 376 * kb,
  // With three clients, and the composer of mails (nodemailer).
  'mail/send': 435 * kb,
  // With the public suffixes that tell a name from a host (tldts).
  'invites/accept': 470 * kb,
  'invites/accept-page': 480 * kb,
  'users/update': 470 * kb,
  // With the document that it serves, compressed.
  'openapi/read': 160 * kb,
};

/** Maximum bytes, about two per cent above the largest of the kind. */
const budgetOf = ({ function: name, kind, access }: ContractLine): number => {
  const own = budgets[name as FunctionName];
  if (own !== undefined) return own;
  // Each bundle has the whole contract, which grows with each endpoint.
  if (access.table === undefined) return kind === 'fallback' ? 36 * kb : 53.5 * kb;
  return kind === 'endpoint' ? 365 * kb : 300 * kb;
};

interface Bundle {
  readonly line: ContractLine;
  readonly bytes: number;
  /** Paths from the project's folder. */
  readonly inputs: readonly string[];
}
let bundles: readonly Bundle[];

beforeAll(async () => {
  const { folderOf } = await bundleFunctions();
  bundles = lines.map((line) => {
    const file = join(folderOf(line.function), 'index.mjs');
    const { sources }: { readonly sources: readonly string[] } = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
    const inputs = sources.map((source) => relative(root, join(dirname(file), source)));
    return { line, bytes: statSync(file).size, inputs };
  });
});

/** Returns a value for each function by its name, so that a failure names the functions that differ. */
const each = <T>(pick: (bundle: Bundle) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(bundles.map((bundle) => [bundle.line.function, pick(bundle)]));

const packages = {
  '@aws-sdk/client-dynamodb': ({ access }: ContractLine) => access.table !== undefined || access.indexes !== undefined,
  '@aws-sdk/client-sqs': ({ access }: ContractLine) => access.send !== undefined || access.measure !== undefined,
  '@aws-sdk/client-ses': ({ access }: ContractLine) => access.mail === true,
  undici: ({ function: name }: ContractLine) => name === 'deliveries/deliver',
};

it('each function has a folder with its module, the map of the module, and the page that it serves', async () => {
  const { folderOf } = await bundleFunctions();
  for (const { function: name } of lines) {
    const page = pageFilesOf[name];
    const files = [...(page === undefined ? [] : [page]), 'index.mjs', 'index.mjs.map'];
    expect(readdirSync(folderOf(name)).sort()).toEqual(files.sort());
    expect(readFileSync(join(folderOf(name), 'index.mjs'), 'utf8')).toMatch(/export\s*\{[^}]*\bas handler\b[^}]*\}/);
  }
});

it('a bundle is smaller than its budget', () => {
  expect(bundles.filter(({ line, bytes }) => bytes > budgetOf(line))).toEqual([]);
});

it('a bundle contains exactly the AWS clients that its line in the contract grants', () => {
  const names = Object.entries(packages);
  const contains = (inputs: readonly string[], name: string) =>
    inputs.some((file) => file.startsWith(`node_modules/${name}/`));
  expect(each(({ inputs }) => Object.keys(packages).filter((name) => contains(inputs, name)))).toEqual(
    each(({ line }) => names.flatMap(([name, isGranted]) => (isGranted(line) ? [name] : []))),
  );
});

it('a function reports its own time and memory, because Lambda logs only failed invocations (ADR 18)', () => {
  expect(bundles.filter(({ inputs }) => !inputs.includes('shared/aws/watched.ts'))).toEqual([]);
});

it('a function reads credentials from the environment only, and contains no client for other sources', () => {
  const others = /^node_modules\/@aws-sdk\/(?:nested-clients|credential-provider-(?!env\/|node\/))/;
  expect(bundles.flatMap(({ inputs }) => inputs.filter((file) => others.test(file)))).toEqual([]);
});

it('a bundle contains no text that documents an endpoint, and only one has the OpenAPI document', async () => {
  const { folderOf } = await bundleFunctions();
  const textOf = (name: string) => readFileSync(join(folderOf(name), 'index.mjs'), 'utf8');
  const others = [...operations].filter(([name]) => name !== 'openapi/read');
  const found = others.filter(([name, { documentation }]) =>
    textOf(name).includes(documentation.description ?? documentation.summary),
  );
  expect(found.map(([name]) => name)).toEqual([]);
  expect(others.length).toBeGreaterThan(40);
  const forGenerator =
    /(?:^infra\/|^web\/|\/example(?:-of)?\.ts$|http\/documentation\.ts$|@valibot\/to-json-schema|@scalar\/)/;
  expect(bundles.flatMap(({ inputs }) => inputs.filter((file) => forGenerator.test(file)))).toEqual([]);
  const withDocument = bundles.filter(({ inputs }) => inputs.includes('docs/openapi.json'));
  expect(withDocument.map(({ line }) => line.function)).toEqual(['openapi/read']);
});

it('a bundle is rebuilt when a plug-in of the bundler has changed', () => {
  const sources = bundlerFiles.map((file) => readFileSync(join(root, file), 'utf8'));
  for (const { name } of bundleOptions('', []).plugins)
    expect(sources.some((source) => source.includes(`name: '${name}'`))).toBe(true);
});
