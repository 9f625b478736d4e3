/** The templates of the stages for tests, and the report on their grants after the last test. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { cached } from '../../infra/cdk/cache.ts';
import { root } from '../../infra/cdk/root.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { readResources } from '../../infra/emulator/cloudformation.ts';
import { readDeployment } from '../../infra/emulator/deployment.ts';
import { type Names, namesOf } from '../../infra/emulator/names.ts';
import { partitionKeysOf, type Transactions } from '../../infra/emulator/proxy/authorization.ts';
import { type Policies, readPolicies } from '../../infra/emulator/proxy/statements.ts';
import { grantsOf, reportGrants, withoutTransaction } from './grants.ts';

/** Returns the state of every test file; undefined if not all of them were run. */
const statesOfAll = async (vitest: TestedProject['vitest']): Promise<readonly string[] | undefined> => {
  if (vitest.config.testNamePattern !== undefined || vitest.config.watch) return undefined;
  const ended = new Map(vitest.state.getTestModules().map((module) => [module.moduleId, module.state()]));
  const states = (await vitest.globTestSpecifications()).map(({ moduleId }) => ended.get(moduleId));
  return states.every((state) => state !== undefined) ? states : undefined;
};

/** The sources of a template: the CDK app, and the files of `shared` that it reads. */
const templates = (): Promise<string> => {
  const scripts = ['test/support/parts-synthesize.ts', 'test/infra/stages.ts'];
  const sources = { folders: ['infra/cdk', 'shared/foundation'], files: ['shared/contract.ts', ...scripts] };
  return cached('templates', sources, (folder) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, 'parts-synthesize.ts'), folder], {
      env: { ...process.env, FORCE_COLOR: '0', CDK_OUTDIR: undefined },
    }),
  );
};

export interface TestTemplate {
  readonly folder: string;
  /** Of the stage `local`, like the following fields. */
  readonly policies: Policies;
  readonly partitionKeys: Readonly<Record<string, string>>;
  readonly names: Names;
  readonly sender: string;
  readonly usageFolder: string;
  /** Why there is no template; only tests without functions can run then. */
  readonly failure: string | undefined;
  /** How IAM reads a transaction: `MASTHEAD_IAM_READING=together` is the stricter reading for `union` grants. */
  readonly transactions: Transactions;
}

const transactions = process.env.MASTHEAD_IAM_READING === 'together' ? 'together' : 'apart';

const reportFile = join(root, 'node_modules/.cache/masthead/iam-report.txt');

/** Reads the template of the stage `local`; all templates are synthesized again if their sources have changed. */
export const readTemplate = async (): Promise<TestTemplate> => {
  const common = {
    sender: stages.local.mail.from,
    usageFolder: mkdtempSync(join(tmpdir(), 'masthead-usage-')),
    failure: undefined,
    transactions,
  } as const;
  try {
    const folder = await templates();
    const resources = readResources(join(folder, transactions === 'together' ? 'union' : 'local'), {
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
};

/** Writes the report on the grants; after a run of all files that passed, returns the unused ones, one line each. */
export const reportUsage = async (
  { vitest }: TestedProject,
  { policies, names, usageFolder }: Pick<TestTemplate, 'policies' | 'names' | 'usageFolder'>,
  file = reportFile,
): Promise<readonly string[]> => {
  const used = new Set(
    readdirSync(usageFolder).flatMap((file): string[] => JSON.parse(readFileSync(join(usageFolder, file), 'utf8'))),
  );
  rmSync(usageFolder, { recursive: true });
  // A run for this reading has some of the files: enough that each function with transactions is tested.
  if (transactions === 'together') return withoutTransaction(grantsOf(policies, names), used);
  const states = await statesOfAll(vitest);
  if (states === undefined || isPartial(vitest)) return [];
  const { text, unused, summary } = reportGrants(grantsOf(policies, names), used);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  // A failed test may not have reached all of its calls.
  if (states.some((state) => state !== 'passed')) return [];
  console.log(`\n${summary} (${relative(root, file)})`);
  return unused;
};

/** Whether only the lab, local stacks or the long tests ran, which do not show which grants are unused. */
const isPartial = ({ state }: TestedProject['vitest']): boolean =>
  state
    .getTestModules()
    .every(({ moduleId, project }) => project.name === 'long' || /\/(lab|test\/local)\//.test(moduleId));

interface TestedModule {
  readonly moduleId: string;
  readonly project: { readonly name: string };
  state(): string;
}

interface TestedProject {
  readonly vitest: {
    readonly config: { readonly testNamePattern?: RegExp | undefined; readonly watch: boolean };
    readonly state: { getTestModules(): readonly TestedModule[] };
    globTestSpecifications(): Promise<readonly { readonly moduleId: string }[]>;
  };
}
