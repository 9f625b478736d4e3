/** `npm run ops -- audit`: who did what to whom, and when. */
import { Option } from '@commander-js/extra-typings';
import { sections, wholeNumber } from '../command-line/command.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { collect, pages } from './api/request.ts';
import { type AuditEntry, auditActions, read } from './api/resources.ts';
import { findMember } from './api/staff.ts';
import { type Columns, printList } from './output/print.ts';
import { timeOption, timeText } from './output/times.ts';

const maxPage = 100;

const named = ({ type, id, name }: AuditEntry['actor'] | AuditEntry['target']): string =>
  name === null ? [type, id].filter(Boolean).join(' ') : `${type} ${name}`;

const columns: Columns<AuditEntry> = {
  time: ({ at }) => timeText(at),
  who: ({ actor }) => named(actor),
  action: ({ action }) => action,
  what: ({ target }) => named(target),
  changes: ({ changes }) =>
    Object.entries(changes)
      .map(([field, { from, to }]) => `${field}: ${from ?? '–'} → ${to ?? '–'}`)
      .join(', '),
};

export const audit = apiCommand('audit')
  .summary('Lists who did what to whom.')
  .description(
    'Lists the audit log, newest first: changes to keys, integrations, webhooks, secrets, staff and invites, and sign-ins. What Masthead did by itself, such as disabling a webhook after a 410, is there as `masthead`. It is for the Owner and Administrators.',
  )
  .option('--actor <id or address>', 'Only what this staff member or integration did.')
  .option('--target <id or address>', 'Only what was done to this staff member, or to the resource with this id.')
  .addOption(new Option('--action <action>', 'Only this action.').choices(auditActions))
  .option(
    '--since <time>',
    'Only entries of this time or later, such as 2h, today or 2026-11-21.',
    timeOption('--since'),
  )
  .option('--until <time>', 'Only entries before this time.', timeOption('--until'))
  .option('--limit <number>', 'How many to list, at most.', wholeNumber('--limit'), 50)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'Who made tokens': 'npm run ops -- audit --action staff.token.renewed',
        'Everything since yesterday': 'npm run ops -- audit --since 24h --limit 1000',
      },
    }),
  )
  .action(async ({ actor, target, action, since, until, limit, ...options }) => {
    const caller = await connect(options);
    const idOf = async (given: string | undefined) =>
      given?.includes('@') ? (await findMember(caller, given)).id : given;
    const query = {
      actor: await idOf(actor),
      target: await idOf(target),
      action,
      since,
      until,
      limit: Math.min(limit, maxPage),
    };
    const found = await collect(pages(caller, '/admin/audit/', query, read.audit), limit);
    printList(options, found, columns, 'No entries match.');
  });
