/** What tests take from the templates of the stages, and the report on its grants after the last of them. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { cached, root } from '../../infra/cdk/cache.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { readResources } from '../../infra/emulator/cloudformation.ts';
import { readDeployment } from '../../infra/emulator/deployment.ts';
import { partitionKeysOf } from '../../infra/emulator/edge/authorization.ts';
import { type Policies, readPolicies } from '../../infra/emulator/edge/statements.ts';
import { type Names, namesOf } from '../../infra/emulator/names.ts';
import { grantsOf, reportGrants } from './grants.ts';

export interface TestTemplate {
  /** With the assemblies of all stages that tests look at. */
  readonly folder: string;
  /** Of the stage `local`, as is what follows. */
  readonly policies: Policies;
  readonly partitionKeys: Readonly<Record<string, string>>;
  readonly names: Names;
  /** Address that the stage sends mails from. */
  readonly sender: string;
  /** Where each test file leaves what its functions have used. */
  readonly usageFolder: string;
  /** Why there is no template; tests of functions cannot run then, all others can. */
  readonly failure: string | undefined;
}

const reportFile = join(root, 'node_modules/.cache/masthead/iam-report.txt');

/** Reads the template of the stage `local`, made anew with the others where their sources have changed. */
export async function readTemplate(): Promise<TestTemplate> {
  const common = {
    sender: stages.local.mail.from,
    usageFolder: mkdtempSync(join(tmpdir(), 'masthead-usage-')),
    failure: undefined,
  };
  try {
    const folder = await templates();
    const resources = readResources(join(folder, 'assembly-local'), {
      parameters: { BaseUrl: 'http://localhost/ghost/api' },
      queueUrl: (name) => `http://localhost/000000000000/${name}`,
    });
    const deployment = readDeployment(resources);
    return {
      ...common,
      folder,
      policies: readPolicies(resources),
      partitionKeys: partitionKeysOf(deployment.tables),
      names: namesOf(deployment, 'masthead-local-'),
    };
  } catch (error) {
    return {
      ...common,
      folder: '',
      policies: {},
      partitionKeys: {},
      names: { functions: {}, queues: {} },
      failure: error instanceof Error ? error.message : String(error),
    };
  }
}

/** The sources of a template: the CDK app, and what it reads of `shared`. */
function templates(): Promise<string> {
  const scripts = ['test/support/parts-synthesize.ts', 'test/infra/stages.ts'];
  const sources = { folders: ['infra/cdk', 'shared/foundation'], files: ['shared/contract.ts', ...scripts] };
  return cached('templates', sources, (folder) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, 'parts-synthesize.ts'), folder], {
      env: { ...process.env, FORCE_COLOR: '0', CDK_OUTDIR: undefined },
    }),
  );
}

/**
 * After a run of all test files: writes the report on the grants and, where every test passed, gives those that no function
 * used, one line each. A run of some of the files says nothing about what is unused.
 */
export async function reportUsage(
  { vitest }: TestedProject,
  { policies, names, usageFolder }: Pick<TestTemplate, 'policies' | 'names' | 'usageFolder'>,
  file = reportFile,
): Promise<readonly string[]> {
  const used = new Set(
    readdirSync(usageFolder).flatMap((file): string[] => JSON.parse(readFileSync(join(usageFolder, file), 'utf8'))),
  );
  rmSync(usageFolder, { recursive: true });
  const states = await statesOfAll(vitest);
  if (states === undefined) return [];
  const { text, unused, summary } = reportGrants(grantsOf(policies, names), used);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  // What a failed test did not get to is not unused.
  if (states.some((state) => state !== 'passed')) return [];
  console.log(`\n${summary} (${relative(root, file)})`);
  return unused;
}

/** As much of vitest's project as is asked here. */
interface TestedProject {
  readonly vitest: {
    readonly config: { readonly testNamePattern?: RegExp | undefined; readonly watch: boolean };
    readonly state: { getTestModules(): readonly { readonly moduleId: string; state(): string }[] };
    globTestSpecifications(): Promise<readonly { readonly moduleId: string }[]>;
  };
}

/** How every test file there is has ended; undefined where not all of them were run. */
async function statesOfAll(vitest: TestedProject['vitest']): Promise<readonly string[] | undefined> {
  if (vitest.config.testNamePattern !== undefined || vitest.config.watch) return undefined;
  const ended = new Map(vitest.state.getTestModules().map((module) => [module.moduleId, module.state()]));
  const states = (await vitest.globTestSpecifications()).map(({ moduleId }) => ended.get(moduleId));
  return states.every((state) => state !== undefined) ? states : undefined;
}
