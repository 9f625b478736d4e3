/** `npm run ops -- redrive`: moves dead letters back. */
import { Argument } from '@commander-js/extra-typings';
import { queueNames } from '../../shared/contract.ts';
import { command, sections } from '../command-line/command.ts';
import { configOf, stageNames, stageOption } from './stage-of.ts';

export const redrive = command('redrive')
  .summary('Moves dead letters back to the queues they came from.')
  .description(
    'Moves dead letters back to the queues they came from, and prints how many messages of each queue were ' +
      'moved.\n\n' +
      'Run it when the cause of the failures is fixed. It can be stopped at any time and run again: ' +
      'a message is deleted only after it was sent, so none is lost, and workers skip messages that they have ' +
      'processed. Events that EventBridge could not put into the queue events get the form of the rule of the bus.',
  )
  .addArgument(new Argument('[queue]', 'Only this queue (default: all).').choices(queueNames))
  .addOption(stageOption(stageNames).makeOptionMandatory())
  .addHelpText(
    'after',
    sections({
      examples: {
        'All queues of a stage': 'npm run ops -- redrive --stage prod',
        'One queue of the stack on this machine': 'npm run ops -- redrive --stage local events',
      },
    }),
  )
  .action(async (queue, { stage }) => {
    const { redriveStage } = await import('./redrive/redrive-stage.ts');
    await redriveStage(await configOf(stage), queue);
  });
