/** `npm run ops -- deliveries tail`. */
import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../../command-line/client.ts';
import { numberFrom, sections } from '../../command-line/command.ts';
import { exitCodeOf, exitCodes } from '../../command-line/exit-codes.ts';
import { print, printError, visible } from '../../command-line/print.ts';
import { connect, environment } from '../api/connection.ts';
import { collect } from '../api/request.ts';
import type { Delivery } from '../api/resources.ts';
import { resultOf } from '../commands/columns.ts';
import { type Filter, filtered, listed, words } from './filter.ts';

const maxPage = 100;
const watchedMs = 5 * 60 * 1000;

const { command, filterOf } = filtered('tail', ['status', 'event', 'since', 'webhook_id', 'event_id']);

export const tail = command
  .summary('Follows new deliveries until Ctrl-C.')
  .description(
    'Follows deliveries until Ctrl-C, which ends it with the exit code 0. A delivery is printed when it appears, ' +
      'and again when its status or its number of attempts changes within five minutes. ' +
      'A stage that is busy or out of reach is asked again.',
  )
  .option('--every <seconds>', 'How often to ask.', numberFrom('--every', 0.1), 2)
  .addHelpText(
    'after',
    sections({
      words,
      environment,
      examples: {
        'All deliveries, from now on': 'npm run ops -- deliveries tail',
        'Also those of the last ten minutes': 'npm run ops -- deliveries tail --since 10m',
        'Failures as lines of JSON': 'npm run -s ops -- deliveries tail --status failed --json',
      },
    }),
  )
  .action(async ({ every, json, ...options }) => {
    const caller = await connect(options);
    const filter = await filterOf(caller, options);
    if (!json) printError(`Following deliveries from ${filter.since ?? 'now'} on. Press Ctrl-C to stop.`);
    const stopped = new AbortController();
    const stop = () => stopped.abort();
    const signals = ['SIGINT', 'SIGTERM'] as const;
    for (const signal of signals) process.once(signal, stop);
    try {
      await follow(caller, filter, every * 1000, stopped.signal, (delivery) =>
        print(json ? JSON.stringify(delivery) : lineOf(delivery)),
      );
    } finally {
      for (const signal of signals) process.removeListener(signal, stop);
    }
  });

/** Reports each delivery when it appears and when it changes, oldest first, until stopped. @throws RequestError */
const follow = async (
  caller: Caller,
  filter: Filter,
  everyMs: number,
  stopped: AbortSignal,
  onChange: (delivery: Delivery) => void,
): Promise<void> => {
  const start = Date.parse(filter.since ?? new Date().toISOString());
  const seen = new Map<string, { readonly state: string; readonly created: number }>();
  while (!stopped.aborted) {
    const from = Math.max(start, Date.now() - watchedMs);
    // The first read goes back to the start; later ones only as far as deliveries are watched.
    const since = new Date(seen.size === 0 ? start : from).toISOString();
    const found = await collect(listed(caller, { ...filter, since }, maxPage)).catch(leaveForNextTime);
    if (stopped.aborted) return;
    const changed = found.filter((delivery) => seen.get(delivery.id)?.state !== stateOf(delivery));
    for (const delivery of changed.reverse()) {
      seen.set(delivery.id, { state: stateOf(delivery), created: Date.parse(delivery.created_at) });
      onChange(delivery);
    }
    for (const [id, { created }] of seen) if (created < from) seen.delete(id);
    await setTimeout(everyMs, undefined, { signal: stopped }).catch(() => undefined);
  }
};

/** Repeats the request while the stage is busy or unreachable. @throws every other error */
const leaveForNextTime = (error: unknown): Delivery[] => {
  if (exitCodeOf(error) !== exitCodes.unavailable || !(error instanceof Error)) throw error;
  printError(error.message);
  return [];
};

/** Fixed widths, because the lines are printed one by one. */
const widths = [24, 20, 24, 24, 9, 6];

const lineOf = (delivery: Delivery): string => {
  const { id, created_at, event, webhook_id, status, attempts } = delivery;
  const time = `${created_at.slice(0, 19).replace('T', ' ')}Z`;
  const cells = [id, time, event, webhook_id, status, `${attempts} att.`, resultOf(delivery)];
  return cells
    .map((cell, place) => visible(cell).padEnd(widths[place] ?? 0))
    .join('  ')
    .trimEnd();
};

const stateOf = ({ status, attempts }: Delivery): string => `${status} ${attempts}`;
