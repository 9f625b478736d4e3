/** `npm run ops -- webhooks …`: who receives which event, and at which address. */
import { command, sections } from '../command-line/command.ts';
import { disable, enable, ping, remove, rotateSecret } from './webhooks/act.ts';
import { list } from './webhooks/list.ts';
import { options } from './webhooks/options.ts';
import { create, update } from './webhooks/write.ts';

export const webhooks = command('webhooks')
  .description('Lists, creates, changes, tests and deletes webhooks.')
  .addHelpText(
    'after',
    sections({
      examples: {
        'Create one':
          'npm run ops -- webhooks create --integration Bookshop --event post.published --target https://hooks.bookshop.example/masthead',
        'Which ones are failing': 'npm run ops -- webhooks list --state failing',
      },
    }),
  )
  .addCommand(list)
  .addCommand(create)
  .addCommand(update)
  .addCommand(options)
  .addCommand(remove)
  .addCommand(ping)
  .addCommand(disable)
  .addCommand(enable)
  .addCommand(rotateSecret);
