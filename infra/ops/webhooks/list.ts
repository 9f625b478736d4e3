/** `npm run ops -- webhooks list`: by hand, because the API shows webhooks inside their integrations only. */
import { Option } from '@commander-js/extra-typings';
import { covers } from '../../../shared/foundation/event-selection.ts';
import { sections } from '../../command-line/command.ts';
import { apiCommand, connect, csvOption, environment } from '../api/connection.ts';
import { kindOf } from '../api/document.ts';
import type { Webhook } from '../api/resources.ts';
import { isIn, printAll, states } from '../commands/columns.ts';
import { findIntegration, webhooksByIntegration } from '../commands/find.ts';

export const list = apiCommand('list')
  .description('Lists the webhooks of all integrations, or of one.')
  .addOption(csvOption())
  .option('--integration <integration>', 'Only those of this integration: its id or its exact name.')
  .option('--host <host>', 'Only those with a target on this host.')
  .option('--event <name>', 'Only those that subscribe to this event.')
  .addOption(new Option('--state <state>', 'Only those in this state.').choices(Object.keys(states)))
  .addHelpText(
    'after',
    sections({
      words: { States: states },
      environment,
      examples: {
        'Of one integration': 'npm run ops -- webhooks list --integration Bookshop',
        'The ids of those that are disabled': 'npm run -s ops -- webhooks list --state disabled --json | jq -r .id',
      },
    }),
  )
  .action(async ({ integration, event, host, state, ...options }) => {
    const caller = await connect(options);
    const all: Webhook[] = [];
    if (integration !== undefined) all.push(...((await findIntegration(caller, integration)).webhooks ?? []));
    else for await (const { webhooks } of webhooksByIntegration(caller)) all.push(...webhooks);
    const found = all.filter(
      (one) =>
        (event === undefined || covers(one.event, event)) &&
        (host === undefined || new URL(one.target_url).host === host) &&
        (state === undefined || isIn(one, state)),
    );
    const empty =
      all.length === 0
        ? 'No webhooks yet. Create one with: npm run ops -- webhooks create --help'
        : 'No webhooks match.';
    printAll(options, kindOf('Webhook'), found, {}, empty);
  });
