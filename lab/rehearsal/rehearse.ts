/**
 * `npm --prefix lab run rehearse`: bootstraps, deploys, changes, restores and destroys `dev`, then apps with the
 * installed package, with the CDK's command line and `ops` against moto, others' implementation of AWS, and reports
 * the state of each resource.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { bundleFunctions } from '../../infra/cdk/bundle.ts';
import { functionGroups } from '../../infra/cdk/function-groups.ts';
import { baseUrlParameter, physicalName } from '../../infra/cdk/names.ts';
import type { StageConfig } from '../../infra/cdk/stage.ts';
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { contract } from '../../shared/contract.ts';
import { teamApp } from '../../test/infra/team-app.ts';
import { leaveOut, type SkippedResource, withoutFunction } from './leave-out.ts';
import { type Moto, startMoto, version } from './moto.ts';
import { type ResourceState, resourceStates } from './resources.ts';
import { type Command, environmentAt, runCommandLine } from './run.ts';
import { accessAt, deleteRestored, existing, fillTable, loseItem, wrongFunctions } from './services.ts';
import { account, region, rehearsedStage } from './stage.ts';
import { type Step, transcript } from './transcript.ts';

/** What the second deployment changes: a setting that every function has in its environment. */
const changes = { publication: { name: 'Rehearsal, changed', url: 'https://rehearsal.press' } };

/** moto executes a new stack's change set without the order of DependsOn, and can't delete one that does not exist. */
const direct = ['--method', 'direct'];
/** moto's UpdateStack fails at the previous value of a parameter's default, so the first deployment names it. */
const bootstrapVersion = ['--parameters', 'BootstrapVersion=/cdk-bootstrap/hnb659fds/version'];

const stage = rehearsedStage();
/** The stages of docs/examples/two-publications.ts. */
const notes = rehearsedStage({ namePrefix: 'press' }, 'notes');
const weekly = rehearsedStage({ namePrefix: 'press' }, 'weekly');

const baseUrlsOf = (config: StageConfig) =>
  functionGroups.flatMap((group) => [
    '--parameters',
    `${physicalName(config, group)}:BaseUrl=${baseUrlParameter(config)}`,
  ]);
const functionsOf = (config: StageConfig) => contract.map((line) => physicalName(config, line.function));
const withFunctions = functionGroups.map((group) => physicalName(stage, group));
const stacks = [...['data', 'observability', 'api'].map((stack) => physicalName(stage, stack)), ...withFunctions];

const difference = (seen: readonly string[], expected: readonly string[]): string[] => [
  ...seen.filter((one) => !expected.includes(one)).map((one) => `unexpected: ${one}`),
  ...expected.filter((one) => !seen.includes(one)).map((one) => `expected: ${one}`),
];

