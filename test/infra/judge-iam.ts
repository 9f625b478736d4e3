/**
 * `npm run judge:iam`: decides the recorded calls of a test run with a second evaluation of IAM, and lists where it differs from the edge's.
 *
 * The judge is iam-simulate, which evaluates condition operators, and knows from AWS's service authorization reference which resources and
 * condition keys an action has. It is installed into node_modules/.cache on the first run; it is no dependency of the project.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../infra/cdk/cache.ts';
import { command, run } from '../../infra/commands/command.ts';
import { accountId } from '../../infra/emulator/account.ts';
import type { Need } from '../../infra/emulator/edge/authorization.ts';
import { checkPolicies } from '../../infra/emulator/edge/policy.ts';
import type { Policies, StatementData } from '../../infra/emulator/edge/statements.ts';
import { readTemplate } from '../support/parts-template.ts';
import { type Decision, readNeeds } from '../support/recorded-needs.ts';

const version = '0.1.173';

/** As much of iam-simulate as is used here. */
interface Simulator {
  runSimulation(
    simulation: object,
    options: object,
  ): Promise<{
    readonly resultType: string;
    readonly overallResult?: 'Allowed' | 'ExplicitlyDenied' | 'ImplicitlyDenied';
    readonly errors?: { readonly message: string };
    readonly result?: { readonly ignoredContextKeys?: readonly string[] };
  }>;
}

/** Loads the judge, which is installed if it is missing; undefined where it cannot be installed. */
const loadSimulator = async (): Promise<Simulator | undefined> => {
  const folder = join(root, 'node_modules/.cache/masthead', `iam-simulate-${version}`);
  const module = join(folder, 'node_modules/@cloud-copilot/iam-simulate/dist/esm/index.js');
  if (!existsSync(module)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--prefix', folder];
    const { status } = spawnSync('npm', [...args, `@cloud-copilot/iam-simulate@${version}`], { stdio: 'ignore' });
    if (status !== 0) {
      rmSync(folder, { recursive: true, force: true });
      return undefined;
    }
  }
  return import(pathToFileURL(module).href);
};

/** Runs tests of functions with the recorder, and returns the folder with its files. @throws Error if a test fails */
const recordTests = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-iam-'));
  const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', 'test/endpoints', '--reporter=dot'], {
    cwd: root,
    env: { ...process.env, IAM_RECORD: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('A test failed: run npm test first.');
  return folder;
};

/** What no function asks and an attacker might: the same without a key, with a second one, with another one, on another resource. */
const variantsOf = (need: Need): readonly Need[] => {
  const keys = need.context['dynamodb:LeadingKeys'];
  const withKeys = (found: readonly string[] | undefined): Need => ({
    ...need,
    context: { ...need.context, 'dynamodb:LeadingKeys': found },
  });
  return [
    need,
    { ...need, resource: `${need.resource}-other` },
    ...(need.action.startsWith('ses:')
      ? [{ ...need, context: { ...need.context, 'ses:FromAddress': ['x@evil.example'] } }]
      : []),
    ...(keys === undefined
      ? []
      : [
          withKeys(undefined),
          withKeys([...keys, 'KEY#000000000000000000000000']),
          withKeys([...keys, 'SOMETHING#ELSE']),
          withKeys(keys.map((key) => key.slice(0, -1))),
          withKeys(keys.map((key) => key.toLowerCase())),
        ]),
  ];
};

const textOf = ({ functionName, need }: Decision): string => {
  const keys = need.context['dynamodb:LeadingKeys'];
  return `${functionName}: ${need.action} on ${need.resource}${keys === undefined ? '' : ` with ${keys.join(', ')}`}`;
};

/** Asks the judge. @returns its decision, or the reason why it has none */
const judge = async (
  { runSimulation }: Simulator,
  statements: readonly StatementData[],
  { functionName, need }: Decision,
): Promise<boolean | string> => {
  const contextVariables = Object.fromEntries(
    Object.entries(need.context).flatMap(([name, values]) => {
      if (values === undefined) return [];
      return [[name, name === 'ses:FromAddress' ? values[0] : [...values]]];
    }),
  );
  const { resultType, overallResult, errors, result } = await runSimulation(
    {
      request: {
        action: need.action,
        principal: `arn:aws:iam::${accountId}:role/${functionName}`,
        resource: { accountId, resource: need.resource },
        contextVariables,
      },
      identityPolicies: [{ name: functionName, policy: { Version: '2012-10-17', Statement: statements } }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (resultType === 'error') return errors?.message ?? 'an error';
  const ignored = result?.ignoredContextKeys ?? [];
  if (ignored.length > 0) return `AWS does not list ${ignored.join(', ')} for ${need.action}`;
  return overallResult === 'Allowed';
};

const compare = async (policies: Policies, decisions: readonly Decision[], simulator: Simulator): Promise<boolean> => {
  const { allows } = checkPolicies(policies, {
    partitionKeys: {},
    names: { functions: {}, queues: {} },
    onRefusal: () => {},
  });
  const needs = new Map(decisions.flatMap(({ need }) => variantsOf(need)).map((need) => [JSON.stringify(need), need]));
  const differences = new Map<string, string[]>();
  let [allowed, denied] = [0, 0];
  for (const [functionName, statements] of Object.entries(policies))
    for (const need of needs.values()) {
      const decision = { functionName, need };
      const ours = allows(functionName, need);
      const theirs = await judge(simulator, statements, decision);
      if (theirs === ours) {
        if (ours) allowed++;
        else denied++;
      } else {
        const kind = typeof theirs === 'string' ? theirs : `the edge ${verb(ours)}, the judge ${verb(theirs)}`;
        differences.set(kind, [...(differences.get(kind) ?? []), textOf(decision)]);
      }
    }
  const refused = decisions.filter(({ functionName, need }) => !allows(functionName, need));
  console.log(
    `${decisions.length} recorded decisions, of which the edge refuses ${refused.length}; with variants ${needs.size} requests, ` +
      `each for ${Object.keys(policies).length} functions`,
  );
  console.log(`Both allow ${allowed}, both deny ${denied}.`);
  for (const [kind, texts] of differences)
    console.log([`${texts.length} times: ${kind}`, ...texts.slice(0, 10).map((text) => `  ${text}`)].join('\n'));
  if (differences.size === 0) console.log(`No difference to iam-simulate ${version}.`);
  return differences.size === 0;
};

const verb = (isAllowed: boolean): string => (isAllowed ? 'allows' : 'denies');

await run(
  command('npm run judge:iam --')
    .description(
      `Decides the calls of a test run with iam-simulate ${version} too, and lists where it differs from the local stack's own evaluation. Exit code 1 for a difference. Skipped if the judge cannot be installed from the npm registry.`,
    )
    .option('--record <folder>', 'Use this record (IAM_RECORD=<folder> npm test) instead of running the tests.')
    .action(async ({ record }) => {
      const simulator = await loadSimulator();
      if (simulator === undefined) {
        console.log(`Skipped: @cloud-copilot/iam-simulate ${version} could not be installed.`);
        return;
      }
      const { policies, failure } = await readTemplate();
      if (failure !== undefined) throw new Error(failure);
      const decisions = readNeeds(record ?? recordTests());
      if (decisions.length === 0) throw new Error('Nothing was recorded.');
      if (!(await compare(policies, decisions, simulator))) process.exitCode = 1;
    }),
);
