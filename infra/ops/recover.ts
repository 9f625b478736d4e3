/** `npm run ops -- recover`: counts what did not reach its receivers, then sends it again, for all webhooks or some. */
import type { Caller } from '../command-line/client.ts';
import { sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { request } from './api/request.ts';
import { only, type Recovery, read } from './api/resources.ts';
import { withFields } from './commands/fields.ts';
import { webhooksByIntegration } from './commands/find.ts';
import { confirm, yesHelp } from './output/confirm.ts';
import { printItem, say } from './output/print.ts';
import { endOf } from './output/sent-again.ts';

const path = '/admin/recoveries/';
/** The most webhooks that a request can name. */
const maxNamed = 100;

const fields = ['since', 'until', 'status', 'event', 'webhook_ids'];
const { command, read: valuesOf } = withFields(apiCommand('recover'), 'recoveries/create', fields);

export const recover = command
  .summary('Sends again what did not reach its receivers.')
  .description(
    'Counts what did not reach its receivers in a time range, asks, and sends it again, each webhook at the pace ' +
      'of its receiver. Waits until all is sent. Ctrl-C stops the waiting, not the recovery.',
  )
  .option('--host <host>', 'Only deliveries to targets on this host, as webhooks list shows it.')
  .option('--dry-run', 'Only count: send nothing.', false)
  .option('--yes', yesHelp(), false)
  .option('--no-wait', 'Return when the recovery has started.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'What a host missed during an outage': 'npm run ops -- recover --since 2h --host hooks.bookshop.example',
        'How much that is': 'npm run ops -- recover --since 2h --host hooks.bookshop.example --dry-run',
        'All that is held': 'npm run ops -- recover --since 30d --status held',
      },
    }),
  )
  .action(async ({ host, dryRun, yes, wait, ...options }) => {
    const caller = await connect(options);
    const { body } = await valuesOf(options, caller);
    const wanted = host === undefined ? body : { ...body, webhook_ids: await webhooksAt(caller, host) };
    const send = async (dry_run: boolean): Promise<Recovery> =>
      only(read.recoveries(await request(caller, 'POST', path, { recoveries: [{ ...wanted, dry_run }] })));
    const counted = await send(true);
    const count = `${counted.matched ?? 0}${counted.searched_to === null ? '' : ' or more'}`;
    const what = count === '1' ? '1 delivery' : `${count} deliveries`;
    if (dryRun || counted.matched === 0) {
      printItem(options, counted, {
        deliveries: () => count,
        since: ({ since }) => since,
        until: ({ until }) => until,
      });
      if (!dryRun) say(options, '\nNothing to send. What is retrying is attempted again by itself.');
      return;
    }
    await confirm(`Send ${what} again?`, yes);
    const started = await send(false);
    const again = async () => only(read.recoveries(await request(caller, 'GET', `${path}${started.id}/`)));
    const ended = wait ? await endOf(started, again) : started;
    printItem(options, ended, {
      id: ({ id }) => id,
      state: ({ state }) => state,
      webhooks: ({ webhooks }) => webhooks,
      done: ({ progress }) => `${progress.percent} %`,
      replayed: ({ progress }) => progress.replayed,
      'left out': ({ skipped_webhook_ids: ids }) => (ids.length === 0 ? null : `${ids.join(', ')}: being replayed`),
    });
    say(options, `\nFollow it with: npm run ops -- recoveries show ${started.id}`);
  });

/** Returns the ids of the webhooks with targets on a host. @throws UsageError for none, or too many */
const webhooksAt = async (caller: Caller, host: string): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { webhooks } of webhooksByIntegration(caller))
    ids.push(...webhooks.filter(({ target_url }) => new URL(target_url).host === host).map(({ id }) => id));
  if (ids.length === 0)
    throw new UsageError(`No webhook has a target on '${host}'. npm run ops -- webhooks list shows them.`);
  if (ids.length > maxNamed)
    throw new UsageError(
      `${ids.length} webhooks have targets on '${host}', more than ${maxNamed}. ` +
        'Leave --host out, or name them with --webhooks.',
    );
  return ids;
};
