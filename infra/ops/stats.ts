/** `npm run ops -- stats`: what was accepted, delivered and not delivered, and what needs attention. */
import { sections } from '../command-line/command.ts';
import { print } from '../command-line/print.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { request } from './api/request.ts';
import { only, read, type Stats } from './api/resources.ts';
import { withFields } from './commands/fields.ts';
import { type Columns, printItem, tableOf } from './output/print.ts';
import { timeText } from './output/times.ts';
import { needsAttention } from './stats/attention.ts';

const ms = (value: number | null): string => (value === null ? '–' : `${value} ms`);

type Counted = Pick<Stats, 'accepted' | 'delivered' | 'retrying' | 'failed' | 'held' | 'latency'>;
const counts: Columns<Counted> = {
  accepted: ({ accepted }) => accepted,
  delivered: ({ delivered }) => delivered,
  'failed attempts': ({ retrying }) => retrying,
  failed: ({ failed }) => failed,
  held: ({ held }) => held,
  p50: ({ latency }) => ms(latency.p50_ms),
  p95: ({ latency }) => ms(latency.p95_ms),
};

const { command, read: valuesOf } = withFields(apiCommand('stats'), 'stats/read', ['period']);

export const stats = command
  .summary('Shows what was delivered over time, and what needs attention.')
  .description(
    'Shows the events that were accepted and the deliveries over time, the time from acceptance to delivery (p50, ' +
      'p95), and what needs attention, each with the command that helps. Failed attempts are those that are ' +
      'followed by another one; failed deliveries have none left. ' +
      'Events include those that Masthead publishes itself. The counts are approximate.',
  )
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'The last hour': 'npm run ops -- stats --period hour',
        'How many failed in the last day': 'npm run -s ops -- stats --json | jq .failed',
      },
    }),
  )
  .action(async (options) => {
    const caller = await connect(options);
    const { query } = await valuesOf(options, caller);
    const search = new URLSearchParams({ ...query, ...(!options.json && { include: 'dead_letters' }) });
    const found = only(read.stats(await request(caller, 'GET', `/admin/stats/?${search}`)));
    printItem(options, found, { since: ({ since }) => timeText(since), ...counts });
    if (options.json) return;
    const busy = found.buckets.filter(
      (bucket) => bucket.accepted + bucket.delivered + bucket.retrying + bucket.failed + bucket.held > 0,
    );
    print(
      `\n${busy.length === 0 ? 'Nothing happened in this time.' : tableOf(busy, { from: ({ start }) => timeText(start), ...counts })}`,
    );
    const needed = await needsAttention(caller, found);
    print(
      `\n${needed.length === 0 ? 'Nothing needs attention.' : `Needs attention:\n${needed.map((line) => `  ${line}`).join('\n')}`}`,
    );
  });