const rehearse = async (
  moto: Moto,
  folder: string,
): Promise<{ steps: Step[]; skipped: readonly SkippedResource[] }> => {
  const environment = environmentAt(moto.endpoint, folder);
  const access = accessAt(moto.endpoint);
  const client = new CloudFormationClient(access);
  const bundles = await bundleFunctions();
  const assemblyOf = async (name: string, settings: object) => {
    const outdir = join(folder, name);
    await synthesize([rehearsedStage(settings)], bundles, { checked: false, outdir });
    return { app: ['--app', outdir], skipped: leaveOut(outdir, stage.name, moto.types) };
  };
  const cdk = (...args: readonly string[]): Command => ({ program: 'cdk', args });
  const deploy = ['deploy', 'dev/*', '--require-approval', 'never', ...direct];
  const steps: Step[] = [];
  /** `missesOf` returns what the step does not show: nothing, if all is as expected. */
  const step = async (
    title: string,
    command: Command,
    expectation: string,
    missesOf: (output: string, resources: readonly ResourceState[]) => readonly string[] | Promise<readonly string[]>,
  ) => {
    const began = performance.now();
    const output = await runCommandLine(environment, command);
    const resources = await resourceStates(client);
    const misses = await missesOf(output, resources);
    const ok = misses.length === 0;
    console.log(`${ok ? '✓' : '✗'} ${title}: ${expectation} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    if (!ok) console.log(`${misses.join('\n')}\n${output}`);
    steps.push({ title, command, output, resources, expectation, misses });
  };
  const incomplete = (prefix: string, all: readonly ResourceState[]) => {
    const of = all.filter(({ stack }) => stack.startsWith(prefix));
    if (of.length === 0) return [`there is no stack ${prefix}`];
    const others = of.filter(({ state }) => !/^(CREATE|UPDATE)_COMPLETE$/.test(state));
    return others.map(({ stack, id, state }) => `${stack} ${id} is ${state}`);
  };
  const changed = (output: string) =>
    stacks.filter((stack) => !output.includes(`${stack}) (no changes)`)).map((stack) => `${stack} has changes`);
  const remaining = async () => (await existing(access)).map((name) => `${name} remains`);
  const lines = (output: string, expected: readonly string[]) =>
    expected.filter((text) => !output.includes(text)).map((text) => `"${text}" was not printed`);
  const functions = functionsOf(stage);

  const rehearsePackage = async () => {
    const team = await teamApp();
    const assembly = async (example: string, version: string) => {
      const outdir = join(folder, `${example}-${version}`);
      team.release(version);
      await team.synthesize(example, outdir);
      leaveOut(outdir, '', moto.types);
      return outdir;
    };
    const theirs = (program: Command['program'], ...args: readonly string[]): Command => ({
      program,
      args,
      installed: team.installed,
    });
    const deployed = (app: string, stacks: string, ...others: readonly string[]) =>
      theirs('cdk', '--app', app, 'deploy', stacks, '--require-approval', 'never', ...direct, ...others);
    const destroyed = (app: string) => theirs('cdk', '--app', app, 'destroy', '**', '--force');
    try {
      const smallest = await assembly('smallest', '0.1.0');
      await step('Deploy the smallest app', deployed(smallest, 'Webhooks/*'), 'every resource is complete', (_, all) =>
        incomplete('masthead-webhooks-', all),
      );
      await step('Destroy it', destroyed(smallest), 'nothing of it remains', remaining);

      const earlier = await assembly('two-publications', '0.1.0');
      withoutFunction(earlier, 'RolesList');
      const later = await assembly('two-publications', '0.2.0');
      const withoutRoles = (config: StageConfig) =>
        functionsOf(config).filter((name) => name !== physicalName(config, 'roles/list'));
      const releaseIs = (version: string) => (output: string) =>
        lines(output, [`✓ release        Release ${version} is deployed, and this one can replace it.`]);
      const doctorOf = (config: StageConfig) => ({
        ...theirs('ops', 'doctor', '--stage', physicalName(config)),
        mayFail: true,
      });
      await step(
        'Deploy two publications in one account',
        deployed(earlier, '**', ...bootstrapVersion, ...[notes, weekly].flatMap(baseUrlsOf)),
        'every resource of both is complete, and each has the functions of its release',
        async (_, all) => [
          ...incomplete('press-notes-', all),
          ...incomplete('press-weekly-', all),
          ...(await wrongFunctions(access, [notes, weekly].flatMap(withoutRoles), '')),
        ],
      );
      await step(
        'Upgrade one of them',
        deployed(later, 'Notes/*'),
        'it has the new function, the other publication does not, and every resource is complete',
        async (_, all) => [
          ...incomplete('press-', all),
          ...(await wrongFunctions(access, [...functionsOf(notes), ...withoutRoles(weekly)], '')),
        ],
      );
      await step('Doctor of the upgraded one', doctorOf(notes), 'it has the new release', releaseIs('0.2.0'));
      await step('Doctor of the other', doctorOf(weekly), 'it has the release before', releaseIs('0.1.0'));
      await step(
        'Seed, whose function moto does not run',
        theirs('ops', 'seed', '--stage', 'press-notes', '--owner', 'ada@fieldnotes.press', '--name', 'Ada'),
        'the stage is found by its output, and its function is invoked',
        (output) => lines(output, ['Ada <ada@fieldnotes.press> is its Owner', 'owner-press-notes.json']),
      );
      await step(
        'Go back',
        deployed(earlier, 'Notes/*'),
        'the new function is gone, and every resource is complete',
        async (_, all) => [
          ...incomplete('press-', all),
          ...(await wrongFunctions(access, [notes, weekly].flatMap(withoutRoles), '')),
        ],
      );
      await step('Doctor afterwards', doctorOf(notes), 'it has the release before', releaseIs('0.1.0'));
      await step('Destroy both', destroyed(later), 'nothing of either remains', remaining);
    } finally {
      team.remove();
    }
  };

  await step('Bootstrap', cdk('bootstrap', `aws://${account}/${region}`), 'every resource is complete', (_, all) =>
    incomplete('CDKToolkit', all),
  );
  // moto's account has no role for API Gateway's logs, as every new one.
  const undecided = await assemblyOf('undecided', { features: { accessLogs: true } });
  await step(
    'Deploy with access logs, for which the account has no role',
    { ...cdk(...undecided.app, ...deploy), mayFail: true },
    'it is refused before anything changes, and says what to set',
    (output, all) => [
      ...lines(output, ['apiLogsRole is missing']),
      ...all.filter(({ stack }) => stack !== 'CDKToolkit').map(({ stack, id }) => `${stack} ${id} exists`),
    ],
  );
  const first = await assemblyOf('first', {});
  await step(
    'Deploy',
    cdk(...first.app, ...deploy, ...bootstrapVersion, ...baseUrlsOf(stage)),
    'every resource is complete, and every function of the contract exists',
    async (_, all) => [...incomplete('masthead-', all), ...(await wrongFunctions(access, functions, 'Rehearsal'))],
  );
  await step('Deploy again', cdk(...first.app, ...deploy), 'no stack has changes', changed);
  const second = await assemblyOf('second', changes);
  await step(
    'Deploy changed settings',
    cdk(...second.app, ...deploy),
    'the functions and the output of the stack data have the new settings, the other stacks have no changes',
    async (output, all) => [
      ...difference(
        changed(output),
        [physicalName(stage, 'data'), ...withFunctions].map((stack) => `${stack} has changes`),
      ),
      ...incomplete('masthead-', all),
      ...(await wrongFunctions(access, functions, changes.publication.name)),
    ],
  );
  await step('Deploy the changed settings again', cdk(...second.app, ...deploy), 'no stack has changes', changed);
  // With a setting of its own: the command line does not upload a template again whose hash it knows.
  const name = 'Rehearsal, reverted';
  const reverted = await assemblyOf('reverted', { publication: { ...changes.publication, name } });
  withoutFunction(join(folder, 'reverted'), 'RolesList');
  const others = functions.filter((one) => one !== physicalName(stage, 'roles/list'));
  await step(
    'Revert to a release without one function',
    cdk(...reverted.app, ...deploy),
    'the function is gone, the others have the earlier settings, and every resource is complete',
    async (_, all) => [...incomplete('masthead-', all), ...(await wrongFunctions(access, others, name))],
  );
  await step(
    'Release it again',
    cdk(...second.app, ...deploy),
    'the function is back, all have the new settings, and every resource is complete',
    async (_, all) => [
      ...incomplete('masthead-', all),
      ...(await wrongFunctions(access, functions, changes.publication.name)),
    ],
  );
  await step(
    'Destroy observability',
    cdk(...second.app, 'destroy', 'dev/observability', '--exclusively', '--force'),
    'no log group remains, and the functions do',
    async () => [
      ...(await remaining()).filter((one) => one.startsWith('/')),
      ...(await wrongFunctions(access, functions, changes.publication.name)),
    ],
  );
  await step('Deploy it again', cdk(...second.app, ...deploy), 'every resource is complete', (_, all) => [
    ...incomplete(physicalName(stage, 'observability'), all),
    ...incomplete('masthead-', all),
  ]);
  await step(
    'Doctor',
    { program: 'ops', args: ['doctor', '--stage', stage.name], mayFail: true },
    'stacks, API throttling, dead letters and keys are read',
    (output) =>
      lines(
        output,
        ['stacks', 'throttle', 'dead letters', 'keys'].map((check) => `✓ ${check} `),
      ),
  );
  const proven = {
    redrive: 'as expected',
    // moto has no saved queries, and dev no alarms.
    'saved queries': 'not run',
    alarm: 'not run',
    transactions: 'different',
  } as const;
  await step(
    'Prove, without the API',
    {
      program: 'ops',
      args: ['prove', '--stage', stage.name, '--url', 'http://127.0.0.1:9', '--only', Object.keys(proven).join(',')],
      mayFail: true,
    },
    'the account answers, the API does not, and the report says so',
    (output) =>
      Object.entries(proven).flatMap(([name, result]) =>
        new RegExp(`^\\| ${name} \\|.*\\*\\*${result}\\*\\*`, 'm').test(output) ? [] : [`${name} is not ${result}`],
      ),
  );
  const at = await fillTable(access, physicalName(stage));
  const restore = (way: string): Command => ({
    program: 'ops',
    args: ['restore', '--stage', stage.name, '--at', at, way],
  });
  await step(
    'Restore, to switch over',
    restore('--switch'),
    'the restored table has every item, time to live and point-in-time recovery',
    (output) => lines(output, ['lacks 0.', 'enabled time to live on expires_at, point-in-time recovery.']),
  );
  await loseItem(access, physicalName(stage));
  await step('Restore, to copy back', restore('--all'), 'the lost item is copied back', (output) =>
    lines(output, ['3 items compared, 1 copied back (WEBHOOK# 1).']),
  );
  await deleteRestored(access);
  await step(
    'Destroy',
    cdk(...second.app, 'destroy', 'dev/*', '--force'),
    'no stack, function, table, queue or log group of the stage remains',
    async (_, all) => [
      ...all.filter(({ stack }) => stack !== 'CDKToolkit').map(({ stack, id }) => `${stack} ${id} remains`),
      ...(await remaining()),
    ],
  );
  await step('Deploy after the deletion', cdk(...second.app, ...deploy), 'every resource is complete', (_, all) =>
    incomplete('masthead-', all),
  );
  await step(
    'Destroy again',
    cdk(...second.app, 'destroy', 'dev/*', '--force'),
    'nothing of the stage remains',
    remaining,
  );
  await rehearsePackage();
  return { steps, skipped: first.skipped };
};

