/** `npm run ops -- deliveries …`: lists, shows, follows and repeats deliveries. */
import { command, sections } from '../command-line/command.ts';
import { list } from './deliveries/list.ts';
import { redeliver } from './deliveries/redeliver.ts';
import { show } from './deliveries/show.ts';
import { tail } from './deliveries/tail.ts';

export const deliveries = command('deliveries')
  .description('Lists, shows, follows and repeats deliveries, and says why one did not arrive.')
  .addHelpText(
    'after',
    sections({
      examples: {
        'What failed in the last two hours': 'npm run ops -- deliveries list --status failed --since 2h',
        'Why an event did not arrive': 'npm run ops -- deliveries list --event-id post-6748-published',
        'Follow all deliveries': 'npm run ops -- deliveries tail',
      },
    }),
  )
  .addCommand(list)
  .addCommand(show)
  .addCommand(redeliver)
  .addCommand(tail);
