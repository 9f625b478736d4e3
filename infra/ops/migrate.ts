/** `npm run ops -- migrate`: brings the items of a table to the format of this release. */
import { command, sections, wholeNumber } from '../command-line/command.ts';
import { configOf, stageNames, stageOption } from './stage-of.ts';

export const migrate = command('migrate')
  .summary("Brings a table's items to the format of this release.")
  .description(
    `Brings a table's items to the format of this release.

Run it after the deployment of a release with a new format, and before the one after it (docs/formats.md). It can be stopped at any time and run again: it continues where it was, from .masthead/migrate-<stage>.json. It needs dynamodb:DescribeTable, Scan and UpdateItem.`,
  )
  .addOption(stageOption(stageNames).makeOptionMandatory())
  .option('--dry-run', 'Count what would change, and change nothing.', false)
  .option('--rate <writes>', 'Items to change in a second, at most.', wholeNumber('--rate'), 200)
  .addHelpText(
    'after',
    sections({
      examples: {
        'Count the items with an older format': 'npm run ops -- migrate --stage prod --dry-run',
        'Change 50 items a second': 'npm run ops -- migrate --stage prod --rate 50',
      },
    }),
  )
  .action(async ({ stage, dryRun, rate }) => {
    const { migrateStage } = await import('./migrate/migrate-stage.ts');
    await migrateStage(configOf(stage), { isDryRun: dryRun, rate });
  });
