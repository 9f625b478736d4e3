/** `npm run ops -- seed`: creates the roles and the first Owner of a stage. */
import { command, sections } from '../command-line/command.ts';
import { deployedStages, stageOption } from './stage-of.ts';

export const seed = command('seed')
  .summary("Creates the roles and the first Owner of a stage, and prints the Owner's key.")
  .description(
    "Creates the roles and the first Owner of a stage, and prints the Owner's key.\n\n" +
      'The key is printed once; the stage does not return it again. ' +
      'It is also kept in .masthead/owner-<stage>.json (MASTHEAD_HOME moves the folder), so that a second run, or ' +
      'one after a failure, uses the same key. If the stage has an Owner and that file is missing, nothing is ' +
      'changed.',
  )
  .addOption(stageOption(deployedStages).makeOptionMandatory())
  .requiredOption('--owner <address>', 'Email address of the Owner.')
  .requiredOption('--name <name>', 'Name of the Owner.')
  .option('--another-key', 'Create one more key for the existing Owner. Keys that exist remain valid.', false)
  .addHelpText(
    'after',
    sections({
      examples: {
        'After the first deployment': 'npm run ops -- seed --stage dev --owner ada@example.org --name Ada',
        'If the key is lost': 'npm run ops -- seed --stage dev --owner ada@example.org --name Ada --another-key',
      },
    }),
  )
  .action(async (options) => {
    const { seedStage } = await import('./seed/seed-stage.ts');
    await seedStage(options);
  });