await run(
  command('npm --prefix lab run rehearse --')
    .description(
      "Bootstraps, deploys, changes and destroys the stage dev with the CDK's command line against moto, an " +
        'independent implementation of AWS, and reports the state of each resource. ' +
        'The exit code is 1 if a step fails or does not do what is expected.\n\n' +
        `moto ${version} is installed from PyPI into node_modules/.cache on the first run; ` +
        'without Python 3 the rehearsal is skipped. No AWS account and no credentials are used.',
    )
    .option('--write <file>', 'Write the transcript to this file, such as lab/reports/rehearsal.md.')
    .action(async ({ write }) => {
      const folder = mkdtempSync(join(tmpdir(), 'masthead-rehearsal-'));
      const logFile = join(folder, 'moto.log');
      const moto = await startMoto(logFile);
      if (moto === undefined) {
        console.log('The rehearsal is skipped.');
        return;
      }
      try {
        const { steps, skipped } = await rehearse(moto, folder);
        const text = transcript(steps, skipped, folder);
        if (write === undefined) console.log(`\n${text}`);
        else writeFileSync(write, text);
        if (!steps.every(({ misses }) => misses.length === 0)) process.exitCode = 1;
      } catch (error) {
        // A line of Python such as `AttributeError: …` says why moto answered with an error.
        const errors = readFileSync(logFile, 'utf8').match(/^\w+Error: .*$/gm) ?? [];
        throw new Error(
          `${error instanceof Error ? error.message : error}\nmoto: ${errors.at(-1) ?? 'no error in its log'}`,
        );
      } finally {
        await moto.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
);
