/** `npm run ops -- restore`: restores the table of a stage to an earlier second. */
import { Option } from '@commander-js/extra-typings';
import { command, sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { configOf, deployedStages, stageOption } from './stage-of.ts';

const time = (text: string): Date => {
  const at = new Date(text);
  if (!Number.isNaN(at.getTime()) && /Z$|[+-]\d\d:\d\d$/.test(text)) return at;
  throw new UsageError(`--at is '${text}'; it must be a time with its zone, such as 2026-11-22T09:30:00Z.`);
};

export const restore = command('restore')
  .summary('Restores the table of a stage to an earlier second, and copies lost items back or switches over.')
  .description(
    'Restores the table of a stage to an earlier second, and copies lost items back or switches over.\n\n' +
      'Copying back never changes an item that exists. --all brings deleted keys, webhooks and invites back too, ' +
      'so look at the counts of --only first. Progress is in .masthead/restore-<stage>.json; ' +
      'run the same command again after a stop.',
  )
  .addOption(stageOption(deployedStages).makeOptionMandatory())
  .requiredOption('--at <time>', 'The second to restore, such as 2026-11-22T09:30:00Z.', time)
  .addOption(
    new Option(
      '--only <beginnings>',
      "Copy lost items of these partitions back, such as 'WEBHOOK#,OPTIONS#,EVENT#,INTEGRATION#' " +
        '(docs/architecture.md).',
    ).conflicts(['all', 'switch']),
  )
  .addOption(
    new Option('--all', 'Copy all lost items back, also those that were deleted on purpose.').conflicts('switch'),
  )
  .option('--switch', 'Prepare the restored table to take the place of the present one.')
  .option('--dry-run', 'Print the steps and change nothing.', false)
  .addHelpText(
    'after',
    sections({
      examples: {
        'Copy lost webhooks back':
          'npm run ops -- restore --stage prod --at 2026-11-22T09:30:00Z --only ' +
          "'WEBHOOK#,OPTIONS#,EVENT#,INTEGRATION#'",
        'Replace the whole table': 'npm run ops -- restore --stage prod --at 2026-11-22T09:30:00Z --switch',
      },
    }),
  )
  .action(async ({ stage, ...options }) => {
    const { planOf, restoreStage } = await import('./restore/restore-stage.ts');
    await restoreStage(planOf(await configOf(stage), options));
  });
