/** `npm run ops -- deliveries list`: by hand, because it says why an event did not arrive. */
import * as v from 'valibot';
import type { Caller } from '../../command-line/client.ts';
import { sections, wholeNumber } from '../../command-line/command.ts';
import { printError } from '../../command-line/print.ts';
import { connect, csvOption, environment } from '../api/connection.ts';
import { kindOf } from '../api/document.ts';
import { collect, request } from '../api/request.ts';
import type { Delivery } from '../api/resources.ts';
import { printAll } from '../commands/columns.ts';
import { type KnownWebhooks, knownWebhooks, namesOf } from '../commands/find.ts';
import { adviceFor } from '../output/advice.ts';
import { say } from '../output/print.ts';
import { filtered, listed, words } from './filter.ts';
import { whyHeld } from './why-held.ts';

const maxPage = 100;

const { command, filterOf } = filtered('list', ['status', 'event', 'since', 'until', 'webhook_id', 'event_id']);

export const list = command
  .summary('Lists deliveries, newest first; with --event-id it says why one did not arrive.')
  .description(
    'Lists deliveries of all webhooks, newest first. With --event-id it also says why those did not arrive that ' +
      'failed, and what to do.',
  )
  .addOption(csvOption())
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
          'npm run -s ops -- deliveries list --webhook 019acb5130f4a1b2c3d4e5f6 --status held --limit 10000 ' +
          '--json | jq -r .id',
      },
    }),
  )
  .action(async ({ limit, ...options }) => {
    const caller = await connect(options);
    const filter = await filterOf(caller, options);
    const read = await collect(listed(caller, filter, Math.min(limit + 1, maxPage)), limit + 1);
    const found = read.slice(0, limit);
    const { event_id } = filter;
    const hasNames = !options.json && !options.csv && (found.length > 0 || event_id !== undefined);
    const known: KnownWebhooks = hasNames ? await knownWebhooks(caller) : new Map();
    printAll(options, kindOf('Delivery'), found, { webhook_id: namesOf(known) }, emptyFor(filter));
    if (read.length > limit) printError(`There are more than ${limit}: use --limit <number>.`);
    if (event_id !== undefined && !options.json && !options.csv) {
      for (const line of await withoutDelivery(caller, event_id, known)) say(options, line);
      for (const line of found.flatMap((delivery) => whyNot(delivery, known))) say(options, line);
    } else if (found.some(({ status }) => status === 'failed' || status === 'retrying' || status === 'held'))
      say(options, '\nWhy one did not arrive, and what to do: npm run ops -- deliveries show <delivery>');
  });

const emptyFor = (filter: Readonly<Record<string, unknown>>): string => {
  if ('event_id' in filter)
    return (
      'No delivery of this event: no webhook subscribes to it, a filter leaves it out, or the log no longer has it. ' +
      'Who subscribes: npm run ops -- webhooks list --event <name>'
    );
  return Object.keys(filter).length > 0
    ? 'No deliveries match.'
    : 'No deliveries yet. Publish an event with: npm run ops -- publish --help';
};

/** Returns a line that says why a delivery did not arrive; none for one that did, or that was not tried yet. */
const whyNot = (delivery: Delivery, known: KnownWebhooks): string[] => {
  const { id, webhook_id, status, last_status, last_error, replayed_by } = delivery;
  if (replayed_by !== null) return [`\n${id} was sent again: ${replayed_by}`];
  const hasFailed = status !== 'delivered' && last_error !== null && last_error !== 'expired';
  const reasons = [
    ...(hasFailed ? [adviceFor(last_status, last_error, known.get(webhook_id)?.target_url)] : []),
    ...(status === 'held' ? [whyHeld(delivery)] : []),
  ];
  return reasons.length === 0 ? [] : [`\n${id}: ${reasons.join(' ')}`];
};

const ids = v.array(v.string());

const answer = v.object({
  meta: v.object({
    event: v.optional(
      v.object({
        title: v.nullable(v.string()),
        left_out: v.array(v.object({ webhook_id: v.string(), part: v.string() })),
        changed: ids,
        later: ids,
        removed: v.nullable(v.number()),
      }),
    ),
  }),
});

/** Returns a line for what has happened, and one per reason; empty if no event or several have this id. */
const withoutDelivery = async (caller: Caller, event_id: string, known: KnownWebhooks): Promise<string[]> => {
  const path = `/admin/deliveries/?${new URLSearchParams({ event_id, limit: '1' })}`;
  const { event } = v.parse(answer, await request(caller, 'GET', path)).meta;
  if (event === undefined) return [];
  const withName = namesOf(known);
  const line = (reason: string, webhooks: readonly string[]): string[] =>
    webhooks.length === 0 ? [] : [`${reason}: ${webhooks.map(withName).join(', ')}`];
  return [
    ...(event.title === null ? [] : [`\n${event.title}`]),
    ...event.left_out.map(({ webhook_id, part }) => `Left out by the filter of ${withName(webhook_id)}: ${part}`),
    ...line('Changed since, and without a delivery of it', event.changed),
    ...line('Created later', event.later),
    ...((event.removed ?? 0) > 0 ? [`Deleted since: ${event.removed}, whose deliveries are not listed`] : []),
  ];
};
