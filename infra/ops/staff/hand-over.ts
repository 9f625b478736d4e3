/** `npm run ops -- staff hand-over`: by hand, because it invokes a function with AWS credentials. */
import * as v from 'valibot';
import { command, sections } from '../../command-line/command.ts';
import { print } from '../../command-line/print.ts';
import { confirm, yesHelp } from '../output/confirm.ts';
import { configOf, deployedStages, stageOption } from '../stage-of.ts';

export const handOver = command('hand-over')
  .summary('Makes an Administrator the Owner, for an Owner whose mailbox is lost.')
  .description(
    'Makes an active Administrator with a verified address the Owner, and the Owner an Administrator. ' +
      'Both get a mail. It invokes a function of the stage with AWS credentials, not with a key.',
  )
  .argument('<address>', 'The address of the Administrator.')
  .addOption(stageOption(deployedStages).makeOptionMandatory())
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({ examples: { 'A lost mailbox': 'npm run ops -- staff hand-over ada@example.org --stage prod' } }),
  )
  .action(async (address, { stage, yes }) => {
    await confirm(`Make ${address} the Owner of ${stage}?`, yes);
    const { invokeCommand } = await import('../invoke-command.ts');
    const answer = await invokeCommand(await configOf(stage), 'setup/hand-over', { to: address });
    const { previous } = v.parse(v.object({ previous: v.string() }), answer);
    print(`${address} is the Owner of ${stage}. ${previous} is an Administrator now.`);
  });
