/** `npm run ops -- deliveries show`. */
import { sections } from '../../command-line/command.ts';
import { print } from '../../command-line/print.ts';
import { apiCommand, connect, environment } from '../api/connection.ts';
import { request } from '../api/request.ts';
import { type DeliveryWithLog, only, read, waitReasons } from '../api/resources.ts';
import { findWebhook, type KnownWebhooks, knownWebhooks, namesOf } from '../commands/find.ts';
import { adviceFor } from '../output/advice.ts';
import { type Columns, printItem, tableOf } from '../output/print.ts';
import { timeText } from '../output/times.ts';
import { findDelivery, pathOf } from './find.ts';
import { whyHeld } from './why-held.ts';

export const show = apiCommand('show')
  .summary('Shows a delivery with its attempts and what was sent.')
  .description('Shows a delivery: why it waits, each attempt with its phases, and the request that was sent.')
  .argument('<delivery>', 'The id of the delivery.')
  .option('--webhook <webhook>', 'The id or the name of its webhook, to find it faster.')
  .option('--body', 'Print only the body that was sent.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'Its attempts': 'npm run ops -- deliveries show 019acb63f5e8a1b2c3d4e5f6',
        'The payload, formatted': 'npm run -s ops -- deliveries show 019acb63f5e8a1b2c3d4e5f6 --body | jq',
      },
    }),
  )
  .action(async (id, options) => {
    const caller = await connect(options);
    const webhook = options.webhook === undefined ? undefined : await findWebhook(caller, options.webhook);
    const found = await findDelivery(caller, id, webhook);
    const delivery = only(read.deliveriesWithLog(await request(caller, 'GET', pathOf(found))));
    if (options.body) return printBody(delivery);
    const known: KnownWebhooks = options.json ? new Map() : await knownWebhooks(caller);
    printItem(options, delivery, fieldsWith(known));
    if (!options.json) printLog(delivery, known.get(delivery.webhook_id)?.target_url);
  });

const printBody = ({ request: sent }: DeliveryWithLog): void => {
  if (sent === null) throw new Error('Nothing was sent yet, or the event is no longer stored.');
  print(sent.body);
};

const fieldsWith = (known: KnownWebhooks): Columns<DeliveryWithLog> => ({
  id: ({ id }) => id,
  webhook: ({ webhook_id }) => namesOf(known)(webhook_id),
  target: ({ webhook_id }) => known.get(webhook_id)?.target_url ?? null,
  event: ({ event, event_id }) => `${event} (${event_id})`,
  status: ({ status }) => status,
  trigger: ({ trigger }) => trigger,
  created: ({ created_at }) => timeText(created_at),
  'last attempt': ({ last_attempt_at }) => timeText(last_attempt_at),
  'next attempt': ({ next_attempt_at }) => timeText(next_attempt_at),
  'waits for': waitText,
  'sent again by': ({ replayed_by }) => replayed_by,
  'superseded by': ({ superseded_by }) => superseded_by,
});

const waitText = ({ status, replayed_by, waiting_for: waits }: DeliveryWithLog): string | null => {
  // What it waited for before it was held may be over.
  if (status === 'held') return replayed_by === null ? 'a replay' : null;
  if (waits === null) return null;
  // A newer stage may have further reasons.
  const meaning: string | undefined = waitReasons[waits.reason];
  const reason = meaning === undefined ? waits.reason : `${waits.reason} (${meaning})`;
  return waits.until === null ? reason : `${reason} until ${timeText(waits.until)}`;
};

const printLog = (delivery: DeliveryWithLog, target: string | undefined): void => {
  const { log, request: sent } = delivery;
  const ms = (value: number | null | undefined) => (value === null || value === undefined ? '–' : `${value} ms`);
  const attempts = tableOf(log, {
    attempt: ({ number }) => number,
    started: ({ started_at }) => timeText(started_at),
    dns: ({ timings }) => ms(timings.dns_ms),
    connect: ({ timings }) => ms(timings.connect_ms),
    tls: ({ timings }) => ms(timings.tls_ms),
    'first byte': ({ timings }) => ms(timings.first_byte_ms),
    total: ({ duration_ms }) => ms(duration_ms),
    result: ({ status, error }) => status ?? error,
    answer: ({ response }) => response?.slice(0, 60) ?? null,
  });
  print(`\n${log.length === 0 ? 'No attempt yet.' : attempts}`);
  const last = log.at(-1);
  if (delivery.status === 'held' && delivery.replayed_by === null) print(`\nIt is held. ${whyHeld(delivery)}`);
  else if (last?.error != null) print(`\nWhat to do: ${adviceFor(last.status, last.error, target)}`);
  if (sent === null) return;
  const headers = Object.entries(sent.headers).map(([name, value]) => `  ${name}: ${value}`);
  print(`\nThe last request, of ${Buffer.byteLength(sent.body)} bytes (--body prints them):\n${headers.join('\n')}`);
};
