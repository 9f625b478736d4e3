/**
 * `npm --prefix lab run judge:iam`: decides the recorded calls of a test run with a second IAM evaluator, and lists where it differs from the proxy.
 *
 * The judge is iam-simulate. It evaluates condition operators, and knows each action's resources and condition keys from AWS's service authorization
 * reference. The first run installs it into node_modules/.cache; it is not a dependency of the project.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../infra/cdk/cache.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { accountId } from '../../infra/emulator/account.ts';
import type { Need } from '../../infra/emulator/proxy/authorization.ts';
import { checkPolicies } from '../../infra/emulator/proxy/policy.ts';
import type { Policies, StatementData } from '../../infra/emulator/proxy/statements.ts';
import { readTemplate } from '../../test/support/parts-template.ts';
import { type Decision, readNeeds } from '../../test/support/recorded-needs.ts';

const version = '0.1.173';

/** The part of iam-simulate that is used here. */
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

/** Loads the judge and installs it if necessary; undefined if it cannot be installed. */
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

/** Runs tests of functions with the recorder, and returns the folder of its files. @throws Error if a test fails */
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

/** Requests that no function makes but an attacker might: without a key, with a second key, with a different key, on a different resource. */
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

/** Asks the judge. @returns its decision, or the reason why it could not decide */
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

type Allows = (functionName: string, need: Need) => boolean;

const evaluationOf = (policies: Policies): Allows =>
  checkPolicies(policies, { partitionKeys: {}, names: { functions: {}, queues: {} }, onRefusal: () => {} }).allows;

/** Returns the policies with a change to each statement. */
const changed = (policies: Policies, change: (statement: StatementData) => Partial<StatementData>): Policies =>
  Object.fromEntries(
    Object.entries(policies).map(([name, statements]) => [
      name,
      statements.map((statement) => ({ ...statement, ...change(statement) })),
    ]),
  );

/** Faulty evaluations. If the judge notices none of the differences a fault causes, its agreement proves nothing. */
const faultyEvaluations = (policies: Policies): Readonly<Record<string, Allows>> => {
  const allows = evaluationOf(policies);
  return {
    'allows one granted partition among others': (functionName, need) => {
      const keys = need.context['dynamodb:LeadingKeys'];
      if (keys === undefined) return allows(functionName, need);
      const withKey = (key: string) => ({ ...need, context: { ...need.context, 'dynamodb:LeadingKeys': [key] } });
      return keys.some((key) => allows(functionName, withKey(key)));
    },
    'allows requests without a partition': evaluationOf(
      changed(policies, ({ Condition: { Null: _, ...Condition } }) => ({ Condition })),
    ),
    'ignores conditions': evaluationOf(changed(policies, () => ({ Condition: {} }))),
    'ignores resources': evaluationOf(changed(policies, () => ({ Resource: ['*'] }))),
    'denies everything': () => false,
  };
};

/** A request with the judge's decision, or the reason why there is none. */
interface Judged extends Decision {
  readonly theirs: boolean | string;
}

const judgeAll = async (policies: Policies, needs: readonly Need[], simulator: Simulator): Promise<Judged[]> => {
  const judged: Judged[] = [];
  for (const [functionName, statements] of Object.entries(policies))
    for (const need of needs) {
      const decision = { functionName, need };
      judged.push({ ...decision, theirs: await judge(simulator, statements, decision) });
    }
  return judged;
};

/** Returns the requests on which an evaluation and the judge disagree. */
const differencesOf = (judged: readonly Judged[], allows: Allows): readonly Judged[] =>
  judged.filter(({ functionName, need, theirs }) => allows(functionName, need) !== theirs);

/** Prints where the proxy differs from the judge. @returns whether nothing differs and the judge noticed each fault */
const compare = async (policies: Policies, decisions: readonly Decision[], simulator: Simulator): Promise<boolean> => {
  const allows = evaluationOf(policies);
  const needs = new Map(decisions.flatMap(({ need }) => variantsOf(need)).map((need) => [JSON.stringify(need), need]));
  const refused = decisions.filter(({ functionName, need }) => !allows(functionName, need));
  console.log(
    `${decisions.length} recorded decisions, of which the proxy refuses ${refused.length}; with variants ${needs.size} requests, ` +
      `each for ${Object.keys(policies).length} functions`,
  );
  const judged = await judgeAll(policies, [...needs.values()], simulator);
  const differences = differencesOf(judged, allows);
  const isAgreed =
    (decision: boolean) =>
    ({ functionName, need, theirs }: Judged) =>
      theirs === decision && allows(functionName, need) === decision;
  console.log(
    `Both allow ${judged.filter(isAgreed(true)).length}, both deny ${judged.filter(isAgreed(false)).length}.`,
  );
  const kinds = Map.groupBy(differences, ({ theirs }) =>
    typeof theirs === 'string' ? theirs : `the proxy ${verb(!theirs)}, the judge ${verb(theirs)}`,
  );
  for (const [kind, found] of kinds)
    console.log([`${found.length} times: ${kind}`, ...found.slice(0, 10).map((one) => `  ${textOf(one)}`)].join('\n'));
  if (differences.length === 0) console.log(`No difference to iam-simulate ${version}.`);
  const noticed = Object.entries(faultyEvaluations(policies)).map(([fault, faulty]) => {
    const { length } = differencesOf(judged, faulty);
    console.log(`An evaluation that ${fault}: ${length} differences`);
    return length > 0;
  });
  return differences.length === 0 && !noticed.includes(false);
};

const verb = (isAllowed: boolean): string => (isAllowed ? 'allows' : 'denies');

await run(
  command('npm --prefix lab run judge:iam --')
    .description(
      `Decides the calls of a test run also with iam-simulate ${version}, and lists where it differs from the local stack's own evaluation. Then checks that the judge notices faulty evaluations. The exit code is 1 for a difference, or for a fault that the judge does not notice. Skipped if the judge cannot be installed from the npm registry.`,
    )
    .option(
      '--record <folder>',
      'Use the record in this folder (IAM_RECORD=<folder> npm test) instead of running the tests.',
    )
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
