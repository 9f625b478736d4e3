/** `npm run ops -- webhooks list`. */
import { sections } from '../../command-line/command.ts';
import { apiCommand, connect, environment } from '../api/connection.ts';
import { findIntegration, webhooksByIntegration } from '../api/integrations.ts';
import type { Webhook } from '../api/resources.ts';
import { printList } from '../output/print.ts';
import { columns } from './columns.ts';

export const list = apiCommand('list')
  .description('Lists the webhooks of all integrations, or of one.')
  .option('--integration <integration>', 'Only those of this integration: its id or its exact name.')
  .option('--event <name>', 'Only those that subscribe to this event.')
  .option('--status <status>', 'Only those with this status, such as available or disabled.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'Of one integration': 'npm run ops -- webhooks list --integration Bookshop',
        'The ids of those that are disabled': 'npm run -s ops -- webhooks list --status disabled --json | jq -r .id',
      },
    }),
  )
  .action(async ({ integration, event, status, ...options }) => {
    const caller = await connect(options);
    const all: Webhook[] = [];
    if (integration !== undefined) all.push(...((await findIntegration(caller, integration)).webhooks ?? []));
    else for await (const { webhooks } of webhooksByIntegration(caller)) all.push(...webhooks);
    const found = all.filter((one) => (event ?? one.event) === one.event && (status ?? one.status) === one.status);
    const empty =
      all.length === 0
        ? 'No webhooks yet. Create one with: npm run ops -- webhooks create --help'
        : 'No webhooks match.';
    printList(options, found, columns, empty);
  });
