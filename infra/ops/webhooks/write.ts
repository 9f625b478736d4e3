/** `npm run ops -- webhooks create` and `update`. */
import { sections } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { textOf } from '../../command-line/file-at.ts';
import { apiCommand, connect, environment } from '../api/connection.ts';
import { findIntegration } from '../api/integrations.ts';
import { request } from '../api/request.ts';
import { only, read, type SettableField, type WritableField } from '../api/resources.ts';
import { printItem, say } from '../output/print.ts';
import { fields } from './columns.ts';
import { findWebhook, idOrName } from './find.ts';
import { optionsIn } from './options.ts';

export const create = apiCommand('create')
  .summary('Creates a webhook.')
  .description('Creates a webhook: each event with this name is posted to the target.')
  .requiredOption('--integration <integration>', 'The integration that it belongs to: its id or its exact name.')
  .requiredOption('--event <name>', 'The event to subscribe to, such as post.published.')
  .requiredOption('--target <url>', 'Where events are posted to.')
  .option('--name <name>', 'A name for people.')
  .option('--api-version <version>', 'The version of the payload, such as v5 (default: the current one).')
  .option(
    '--secret-file <file>',
    'File with the secret that signs the deliveries; - reads standard input. An argument would be visible to other users. Default: a new one, which is printed once.',
  )
  .option('--unsigned', 'Without a secret: the receiver cannot tell who sent a delivery.', false)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'With a new secret':
          'npm run ops -- webhooks create --integration Bookshop --event post.published --target https://hooks.bookshop.example/masthead',
        'With a secret of your own':
          'openssl rand -hex 32 | tee secret.txt | npm run ops -- webhooks create --integration Bookshop --event post.published --target https://hooks.bookshop.example/masthead --secret-file -',
      },
    }),
  )
  .action(async ({ integration, event, target, name, apiVersion, secretFile, unsigned, ...options }) => {
    if (unsigned && secretFile !== undefined) throw new UsageError('Use either --secret-file or --unsigned.');
    const secret = secretFile === undefined ? undefined : textOf(secretFile, '--secret-file').trim();
    const caller = await connect(options);
    const { id } = await findIntegration(caller, integration);
    const item: Record<SettableField, unknown> = { event, target_url: target, name, api_version: apiVersion, secret };
    const webhooks = [{ ...item, integration_id: id }];
    const answer = await request(caller, 'POST', `/admin/webhooks/${unsigned ? '' : '?secret=generate'}`, { webhooks });
    const created = only(read.webhooks(answer));
    printItem(options, created, fields);
    if (secret === undefined && created.secret !== null)
      say(options, `\nThe secret that signs its deliveries, which is not returned again:\n\n  ${created.secret}`);
  });

export const update = apiCommand('update')
  .description('Changes the fields of a webhook that are given.')
  .argument('<webhook>', idOrName)
  .option('--event <name>', 'The event to subscribe to.')
  .option('--target <url>', 'Where events are posted to.')
  .option('--name <name>', 'A name for people; an empty one removes it.')
  .option('--api-version <version>', 'The version of the payload.')
  .option(
    '--options-file <file>',
    'File with options as JSON; - reads standard input. If --target changes, the file must contain the values of headers and the secrets again.',
  )
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'Another address':
          'npm run ops -- webhooks update 019acb5130f4a1b2c3d4e5f6 --target https://hooks.bookshop.example/v2',
        'Another target, with its header':
          'echo \'{"headers":{"Authorization":"Bearer 5e8c1f"}}\' | npm run ops -- webhooks update 019acb5130f4a1b2c3d4e5f6 --target https://new.bookshop.example/masthead --options-file -',
      },
    }),
  )
  .action(async (given, { event, target, name, apiVersion, optionsFile, ...options }) => {
    const sent = optionsFile === undefined ? undefined : optionsIn(optionsFile, '--options-file');
    const fieldsSent: Record<WritableField, unknown> = { event, target_url: target, name, api_version: apiVersion };
    const changes = { ...fieldsSent, options: sent };
    if (Object.values(changes).every((value) => value === undefined))
      throw new UsageError(
        'Nothing to change: give at least one of --event, --target, --name, --api-version, --options-file.',
      );
    const caller = await connect(options);
    const id = await findWebhook(caller, given);
    const answer = await request(caller, 'PUT', `/admin/webhooks/${id}/`, { webhooks: [changes] });
    printItem(options, only(read.webhooks(answer)), fields);
  });
