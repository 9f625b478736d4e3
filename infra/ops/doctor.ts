/** `npm run ops -- doctor`: reads an account and prints what would stop a stage, with corrections. Changes nothing. */
import { Resolver } from 'node:dns/promises';
import { deployedStages } from '../cdk/chosen-stages.ts';
import { isPackage } from '../cdk/root.ts';
import type { StageConfig } from '../cdk/stage.ts';
import { command, sections } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import { print } from '../command-line/print.ts';
import type { Finding } from './doctor/finding.ts';
import { configOf, stageNames, stageOption } from './stage-of.ts';

export const doctor = command('doctor')
  .summary('Reads an account and prints what would stop a stage, each with what corrects it.')
  .description(
    'Reads an account and prints what would stop a stage, each with what corrects it. Changes nothing. ' +
      'The exit code is 1 if something stops the stage.\n\n' +
      "It reads with the credentials of the AWS profile; AWS's managed policy ReadOnlyAccess is enough. " +
      'A stage with a key of its own also needs kms:Decrypt on that key. ' +
      "Two queries of the functions' logs cost 0.005 USD for each GB that they read.",
  )
  .addOption(stageOption(stageNames).makeOptionMandatory())
  .option('--json', 'Print JSON.', false)
  .addHelpText(
    'after',
    sections({
      examples: {
        'Before the first deployment, and whenever something is odd': 'npm run ops -- doctor --stage prod',
        'In a script':
          'npm run -s ops -- doctor --stage prod --json | jq \'.findings[] | select(.result != "passed")\'',
      },
    }),
  )
  .action(async ({ stage, json }) => {
    const findings = await examineStage(await configOf(stage));
    const isStopped = findings.some(({ result }) => result === 'stops');
    print(json ? JSON.stringify({ stage, stops: isStopped, findings }, null, 2) : textOf(stage, findings));
    if (isStopped) process.exitCode = exitCodes.failed;
  });

/** Imports the clients of ten services only where they are used. */
const examineStage = async (config: StageConfig): Promise<readonly Finding[]> => {
  if (config.name === 'local') return (await import('./doctor/examine-local.ts')).examineLocal(config);
  return (await import('./doctor/examine.ts')).examine(config, new Resolver(), isPackage ? [config] : deployedStages());
};

const marks = { passed: '✓', warning: '!', stops: '✗', skipped: '–' } as const;

const textOf = (stage: string, findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const lines = findings.flatMap(({ check, result, text, fix }) => [
    `${marks[result]} ${check.padEnd(width)}${text}`,
    ...(fix === undefined ? [] : [`  ${' '.repeat(width)}→ ${fix}`]),
  ]);
  const count = (result: Finding['result'], one: string, more: string) => {
    const all = findings.filter((finding) => finding.result === result).length;
    return all === 0 ? [] : [`${all} ${all === 1 ? one : more}`];
  };
  const counts = [...count('stops', 'finding stops', 'findings stop'), ...count('warning', 'warning', 'warnings')];
  return [...lines, '', `${stage}: ${counts.join(' the stage, ') || 'nothing stops it'}`].join('\n');
};
