/** `npm run ops -- export`: prints the integrations, webhooks and options of a stage as a file for `apply`. */
import { sections } from '../command-line/command.ts';
import { print } from '../command-line/print.ts';
import { connect, environment, stageCommand } from './api/connection.ts';
import { fileOf } from './files/configuration.ts';
import { readStage } from './files/stage.ts';

export const exportConfiguration = stageCommand('export')
  .summary('Prints the integrations, webhooks and options of a stage as a file for apply.')
  .description(
    'Prints the integrations, webhooks and options of a stage as a file for apply. It names a variable in the ' +
      'place of each secret, because the API returns none. Keys, and whether a webhook is disabled, are not in it. ' +
      'The same stage always makes the same file.',
  )
  .addHelpText(
    'after',
    sections({
      environment,
      examples: { 'Keep it in version control': 'npm run -s ops -- export --stage dev > webhooks.json' },
    }),
  )
  .action(async (options) => print(fileOf(await readStage(await connect(options)))));
