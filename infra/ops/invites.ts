/** `npm run ops -- invites …`: invites new members of the staff. */
import { Option } from '@commander-js/extra-typings';
import { readAddresses } from '../../shared/foundation/address-list.ts';
import type { Caller } from '../command-line/client.ts';
import { command, sections, wholeNumber } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { textOf } from '../command-line/file-at.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { collect, pages, request } from './api/request.ts';
import { type Invite, only, read } from './api/resources.ts';
import { findRole, roleNames } from './api/staff.ts';
import { confirm, yesHelp } from './output/confirm.ts';
import { type Columns, printItem, printList, say, tableOf } from './output/print.ts';
import { startProgress } from './output/progress.ts';
import { timeText } from './output/times.ts';

/** The statuses; a test compares them with the API's. */
export const inviteStatuses = [
  'pending',
  'sent',
  'accepted',
  'bounced',
  'complained',
  'expired',
  'revoked',
  'replaced',
];
/** Invites in a request (docs/compatibility.md). */
const maxItems = 50;
const maxPage = 100;

const columnsFor = async (caller: Caller): Promise<Columns<Invite>> => {
  const names = await roleNames(caller);
  return {
    id: ({ id }) => id,
    address: ({ email }) => email,
    role: ({ role_id }) => names.get(role_id) ?? role_id,
    status: ({ status }) => status,
    created: ({ created_at }) => timeText(created_at),
    expires: ({ expires }) => timeText(expires),
  };
};

const idOrAddress = 'The id of the invite, or the invited address.';

/** Returns the id of an invite, or of the newest one to an address: an open one, if there is any. @throws UsageError for an address without one */
const findInvite = async (caller: Caller, given: string): Promise<string> => {
  if (!given.includes('@')) return given;
  const found: Invite[] = [];
  for await (const page of pages(caller, '/admin/invites/', { limit: 'all' }, read.invites))
    found.push(...page.filter(({ email }) => email.toLowerCase() === given.toLowerCase()));
  const invite = found.find(({ status }) => !['accepted', 'expired'].includes(status)) ?? found[0];
  if (invite === undefined)
    throw new UsageError(`No invite has the address ${given}. npm run ops -- invites list shows them.`);
  return invite.id;
};

const list = apiCommand('list')
  .description('Lists the invites, newest first. Revoked and replaced ones are listed by their status only.')
  .addOption(new Option('--status <status>', 'Only those with this status.').choices(inviteStatuses))
  .option('--limit <number>', 'How many to list, at most.', wholeNumber('--limit'), 50)
  .addHelpText(
    'after',
    sections({ environment, examples: { 'Whose mail bounced': 'npm run ops -- invites list --status bounced' } }),
  )
  .action(async ({ status, limit, ...options }) => {
    const caller = await connect(options);
    const page = { status, limit: Math.min(limit, maxPage) };
    const found = await collect(pages(caller, '/admin/invites/', page, read.invites), limit);
    const empty =
      status === undefined ? 'No invites yet. Invite with: npm run ops -- invites create --help' : 'No invites match.';
    printList(options, found, await columnsFor(caller), empty);
  });

const show = apiCommand('show')
  .description('Shows an invite with its history.')
  .argument('<invite>', idOrAddress)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: { 'Why a mail bounced': 'npm run ops -- invites show ada@example.com' },
    }),
  )
  .action(async (given, options) => {
    const caller = await connect(options);
    const id = await findInvite(caller, given);
    const invite = only(read.invites(await request(caller, 'GET', `/admin/invites/${id}/?include=history`)));
    printItem(options, invite, await columnsFor(caller));
    const history = tableOf(invite.history ?? [], {
      status: ({ status }) => status,
      since: ({ at }) => timeText(at),
      reason: ({ reason }) => reason,
    });
    say(options, `\n${history}`);
  });

const create = apiCommand('create')
  .summary('Invites addresses, named or from a file.')
  .description(
    'Invites addresses. They are sent in requests of 50, each of which invites all of its addresses or none; the first that is refused ends the command. Inviting an address again replaces its open invite.',
  )
  .argument('[addresses...]', 'The addresses.')
  .requiredOption('--role <role>', 'The name of the role, such as Author.')
  .option(
    '--file <file>',
    'File with addresses, as copied from a mail or a spreadsheet; - is standard input. Titles with “Email” and “Role” give each person a role.',
  )
  .option('--no-mail', 'Send no mail, and print a link for each address once.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'Two authors': 'npm run ops -- invites create ada@example.com grace@example.com --role Author',
        'A list': 'npm run ops -- invites create --role Contributor --file addresses.txt',
        'A link to hand over yourself': 'npm run ops -- invites create ada@example.com --role Editor --no-mail',
      },
    }),
  )
  .action(async (named, { role, file, mail, ...options }) => {
    const people = [named.join('\n'), ...(file === undefined ? [] : [textOf(file, '--file')])].flatMap(readAddresses);
    if (people.length === 0) throw new UsageError('No addresses: name them, or a file with --file.');
    const without = people.find(({ email }) => !email.includes('@'));
    if (without !== undefined) throw new UsageError(`Line ${without.line} has no address: ${without.email}`);
    const caller = await connect(options);
    const roles = new Map<string, string>();
    for (const { roleName = role } of people)
      if (!roles.has(roleName)) roles.set(roleName, (await findRole(caller, roleName)).id);
    const progress = startProgress('invited', people.length);
    const created: Invite[] = [];
    try {
      for (let start = 0; start < people.length; start += maxItems) {
        const some = people.slice(start, start + maxItems);
        const items = some.map(({ email, roleName = role }) => ({
          email,
          role_id: roles.get(roleName),
          ...(!mail && { send_email: false }),
        }));
        created.push(...read.invites(await request(caller, 'POST', '/admin/invites/', { invites: items })));
        progress.update(created.length);
      }
    } finally {
      progress.stop();
      const link: Columns<Invite> = mail ? {} : { 'link, not returned again': (invite) => invite.link ?? null };
      if (created.length > 0) printList(options, created, { ...(await columnsFor(caller)), ...link }, '');
    }
  });

const resend = apiCommand('resend')
  .description('Sends the mail of an invite again, with a new link. The old links are invalid.')
  .argument('<invite>', idOrAddress)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: { 'The mail was lost': 'npm run ops -- invites resend ada@example.com' },
    }),
  )
  .action(async (given, options) => {
    const caller = await connect(options);
    const id = await findInvite(caller, given);
    const invite = only(read.invites(await request(caller, 'POST', `/admin/invites/${id}/resend/`)));
    printItem(options, invite, await columnsFor(caller));
  });

const revoke = apiCommand('revoke')
  .description('Revokes an invite: its links are invalid at once.')
  .argument('<invite>', idOrAddress)
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: { 'In a script': 'npm run ops -- invites revoke ada@example.com --yes' },
    }),
  )
  .action(async (given, { yes, ...options }) => {
    const caller = await connect(options);
    const id = await findInvite(caller, given);
    await confirm(`Revoke the invite ${given}?`, yes);
    await request(caller, 'DELETE', `/admin/invites/${id}/`);
    say(options, `Revoked the invite ${given}.`);
  });

export const invites = command('invites')
  .description('Lists, creates, resends and revokes invites.')
  .addHelpText(
    'after',
    sections({ examples: { 'Invite an author': 'npm run ops -- invites create ada@example.com --role Author' } }),
  )
  .addCommand(list)
  .addCommand(show)
  .addCommand(create)
  .addCommand(resend)
  .addCommand(revoke);
