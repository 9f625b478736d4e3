/** `npm run ops -- deliveries redeliver`. */
import type { Caller } from '../../command-line/client.ts';
import { sections } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { printError } from '../../command-line/print.ts';
import { connect, environment } from '../api/connection.ts';
import { kindOf } from '../api/document.ts';
import { request } from '../api/request.ts';
import { type Delivery, only, read } from '../api/resources.ts';
import { printAll } from '../commands/columns.ts';
import { confirm, yesHelp } from '../output/confirm.ts';
import { say } from '../output/print.ts';
import { type Filter, filtered, listed } from './filter.ts';
import { findDelivery, pathOf } from './find.ts';

const { command, filterOf } = filtered('redeliver', ['event', 'since', 'webhook_id', 'event_id']);

export const redeliver = command
  .summary('Sends deliveries again.')
  .description(
    'Sends deliveries again, each as a new delivery of the same event: those with these ids, or with --failed all ' +
      'that failed for good since a time and were not sent again meanwhile. ' +
      'If one is refused, the following ones are not sent.',
  )
  .argument('[delivery...]', 'The ids of the deliveries.')
  .option('--failed', 'Instead of ids: all that failed and have no newer delivery of the same event.', false)
  .option('--yes', yesHelp('With --failed: do not ask.'), false)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'One delivery': 'npm run ops -- deliveries redeliver 019acb63f5e8a1b2c3d4e5f6',
        'All that failed today': 'npm run ops -- deliveries redeliver --failed --since today',
        'All of a webhook that failed in the last two hours':
          'npm run ops -- deliveries redeliver --failed --since 2h --webhook 019acb5130f4a1b2c3d4e5f6',
      },
    }),
  )
  .action(async (ids, { failed, yes, ...options }) => {
    if (failed ? ids.length > 0 : ids.length === 0)
      throw new UsageError('Name the deliveries by their ids, or use --failed with --since.');
    if (failed && !('since' in options)) throw new UsageError('--failed needs --since, such as --since today.');
    const caller = await connect(options);
    const filter = await filterOf(caller, options);
    const failures = failed ? await failedOnes(caller, filter) : [];
    if (failed && failures.length === 0)
      return say(
        options,
        'Nothing to send: no delivery has failed for good since then, or all were sent again. Those that are ' +
          'retrying are attempted again by themselves: npm run ops -- deliveries list --status retrying. ' +
          'Those that are held are sent by a replay: npm run ops -- deliveries list --status held',
      );
    const chosen = failed ? failures : ids;
    const count = chosen.length === 1 ? '1 delivery' : `${chosen.length} deliveries`;
    if (failed) await confirm(`Send ${count} again?`, yes);
    if (failed && yes) printError(`Sending ${count} again.`);
    const sent: Delivery[] = [];
    try {
      for (const given of chosen) {
        const one = typeof given === 'string' ? await findDelivery(caller, given, filter.webhook_id) : given;
        sent.push(only(read.deliveries(await request(caller, 'POST', `${pathOf(one)}redeliver/`))));
      }
    } finally {
      if (sent.length > 0) {
        printAll(options, kindOf('Delivery'), sent, {}, '');
        say(options, `\nSent ${sent.length < chosen.length ? `${sent.length} of ${count}` : count} again.`);
      }
    }
  });

/** Returns failed deliveries that are the newest of their event and webhook, so that a second run repeats none. */
const failedOnes = async (caller: Caller, filter: Filter): Promise<Delivery[]> => {
  const newest = new Map<string, Delivery>();
  for await (const page of listed(caller, filter, 100))
    for (const one of page) {
      const key = `${one.webhook_id} ${one.event_id}`;
      if (!newest.has(key)) newest.set(key, one);
    }
  return [...newest.values()].filter(({ status }) => status === 'failed').reverse();
};
