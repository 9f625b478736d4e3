/** `npm run ops -- publish`: publishes events from a file or standard input. */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { sections, wholeNumber } from '../command-line/command.ts';
import { exitCodeOf, exitCodes, UsageError } from '../command-line/exit-codes.ts';
import { fileAt, unreadable } from '../command-line/file-at.ts';
import { print, printError } from '../command-line/print.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { startProgress } from './output/progress.ts';
import { batchesOf } from './publish/batches.ts';
import { eventsIn } from './publish/read.ts';
import { type Outcome, sendAll } from './publish/send.ts';

export const publish = apiCommand('publish')
  .summary('Publishes events from a file or standard input.')
  .description(
    'Publishes events: lines of JSON ({"id"?, "event", "payload"}), or a JSON document with one event, an array, ' +
      'or {"events": […]}. A file is read completely before the first event is sent, and nothing is sent if a line ' +
      'is not an event.\n\n' +
      'Events without an id get <run>-<position>. An id is delivered once in 30 days, so the same run can be ' +
      'repeated: after a failure, run it again with the --run that is printed. ' +
      'A busy stage (429, 503) is waited for.',
  )
  .argument('[file]', 'The file; - is standard input.', '-')
  .option('--run <name>', 'Name of the run, part of the ids of events without one (default: a random one).', runName)
  .option('--keep-going', 'Skip events that the API refuses. Without it the first one ends the run.', false)
  .option('--concurrency <number>', 'Requests at a time, each with up to ten events.', wholeNumber('--concurrency'), 4)
  .option('--dry-run', 'Only read the events.', false)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'A file with an event in each line': 'npm run ops -- publish events.ndjson',
        'One event': `echo '{"event":"site.changed","payload":{}}' | npm run ops -- publish`,
        'Continue after a failure': 'npm run ops -- publish events.ndjson --run run-3f9c2a10',
      },
    }),
  )
  .action(
    async (
      file,
      { run: name = `run-${randomBytes(4).toString('hex')}`, keepGoing, concurrency, dryRun, ...options },
    ) => {
      const total = file === '-' ? undefined : await countIn(file);
      if (file === '-' && process.stdin.isTTY)
        throw new UsageError('Name a file, or pipe the events to standard input.');
      if (dryRun) {
        print(`${total ?? (await countOf(process.stdin))} events can be read. Nothing was sent.`);
        return;
      }
      const caller = await connect(options);
      const progress = startProgress('events', total);
      const stopped = new AbortController();
      const stop = () => stopped.abort();
      process.once('SIGINT', stop);
      // If the process ends early, for example because of a closed pipe, not everything was published.
      process.exitCode = exitCodes.failed;
      const began = performance.now();
      let first: string | undefined;
      const source = file === '-' ? process.stdin : createReadStream(fileAt(file));
      const outcome = await sendAll(batchesOf(eventsIn(source), name), {
        caller,
        concurrency,
        keepGoing,
        stopped: stopped.signal,
        onAccepted: (events, accepted) => {
          progress.update(accepted);
          first ??= events[0]?.id;
          if (options.json) for (const event of events) print(JSON.stringify(event));
        },
        onRefused: printError,
      }).finally(() => {
        progress.stop();
        process.removeListener('SIGINT', stop);
      });
      const seconds = (performance.now() - began) / 1000;
      const summary = summaryOf(outcome, seconds);
      if (options.json) printError(summary);
      else if (outcome.failure === undefined || outcome.accepted + outcome.refused > 0) print(summary);
      if (first !== undefined && !options.json)
        print(`Who received the first of them: npm run ops -- deliveries list --event-id ${first}`);
      process.exitCode = endOf(outcome, stopped.signal.aborted, name);
    },
  );

function runName(text: string): string {
  if (/^[\w-]{1,40}$/.test(text)) return text;
  throw new UsageError(`--run is '${text}'; it must be 1 to 40 letters, digits, dashes or underscores.`);
}

/** Reads a whole file first, so that nothing from a faulty file is sent. @throws UsageError */
const countIn = async (file: string): Promise<number> => {
  try {
    return await countOf(createReadStream(fileAt(file)));
  } catch (error) {
    throw unreadable(error, `The file ${file}`);
  }
};

const countOf = async (source: Readable): Promise<number> => {
  let count = 0;
  for await (const _ of eventsIn(source)) count += 1;
  return count;
};

const summaryOf = ({ accepted, refused }: Outcome, seconds: number): string =>
  `${accepted} event${accepted === 1 ? '' : 's'} accepted, ${refused} refused, in ${seconds.toFixed(1)} s ` +
  `(${Math.round(accepted / Math.max(seconds, 0.001))} a second).`;

const endOf = ({ accepted, refused, failure }: Outcome, isStopped: boolean, name: string): number => {
  if (failure === undefined && !isStopped) return refused === 0 ? exitCodes.done : exitCodes.failed;
  if (failure !== undefined) printError(failure.message);
  if (accepted > 0) printError(`Not everything was sent. Continue with --run ${name}: no event is delivered twice.`);
  if (failure === undefined) return exitCodes.interrupted;
  const code = exitCodeOf(failure);
  return code === exitCodes.usage && accepted > 0 ? exitCodes.failed : code;
};
