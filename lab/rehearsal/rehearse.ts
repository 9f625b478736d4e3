/**
 * `npm --prefix lab run rehearse`: bootstraps, deploys, changes, restores and destroys the stage `dev` with the CDK's command line and `ops` against moto, an
 * implementation of AWS that this project does not maintain, and reports the state of each resource.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { bundleFunctions } from '../../infra/cdk/bundle.ts';
import { functionGroups } from '../../infra/cdk/function-groups.ts';
import { baseUrlParameter, physicalName } from '../../infra/cdk/names.ts';
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { type LeftOut, leaveOut, withoutFunction } from './leave-out.ts';
import { type Moto, startMoto, version } from './moto.ts';
import { type ResourceState, resourceStates } from './resources.ts';
import { type Command, environmentAt, runCommandLine } from './run.ts';
import { accessAt, deleteRestored, everyFunctionHas, existing, fillTable, loseItem } from './services.ts';
import { account, region, rehearsedStage } from './stage.ts';
import { type Step, transcript } from './transcript.ts';

/** What the second deployment changes: a setting that every function has in its environment. */
const changes = { publication: { name: 'Rehearsal, changed', url: 'https://rehearsal.press' } };

/** moto executes the change set of a new stack without the order of DependsOn, and fails at the deletion of one that does not exist. */
const direct = ['--method', 'direct'];
/** moto's UpdateStack fails at the previous value of a parameter that was only given by its default, so the first deployment names it. */
const bootstrapVersion = ['--parameters', 'BootstrapVersion=/cdk-bootstrap/hnb659fds/version'];

const stage = rehearsedStage();
const baseUrls = functionGroups.flatMap((group) => [
  '--parameters',
  `${physicalName(stage, group)}:BaseUrl=${baseUrlParameter(stage)}`,
]);
const stacks = ['data', 'observability', 'api', ...functionGroups].map((stack) => physicalName(stage, stack));

