/** `npm run ops -- deliveries list`. */
import { sections, wholeNumber } from '../../command-line/command.ts';
import { connect, environment } from '../api/connection.ts';
import { collect } from '../api/request.ts';
import type { Delivery } from '../api/resources.ts';
import { adviceFor } from '../output/advice.ts';
import { printList, say } from '../output/print.ts';
import { timeOption } from '../output/times.ts';
import { onlyIds, withNames } from '../webhooks/find.ts';
import { columnsWith, type Filter, filtered, listed, withWebhookId, words } from './filter.ts';
import { whyHeld } from './why-held.ts';

/** The largest page of the API. */
const maxPage = 100;

export const list = filtered('list')
  .summary('Lists deliveries, newest first; with --event-id it says why one did not arrive.')
  .description(
    'Lists deliveries of all webhooks, newest first. With --event-id it also says why those did not arrive that failed, and what to do.',
  )
  .option('--until <time>', 'Created before it.', timeOption('--until'))
  .option('--limit <number>', 'How many to list, at most.', wholeNumber('--limit'), 50)
  .addHelpText(
    'after',
    sections({
      words,
      environment,
      examples: {
        'What failed in the last two hours': 'npm run ops -- deliveries list --status failed --since 2h',
        'Who received an event, and why it did not arrive':
          'npm run ops -- deliveries list --event-id post-6748-published',
        'The ids of all held deliveries of a webhook':
          'npm run -s ops -- deliveries list --webhook 019acb5130f4a1b2c3d4e5f6 --status held --limit 10000 --json | jq -r .id',
      },
    }),
  )
  .action(async (options) => {
    const { limit } = options;
    const caller = await connect(options);
    const filter = await withWebhookId(caller, options);
    const found = await collect(listed(caller, filter, Math.min(limit, maxPage)), limit);
    const names = options.json || found.length === 0 ? onlyIds : await withNames(caller);
    printList(options, found, columnsWith(names), options.eventId === undefined ? emptyFor(options) : emptyOfEvent);
    if (options.eventId !== undefined) for (const line of found.flatMap(whyNot)) say(options, line);
    else if (found.some(({ status }) => status === 'failed' || status === 'retrying' || status === 'held'))
      say(options, '\nWhy one did not arrive, and what to do: npm run ops -- deliveries show <delivery>');
  });

/** Suggests to publish only if no filter is set. */
const emptyFor = ({ webhook, event, status, since, until }: Filter): string =>
  [webhook, event, status, since, until].some((filter) => filter !== undefined)
    ? 'No deliveries match.'
    : 'No deliveries yet. Publish an event with: npm run ops -- publish --help';

const emptyOfEvent =
  'No delivery of this event: no webhook subscribes to it, a filter leaves it out, or the log no longer has it. Who subscribes: npm run ops -- webhooks list --event <name>';

/** Returns a line that says why a delivery did not arrive; none for one that did, or that was not tried yet. */
const whyNot = (delivery: Delivery): string[] => {
  const { id, status, last_status, last_error } = delivery;
  if (status === 'held') return [`\n${id}: ${whyHeld(delivery)}`];
  const isTried = status !== 'delivered' && last_error !== null && last_error !== 'expired';
  return isTried ? [`\n${id}: ${adviceFor(last_status, last_error)}`] : [];
};
