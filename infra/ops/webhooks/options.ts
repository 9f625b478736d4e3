/** `npm run ops -- webhooks options`: shows and changes a webhook's options: the form of its requests, and which events it gets. */
import { sections } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { textOf } from '../../command-line/file-at.ts';
import { apiCommand, connect, environment } from '../api/connection.ts';
import { request } from '../api/request.ts';
import { only, read } from '../api/resources.ts';
import { type Columns, printItem, printList, say } from '../output/print.ts';
import { findWebhook, idOrName } from './find.ts';

type Options = ReturnType<(typeof read)['options']>[number];

const fields: Columns<Options> = {
  description: ({ description }) => description,
  format: ({ format }) => JSON.stringify(format),
  headers: ({ headers }) => Object.keys(headers).join(', '),
  filter: ({ filter }) => filter && JSON.stringify(filter),
  'left out by the filter': ({ left_out }) => left_out,
};

type Tried = ReturnType<(typeof read)['trials']>[number]['events'][number];

const tried: Columns<Tried> = {
  result: ({ matched }) => (matched ? 'passes' : 'left out'),
  event: ({ title }) => title,
  'accepted at': ({ created_at }) => created_at,
  id: ({ event_id }) => event_id,
};

export const options = apiCommand('options')
  .summary('Shows or changes headers, format and filter of a webhook.')
  .description(
    'Shows the options of a webhook: headers, format and filter. With a file, changes those that it has; null removes one.',
  )
  .argument('<webhook>', idOrName)
  .option(
    '--file <file>',
    'File with options as JSON; - reads standard input. An argument would show its secrets to other users.',
  )
  .option('--try', 'Changes nothing: shows which of the newest 20 events the filter in the file lets through.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'Show them': 'npm run ops -- webhooks options 019acb5130f4a1b2c3d4e5f6',
        'Send messages to Slack':
          'echo \'{"format":{"type":"slack"}}\' | npm run ops -- webhooks options 019acb5130f4a1b2c3d4e5f6 --file -',
        'Try a filter':
          'echo \'{"filter":{"post":{"current":{"visibility":["public"]}}}}\' | npm run ops -- webhooks options 019acb5130f4a1b2c3d4e5f6 --file - --try',
      },
    }),
  )
  .action(async (given, { file, try: isTrial, ...shared }) => {
    const changes = file === undefined ? undefined : optionsIn(file, '--file');
    if (isTrial && changes?.filter === undefined) throw new UsageError('--try needs a --file with a `filter`.');
    const caller = await connect(shared);
    const id = await findWebhook(caller, given);
    if (isTrial) {
      const answer = await request(caller, 'POST', `/admin/webhooks/${id}/trial/`, {
        trials: [{ filter: changes?.filter }],
      });
      const { matched, events } = only(read.trials(answer));
      if (events.length > 0) say(shared, `${matched} of ${events.length} events pass.`);
      return printList(shared, events, tried, 'The webhook has had no events yet.');
    }
    const path = `/admin/webhooks/${id}/options/`;
    const answer =
      changes === undefined
        ? await request(caller, 'GET', path)
        : await request(caller, 'PUT', path, { options: [changes] });
    printItem(shared, only(read.options(answer)), fields);
  });

/** Reads a file with options. @throws UsageError that names the flag */
export const optionsIn = (file: string, flag: string): { readonly filter?: unknown } => {
  try {
    const value: unknown = JSON.parse(textOf(file, flag));
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError(`${flag} has to be a JSON object, such as {"format":{"type":"slack"}}.`);
};