const rehearse = async (moto: Moto, folder: string): Promise<{ steps: Step[]; leftOut: readonly LeftOut[] }> => {
  const environment = environmentAt(moto.endpoint, folder);
  const access = accessAt(moto.endpoint);
  const client = new CloudFormationClient(access);
  const bundles = await bundleFunctions();
  const assemblyOf = async (name: string, settings: object) => {
    const outdir = join(folder, name);
    await synthesize([rehearsedStage(settings)], bundles, { checked: false, outdir });
    return { app: ['--app', outdir], leftOut: leaveOut(join(outdir, 'assembly-dev'), stage.name, moto.types) };
  };
  const cdk = (...args: readonly string[]): Command => ({ program: 'cdk', args });
  const deploy = ['deploy', 'dev/*', '--require-approval', 'never', ...direct];
  const steps: Step[] = [];
  const step = async (
    title: string,
    command: Command,
    expectation: string,
    isMet: (output: string, resources: readonly ResourceState[]) => boolean | Promise<boolean>,
  ) => {
    const began = performance.now();
    const output = await runCommandLine(environment, command);
    const resources = await resourceStates(client);
    const ok = await isMet(output, resources);
    console.log(`${ok ? '✓' : '✗'} ${title}: ${expectation} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    if (!ok) console.log(output);
    steps.push({ title, command, output, resources, expectation, ok });
  };
  const isComplete = (prefix: string, all: readonly ResourceState[]) => {
    const of = all.filter(({ stack }) => stack.startsWith(prefix));
    return of.length > 0 && of.every(({ state }) => /^(CREATE|UPDATE)_COMPLETE$/.test(state));
  };
  const unchanged = (output: string) => stacks.filter((stack) => output.includes(`${stack}) (no changes)`));

  await step('Bootstrap', cdk('bootstrap', `aws://${account}/${region}`), 'every resource is complete', (_, all) =>
    isComplete('CDKToolkit', all),
  );
  const first = await assemblyOf('first', {});
  await step(
    'Deploy',
    cdk(...first.app, ...deploy, ...bootstrapVersion, ...baseUrls),
    'every resource is complete',
    (_, all) => isComplete('masthead-', all),
  );
  await step(
    'Deploy again',
    cdk(...first.app, ...deploy),
    'no stack has changes',
    (output) => unchanged(output).length === stacks.length,
  );
  const second = await assemblyOf('second', changes);
  await step(
    'Deploy changed settings',
    cdk(...second.app, ...deploy),
    'the functions have the new settings, the other stacks have no changes',
    async (output, all) =>
      unchanged(output).join() === stacks.slice(0, 3).join() &&
      isComplete('masthead-', all) &&
      (await everyFunctionHas(access, changes.publication.name)),
  );
  await step(
    'Deploy the changed settings again',
    cdk(...second.app, ...deploy),
    'no stack has changes',
    (output) => unchanged(output).length === stacks.length,
  );
  // With a setting of its own: the command line does not upload a template again whose hash it knows.
  const reverted = await assemblyOf('reverted', {
    publication: { ...changes.publication, name: 'Rehearsal, reverted' },
  });
  withoutFunction(join(folder, 'reverted/assembly-dev'), 'RolesList');
  const has = async (name: string) => (await existing(access)).includes(physicalName(stage, name));
  await step(
    'Revert to a release without one function',
    cdk(...reverted.app, ...deploy),
    'the function is gone, and every resource is complete',
    async (_, all) => isComplete('masthead-', all) && !(await has('roles/list')),
  );
  await step(
    'Release it again',
    cdk(...second.app, ...deploy),
    'the function is back, and every resource is complete',
    async (_, all) => isComplete('masthead-', all) && (await has('roles/list')),
  );
  await step(
    'Destroy observability',
    cdk(...second.app, 'destroy', 'dev/observability', '--exclusively', '--force'),
    'no log group remains, and the functions do',
    async () => (await existing(access)).every((name) => !name.startsWith('/')) && (await has('roles/list')),
  );
  await step(
    'Deploy it again',
    cdk(...second.app, ...deploy),
    'every resource is complete',
    (_, all) => isComplete(physicalName(stage, 'observability'), all) && isComplete('masthead-', all),
  );
  await step(
    'Doctor',
    { program: 'ops', args: ['doctor', '--stage', stage.name], mayFail: true },
    'stacks, API throttling, dead letters and keys are read',
    (output) => ['stacks', 'throttle', 'dead letters', 'keys'].every((check) => output.includes(`✓ ${check} `)),
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
    (output) =>
      output.includes('lacks 0.') && /enabled time to live on expires_at, point-in-time recovery\./.test(output),
  );
  await loseItem(access, physicalName(stage));
  await step('Restore, to copy back', restore('--all'), 'the lost item is copied back', (output) =>
    output.includes('3 items compared, 1 copied back (WEBHOOK# 1).'),
  );
  await deleteRestored(access);
  await step(
    'Destroy',
    cdk(...second.app, 'destroy', 'dev/*', '--force'),
    'no stack, function, table, queue or log group of the stage remains',
    async (_, all) => all.every(({ stack }) => stack === 'CDKToolkit') && (await existing(access)).length === 0,
  );
  await step('Deploy after the deletion', cdk(...second.app, ...deploy), 'every resource is complete', (_, all) =>
    isComplete('masthead-', all),
  );
  await step(
    'Destroy again',
    cdk(...second.app, 'destroy', 'dev/*', '--force'),
    'nothing of the stage remains',
    async () => (await existing(access)).length === 0,
  );
  return { steps, leftOut: first.leftOut };
};

await run(
  command('npm --prefix lab run rehearse --')
    .description(
      `Bootstraps, deploys, changes and destroys the stage dev with the CDK's command line against moto, an independent implementation of AWS, and reports the state of each resource. The exit code is 1 if a step fails or does not do what is expected.

moto ${version} is installed from PyPI into node_modules/.cache on the first run; without Python 3 the rehearsal is skipped. No AWS account and no credentials are used.`,
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
        const { steps, leftOut } = await rehearse(moto, folder);
        const text = transcript(steps, leftOut, folder);
        if (write === undefined) console.log(`\n${text}`);
        else writeFileSync(write, text);
        if (!steps.every(({ ok }) => ok)) process.exitCode = 1;
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
