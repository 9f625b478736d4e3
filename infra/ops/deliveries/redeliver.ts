/** `npm run ops -- deliveries redeliver`. */
import { sections } from '../../command-line/command.ts';
import { apiCommand, connect, environment } from '../api/connection.ts';
import { request } from '../api/request.ts';
import { type Delivery, only, read } from '../api/resources.ts';
import { printList } from '../output/print.ts';
import { columns } from './filter.ts';
import { findDelivery, pathOf } from './find.ts';

export const redeliver = apiCommand('redeliver')
  .summary('Sends deliveries again.')
  .description(
    'Sends deliveries again, each as a new delivery of the same event. The replay command sends all of a time range. If one is refused, the following ones are not sent.',
  )
  .argument('<delivery...>', 'The ids of the deliveries.')
  .option('--webhook <id>', 'Their webhook, which makes the search quicker.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'One delivery': 'npm run ops -- deliveries redeliver 019acb63f5e8a1b2c3d4e5f6',
        'All that failed today':
          'npm run -s ops -- deliveries list --status failed --since 1d --json | jq -r .id | xargs npm run ops -- deliveries redeliver',
      },
    }),
  )
  .action(async (ids, options) => {
    const caller = await connect(options);
    const sent: Delivery[] = [];
    try {
      for (const id of ids) {
        const found = await findDelivery(caller, id, options.webhook);
        sent.push(only(read.deliveries(await request(caller, 'POST', `${pathOf(found)}redeliver/`))));
      }
    } finally {
      if (sent.length > 0) printList(options, sent, columns, '');
    }
  });
