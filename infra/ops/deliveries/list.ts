/** `npm run ops -- deliveries list`. */
import { sections, wholeNumber } from '../../command-line/command.ts';
import { connect, environment } from '../api/connection.ts';
import { collect } from '../api/request.ts';
import { printList } from '../output/print.ts';
import { timeOption } from '../output/times.ts';
import { columns, filtered, listed } from './filter.ts';

/** The largest page of the API. */
const maxPage = 100;

export const list = filtered('list')
  .summary('Lists deliveries, newest first.')
  .description('Lists deliveries of all webhooks, newest first.')
  .option('--until <time>', 'Created before it.', timeOption('--until'))
  .option('--limit <number>', 'How many to list, at most.', wholeNumber('--limit'), 50)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'What failed in the last two hours': 'npm run ops -- deliveries list --status failed --since 2h',
        'Who received an event': 'npm run ops -- deliveries list --event-id post-6748-published',
        'The ids of all held deliveries of a webhook':
          'npm run -s ops -- deliveries list --webhook 019acb5130f4a1b2c3d4e5f6 --status held --limit 10000 --json | jq -r .id',
      },
    }),
  )
  .action(async (options) => {
    const { limit } = options;
    const found = await collect(listed(await connect(options), options, Math.min(limit, maxPage)), limit);
    printList(options, found, columns, 'No deliveries match. Publish an event with: npm run ops -- publish --help');
  });
