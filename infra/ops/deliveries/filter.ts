/** The filters that lists of deliveries share. */
import { Option } from '@commander-js/extra-typings';
import type { Caller } from '../../command-line/client.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { visible } from '../../command-line/print.ts';
import { apiCommand } from '../api/connection.ts';
import { pages } from '../api/request.ts';
import { type Delivery, read, waitReasons } from '../api/resources.ts';
import type { Columns } from '../output/print.ts';
import { timeOption, timeText } from '../output/times.ts';
import { findWebhook, type WithName } from '../webhooks/find.ts';

/** For the help of commands that print `outcome`. */
export const words = { 'What a delivery waits for': waitReasons };

/** The statuses; a test compares them with the API's. */
export const statuses = ['pending', 'retrying', 'delivered', 'failed', 'cancelled', 'blocked', 'held'];

/** Event names contain a dot and event ids do not, so an id in place of a name is noticed. @throws UsageError */
const eventName = (text: string): string => {
  if (text.includes('.')) return text;
  throw new UsageError(
    `--event is '${text}'; it must be an event name such as post.published. For the id of an event use --event-id ${text}.`,
  );
};

/** @throws UsageError */
const eventId = (text: string): string => {
  if (!text.includes('.')) return text;
  throw new UsageError(
    `--event-id is '${text}', which is the name of an event. Use --event ${text}, or the id of an event.`,
  );
};

/** Returns a command with the filters by webhook and event. */
export const ofEvents = (name: string) =>
  apiCommand(name)
    .option(
      '--webhook <webhook>',
      'Only those of the webhook with this id or name (default: all that the key can see).',
    )
    .option('--event <name>', 'Only those of this event name, such as post.published.', eventName)
    .option(
      '--event-id <id>',
      'Only those of the event with this id, which publish and deliveries show print.',
      eventId,
    );

/** Returns a command with the filters of `Filter`. */
export const filtered = (name: string) =>
  ofEvents(name)
    .addOption(new Option('--status <status>', 'Only those with this status.').choices(statuses))
    .option(
      '--since <time>',
      'Created at or after it: a time, a day, today, or how long ago, such as 2h.',
      timeOption('--since'),
    );

export interface Filter {
  readonly webhook?: string | undefined;
  readonly event?: string | undefined;
  readonly eventId?: string | undefined;
  readonly status?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Returns the filter with the id of its webhook. @throws UsageError for an unknown or ambiguous name, RequestError */
export const withWebhookId = async (caller: Caller, filter: Filter): Promise<Filter> =>
  filter.webhook === undefined ? filter : { ...filter, webhook: await findWebhook(caller, filter.webhook) };

/** Yields deliveries, newest first, page by page. */
export const listed = (caller: Caller, { webhook, event, eventId, status, since, until }: Filter, limit?: number) =>
  pages(
    caller,
    '/admin/deliveries/',
    { webhook_id: webhook, event, event_id: eventId, status, since, until, limit },
    read.deliveries,
  );

const outcome = ({ last_status, last_error, waiting_for }: Delivery): string =>
  [last_status, last_error === 'status' ? null : last_error, waiting_for && `waits: ${waiting_for.reason}`]
    .filter((part) => part !== null)
    .join(' ');

/** @param withName returns the id of a webhook with its name */
export const columnsWith = (withName: WithName): Columns<Delivery> => ({
  id: ({ id }) => id,
  created: ({ created_at }) => timeText(created_at),
  event: ({ event }) => event,
  webhook: ({ webhook_id }) => withName(webhook_id),
  status: ({ status }) => status,
  attempts: ({ attempts }) => attempts,
  result: outcome,
});

/** Fixed widths, because the lines of a tail are printed one by one. */
const widths = [24, 20, 24, 24, 9, 6];

/** Returns a delivery as a line of a tail. */
export const lineOf = (delivery: Delivery): string => {
  const { id, created_at, event, webhook_id, status, attempts } = delivery;
  const time = `${created_at.slice(0, 19).replace('T', ' ')}Z`;
  const cells = [id, time, event, webhook_id, status, `${attempts} att.`, outcome(delivery)];
  return cells
    .map((cell, place) => visible(cell).padEnd(widths[place] ?? 0))
    .join('  ')
    .trimEnd();
};
