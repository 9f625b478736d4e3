/** `npm run ops -- replay`: sends the deliveries of a webhook and a time range again. */
import { sections } from '../command-line/command.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { request } from './api/request.ts';
import { only, read } from './api/resources.ts';
import { withFields } from './commands/fields.ts';
import { findWebhook, nouns } from './commands/find.ts';
import { printItem, say } from './output/print.ts';
import { endOf } from './output/sent-again.ts';
import { timeOption } from './output/times.ts';

const { command, read: valuesOf } = withFields(apiCommand('replay'), 'replays/create', ['since', 'status']);

export const replay = command
  .summary('Sends the deliveries of a time range again.')
  .description(
    'Sends the deliveries of a webhook and a time range again, each as a new delivery, and waits until all are ' +
      'sent. Ctrl-C stops the waiting, not the replay.',
  )
  .argument('<webhook>', nouns.webhooks.help)
  .option('--until <time>', 'Up to, not including (default: now).', timeOption('--until'))
  .option('--no-wait', 'Return when the replay has started.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'What was held while the webhook was disabled':
          'npm run ops -- replay 019acb5130f4a1b2c3d4e5f6 --since 2d --status held',
        'All of one day': 'npm run ops -- replay 019acb5130f4a1b2c3d4e5f6 --since 2026-11-21 --until 2026-11-22',
      },
    }),
  )
  .action(async (given, { until = new Date().toISOString(), wait, ...options }) => {
    const caller = await connect(options);
    const webhook = await findWebhook(caller, given);
    const path = `/admin/webhooks/${webhook}/replays/`;
    const { body } = await valuesOf(options, caller);
    const started = only(read.replays(await request(caller, 'POST', path, { replays: [{ ...body, until }] })));
    const again = async () => only(read.replays(await request(caller, 'GET', `${path}${started.id}/`)));
    const ended = wait ? await endOf(started, again) : started;
    printItem(options, ended, {
      id: ({ id }) => id,
      state: ({ state }) => state,
      done: ({ progress }) => `${progress.percent} %`,
      checked: ({ progress }) => progress.checked,
      replayed: ({ progress }) => progress.replayed,
    });
    if (ended.state === 'cancelled') throw new Error('The replay was cancelled, because the webhook was deleted.');
    say(options, `\nFollow the deliveries with: npm run ops -- deliveries list --webhook ${webhook}`);
  });
