/** `npm run ops -- staff change-address`: by hand, because it invokes a function with AWS credentials. */
import { command, sections } from '../../command-line/command.ts';
import { print } from '../../command-line/print.ts';
import { confirm, yesHelp } from '../output/confirm.ts';
import { configOf, deployedStages, stageOption } from '../stage-of.ts';

export const changeAddress = command('change-address')
  .summary('Gives a member another address, for a mailbox that is lost.')
  .description(
    'Gives a member another address at once. Sessions and links end, keys keep working, and the old address gets ' +
      'a mail. It invokes a function of the stage with AWS credentials, not with a key.',
  )
  .argument('<address>', 'The present address of the member.')
  .argument('<new-address>', 'The new address.')
  .addOption(stageOption(deployedStages).makeOptionMandatory())
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({
      examples: {
        'A lost mailbox': 'npm run ops -- staff change-address ada@example.org ada@example.com --stage prod',
      },
    }),
  )
  .action(async (from, to, { stage, yes }) => {
    await confirm(`Let ${to} sign in to ${stage} in place of ${from}?`, yes);
    const { invokeCommand } = await import('../invoke-command.ts');
    await invokeCommand(await configOf(stage), 'setup/change-address', { from, to });
    print(`${to} signs in to ${stage} in place of ${from}.`);
  });
