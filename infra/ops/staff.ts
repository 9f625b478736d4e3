/** `npm run ops -- staff …`: the members of the staff and their roles. */
import * as v from 'valibot';
import { command, sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { print } from '../command-line/print.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { collect, pages, request } from './api/request.ts';
import { only, read, type User } from './api/resources.ts';
import { findMember, findRole } from './api/staff.ts';
import { confirm, yesHelp } from './output/confirm.ts';
import { type Columns, printItem, printList, say } from './output/print.ts';
import { timeText } from './output/times.ts';
import { configOf, deployedStages, stageOption } from './stage-of.ts';

const whose = 'The id or address of the member, or me.';

const columns: Columns<User> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  address: ({ email, email_verified }) => (email_verified ? email : `${email} (not verified)`),
  role: ({ roles }) => (roles ?? []).map(({ name }) => name).join(', '),
  status: ({ status }) => status,
  'last seen': ({ last_seen }) => timeText(last_seen),
};

const list = apiCommand('list')
  .description('Lists the members of the staff.')
  .addHelpText('after', sections({ environment, examples: { 'Of a stage': 'npm run ops -- staff list --stage prod' } }))
  .action(async (options) => {
    const caller = await connect(options);
    const found = await collect(pages(caller, '/admin/users/', { include: 'roles', limit: 'all' }, read.users));
    printList(options, found, columns, 'No staff yet. Create the Owner with: npm run ops -- seed --help');
  });

const show = apiCommand('show')
  .description('Shows a member of the staff.')
  .argument('<member>', whose)
  .addHelpText('after', sections({ environment, examples: { 'Whose key this is': 'npm run ops -- staff show me' } }))
  .action(async (member, options) => printItem(options, await findMember(await connect(options), member), columns));

const update = apiCommand('update')
  .description('Changes the name or the role of a member.')
  .argument('<member>', whose)
  .option('--name <name>', 'The new name.')
  .option('--role <role>', 'The name of the new role, such as Editor.')
  .option('--yes', yesHelp('Do not ask before promoting a member whose address has never received mail.'), false)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: { 'Another role': 'npm run ops -- staff update ada@example.com --role Editor' },
    }),
  )
  .action(async (member, { name, role, yes, ...options }) => {
    if (name === undefined && role === undefined)
      throw new UsageError('Nothing to change: give at least one of --name, --role.');
    const caller = await connect(options);
    const { id, email, email_verified } = await findMember(caller, member);
    const roles = role === undefined ? undefined : [(await findRole(caller, role)).id];
    const isConfirmed = roles !== undefined && !email_verified;
    if (isConfirmed)
      await confirm(`No mail has reached ${email}: another person may have joined. Change the role to ${role}?`, yes);
    const answer = await request(caller, 'PUT', `/admin/users/${id}/?include=roles`, {
      users: [{ name, roles, ...(isConfirmed && { confirm_unverified_email: true }) }],
    });
    printItem(options, only(read.users(answer)), columns);
  });

const remove = apiCommand('remove')
  .summary('Removes a member.')
  .description('Removes a member: their keys are invalid, and their open invites are revoked.')
  .argument('<member>', whose)
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({ environment, examples: { 'In a script': 'npm run ops -- staff remove ada@example.com --yes' } }),
  )
  .action(async (member, { yes, ...options }) => {
    const caller = await connect(options);
    const { id, name, email } = await findMember(caller, member);
    await confirm(`Remove ${name} <${email}> from the staff?`, yes);
    await request(caller, 'DELETE', `/admin/users/${id}/`);
    say(options, `Removed ${name} <${email}>.`);
  });

const handOver = command('hand-over')
  .summary('Makes an Administrator the Owner, for an Owner whose mailbox is lost.')
  .description(
    'Makes an active Administrator with a verified address the Owner, and the Owner an Administrator. Both get a mail. It invokes a function of the stage with AWS credentials, not with a key.',
  )
  .argument('<address>', 'The address of the Administrator.')
  .addOption(stageOption(deployedStages).makeOptionMandatory())
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({ examples: { 'A lost mailbox': 'npm run ops -- staff hand-over ada@example.org --stage prod' } }),
  )
  .action(async (address, { stage, yes }) => {
    await confirm(`Make ${address} the Owner of ${stage}?`, yes);
    const { invokeCommand } = await import('./invoke-command.ts');
    const answer = await invokeCommand(configOf(stage), 'setup/hand-over', { to: address });
    const { previous } = v.parse(v.object({ previous: v.string() }), answer);
    print(`${address} is the Owner of ${stage}. ${previous} is an Administrator now.`);
  });

export const staff = command('staff')
  .description('Lists, changes and removes members of the staff. The invites command adds some.')
  .addHelpText('after', sections({ examples: { 'Who has which role': 'npm run ops -- staff list' } }))
  .addCommand(list)
  .addCommand(show)
  .addCommand(update)
  .addCommand(remove)
  .addCommand(handOver);
