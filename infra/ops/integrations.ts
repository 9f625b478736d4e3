/** `npm run ops -- integrations …`: the systems that have a key and webhooks. */
import { Option } from '@commander-js/extra-typings';
import { command, sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { findIntegration, integrationPages } from './api/integrations.ts';
import { collect, request } from './api/request.ts';
import { type Integration, only, read } from './api/resources.ts';
import { confirm, yesHelp } from './output/confirm.ts';
import { type Columns, printItem, printList, say, tableOf } from './output/print.ts';
import { timeText } from './output/times.ts';

const idOrName = 'The id or the exact name of the integration.';

const columns: Columns<Integration> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  publishes: ({ can_publish }) => (can_publish ? 'yes' : 'no'),
  'staff events': ({ can_receive_staff_events }) => (can_receive_staff_events ? 'yes' : 'no'),
  contact: ({ contact_email }) => contact_email,
  created: ({ created_at }) => timeText(created_at),
};
const fields: Columns<Integration> = { ...columns, description: ({ description }) => description };

const list = apiCommand('list')
  .description('Lists the integrations.')
  .addHelpText(
    'after',
    sections({ environment, examples: { 'All of a stage': 'npm run ops -- integrations list --stage prod' } }),
  )
  .action(async (options) => {
    const found = await collect(integrationPages(await connect(options)));
    printList(
      options,
      found,
      columns,
      'No integrations yet. Create one with: npm run ops -- integrations create <name>',
    );
  });

const show = apiCommand('show')
  .description('Shows an integration with its keys and webhooks.')
  .argument('<integration>', idOrName)
  .addHelpText(
    'after',
    sections({ environment, examples: { 'By its name': 'npm run ops -- integrations show Bookshop' } }),
  )
  .action(async (name, options) => {
    const found = await findIntegration(await connect(options), name);
    printItem(options, found, fields);
    const { api_keys = [], webhooks: all = [] } = found;
    const keys = tableOf(api_keys, { key: ({ id }) => id, created: ({ created_at }) => timeText(created_at) });
    const webhooks = tableOf(all, {
      webhook: ({ id }) => id,
      event: ({ event }) => event,
      target: ({ target_url }) => target_url,
      status: ({ status }) => status,
    });
    say(options, `\n${keys}\n\n${all.length === 0 ? 'No webhooks yet.' : webhooks}`);
  });

const create = apiCommand('create')
  .summary('Creates an integration and prints its key once.')
  .description('Creates an integration. Its key is printed once and not returned again.')
  .argument('<name>', 'The name of the integration.')
  .option('--can-publish', 'Let its key publish events.', false)
  .option('--can-receive-staff-events', 'Let its webhooks receive events about staff, with names and addresses.', false)
  .option('--description <text>', 'What it is for.')
  .option('--contact <address>', 'Address that is notified of failing webhooks.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'A receiver of webhooks': 'npm run ops -- integrations create Bookshop --contact ops@bookshop.example',
        'A publisher, with only the key as output':
          "npm run -s ops -- integrations create CMS --can-publish --json | jq -r '.api_keys[0].secret'",
      },
    }),
  )
  .action(async (name, { canPublish, canReceiveStaffEvents, description, contact, ...options }) => {
    const item = {
      name,
      can_publish: canPublish,
      can_receive_staff_events: canReceiveStaffEvents,
      description,
      contact_email: contact,
    };
    const body = { integrations: [item] };
    const created = only(
      read.integrations(await request(await connect(options), 'POST', '/admin/integrations/', body)),
    );
    printItem(options, created, fields);
    say(options, `\nThe key, which is not returned again:\n\n  ${created.api_keys?.[0]?.secret}`);
  });

const update = apiCommand('update')
  .description('Changes the fields of an integration that are given.')
  .argument('<integration>', idOrName)
  .option('--name <name>', 'Its new name.')
  .addOption(new Option('--can-publish <yes|no>', 'Whether its key may publish events.').choices(['yes', 'no']))
  .addOption(
    new Option('--can-receive-staff-events <yes|no>', 'Whether its webhooks may receive events about staff.').choices([
      'yes',
      'no',
    ]),
  )
  .option('--description <text>', 'What it is for.')
  .option('--contact <address>', 'Address that is notified of failing webhooks; an empty one removes it.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: { 'Let it publish events': 'npm run ops -- integrations update Bookshop --can-publish yes' },
    }),
  )
  .action(async (idOrName, { name, canPublish, canReceiveStaffEvents, description, contact, ...options }) => {
    const isYes = (choice: string | undefined) => (choice === undefined ? undefined : choice === 'yes');
    const changes = {
      name,
      can_publish: isYes(canPublish),
      can_receive_staff_events: isYes(canReceiveStaffEvents),
      description,
      contact_email: contact,
    };
    if (Object.values(changes).every((value) => value === undefined))
      throw new UsageError(
        'Nothing to change: give at least one of --name, --can-publish, --can-receive-staff-events, --description, --contact.',
      );
    const caller = await connect(options);
    const { id } = await findIntegration(caller, idOrName);
    const answer = await request(caller, 'PUT', `/admin/integrations/${id}/`, { integrations: [changes] });
    printItem(options, only(read.integrations(answer)), fields);
  });

const remove = apiCommand('delete')
  .summary('Deletes an integration with its keys and webhooks.')
  .description('Deletes an integration with its keys and webhooks. Its open invites are revoked.')
  .argument('<integration>', idOrName)
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({ environment, examples: { 'In a script': 'npm run ops -- integrations delete Bookshop --yes' } }),
  )
  .action(async (idOrName, { yes, ...options }) => {
    const caller = await connect(options);
    const { id, name, webhooks = [], api_keys = [] } = await findIntegration(caller, idOrName);
    const goes = `${count(api_keys.length, 'key')} and ${count(webhooks.length, 'webhook')}`;
    await confirm(`Delete the integration ${name} (${id}) with ${goes}?`, yes);
    await request(caller, 'DELETE', `/admin/integrations/${id}/`);
    say(options, `Deleted ${name} with ${goes}.`);
  });

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const inboundSecret = apiCommand('inbound-secret')
  .summary('Creates or replaces the secret of a Ghost site.')
  .description(
    'Creates or replaces the secret with which a Ghost site signs the events that it sends, and prints it once (docs/ghost.md).',
  )
  .argument('<integration>', idOrName)
  .addHelpText(
    'after',
    sections({ environment, examples: { 'For a site': 'npm run ops -- integrations inbound-secret Ghost' } }),
  )
  .action(async (idOrName, options) => {
    const caller = await connect(options);
    const { id } = await findIntegration(caller, idOrName);
    const secret = only(read.secrets(await request(caller, 'POST', `/admin/integrations/${id}/inbound_secret/`)));
    printItem(options, secret, { 'secret, not returned again': (made) => made.secret });
  });

export const integrations = command('integrations')
  .description('Lists, creates, changes and deletes integrations.')
  .addHelpText('after', sections({ examples: { 'Create one': 'npm run ops -- integrations create Bookshop' } }))
  .addCommand(list)
  .addCommand(show)
  .addCommand(create)
  .addCommand(update)
  .addCommand(remove)
  .addCommand(inboundSecret);
