/** What `sam local` reads of the templates. SAM needs Docker, so these tests do not run it (docs/local.md). */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { cached } from '../../infra/cdk/cache.ts';
import { root } from '../../infra/cdk/root.ts';
import { contract } from '../../shared/contract.ts';

const templateSchema = v.object({
  Resources: v.record(
    v.string(),
    v.looseObject({ Type: v.string(), Properties: v.optional(v.unknown()), Metadata: v.optional(v.unknown()) }),
  ),
});
const functionSchema = v.object({
  Properties: v.object({
    FunctionName: v.string(),
    Handler: v.literal('index.handler'),
    Runtime: v.literal('nodejs24.x'),
    Architectures: v.tuple([v.literal('arm64')]),
  }),
  // SAM finds the code by these two fields.
  Metadata: v.object({ 'aws:asset:path': v.string(), 'aws:asset:property': v.literal('Code') }),
});

let folder: string;
let resources: v.InferOutput<typeof templateSchema>['Resources'];
beforeAll(async () => {
  const sources = { folders: ['infra/cdk', 'functions', 'shared', 'web'], key: 'with all bundles' };
  folder = await cached('assemblies', sources, (outdir) =>
    promisify(execFile)(process.execPath, ['infra/cdk/app.ts'], {
      cwd: root,
      env: { ...process.env, STAGE: 'local', CDK_OUTDIR: outdir },
    }),
  );
  // As docs/sam.md makes one template of them.
  const templates = readdirSync(folder).filter((name) => name.endsWith('.template.json'));
  const all = templates.flatMap((name) =>
    Object.entries(v.parse(templateSchema, JSON.parse(readFileSync(join(folder, name), 'utf8'))).Resources),
  );
  resources = Object.fromEntries(all);
  expect(Object.keys(resources)).toHaveLength(all.length);
});

const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);

test('the workflow runs the commands of docs/sam.md with the SAM version that the lab uses', () => {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const [, documented = ''] = /```sh\n([\s\S]*?)```/.exec(read('docs/sam.md')) ?? [];
  const workflow = read('.github/workflows/sam.yml');
  const [, run = ''] = /run: \|\n([\s\S]*)$/.exec(workflow) ?? [];
  expect(run.replaceAll(/^ {10}/gm, '')).toBe(documented);
  for (const name of ['webhooks-create', 'invites-create', 'deliveries-deliver'])
    expect(documented).toMatch(new RegExp(`^sam local invoke .* masthead-local-${name} `, 'm'));
  expect(documented).toMatch(/^sam local start-api /m);
  const [, version] = /aws-sam-cli==([\d.]+)/.exec(workflow) ?? [];
  expect(read('lab/sam/sam.ts')).toContain(`const version = '${version}';`);
});

test('every function has its bundle with the handler at the path in the template', () => {
  const functions = ofType('AWS::Lambda::Function').map(([, resource]) => v.parse(functionSchema, resource));
  expect(functions).toHaveLength(contract.length);
  for (const { Metadata, Properties } of functions) {
    const bundle = join(folder, Metadata['aws:asset:path'], 'index.mjs');
    expect(existsSync(bundle), Properties.FunctionName).toBe(true);
    expect(readFileSync(bundle, 'utf8'), pathToFileURL(bundle).href).toMatch(
      /export\s*\{[^}]*\bas handler\b|export\s*\{[^}]*\bhandler\b/,
    );
  }
});

test('every method of the API calls a function that exists', () => {
  const names = ofType('AWS::Lambda::Function').map(
    ([, { Properties }]) => v.parse(namedSchema, Properties).FunctionName,
  );
  const [api] = ofType('AWS::ApiGateway::RestApi');
  const targets = [...JSON.stringify(api?.[1]).matchAll(/:function:(masthead-[\w-]+)/g)].map(([, name]) => name);
  expect(targets.length).toBeGreaterThan(contract.filter(({ kind }) => kind === 'endpoint').length);
  expect(targets.filter((name) => !names.includes(name ?? ''))).toEqual([]);
});

const namedSchema = v.object({ FunctionName: v.string() });
