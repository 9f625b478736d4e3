/** `npm run ops -- invites create`: by hand, because it reads lists of people and sends several requests. */
import { readAddresses } from '../../../shared/foundation/address-list.ts';
import { sections } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { textOf } from '../../command-line/file-at.ts';
import { apiCommand, connect, environment } from '../api/connection.ts';
import { endpointNamed, kindOf } from '../api/document.ts';
import { request } from '../api/request.ts';
import { type Invite, read } from '../api/resources.ts';
import { printAll } from '../commands/columns.ts';
import { withFields } from '../commands/fields.ts';
import { findRole, roleNames } from '../commands/find.ts';
import { startProgress } from '../output/progress.ts';

/** Invites in a request (docs/compatibility.md). */
const maxItems = 50;

/** Fields of every invite of a run; the other ones differ by person, or have words of their own. */
const shared = endpointNamed('invites/create')
  .fields.map(({ name }) => name)
  .filter((name) => !['email', 'role_id', 'send_email'].includes(name));
const { command, read: valuesOf } = withFields(apiCommand('create'), 'invites/create', shared);

export const create = command
  .summary('Invites addresses, named or from a file.')
  .description(
    'Invites addresses. They are sent in requests of 50, each of which invites all of its addresses or none; ' +
      'the first that is refused ends the command. Inviting an address again replaces its open invite.',
  )
  .argument('[addresses...]', 'The addresses.')
  .requiredOption('--role <role>', 'The name of the role, such as Author.')
  .option(
    '--file <file>',
    'File with addresses, as copied from a mail or a spreadsheet; - is standard input. ' +
      'Titles with “Email” and “Role” give each person a role.',
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
    const { body: fields } = await valuesOf(options, caller);
    const roles = new Map<string, string>();
    for (const { roleName = role } of people)
      if (!roles.has(roleName)) roles.set(roleName, await findRole(caller, roleName));
    const progress = startProgress('invited', people.length);
    const created: Invite[] = [];
    try {
      for (let start = 0; start < people.length; start += maxItems) {
        const some = people.slice(start, start + maxItems);
        const items = some.map(({ email, roleName = role }) => ({
          email,
          role_id: roles.get(roleName),
          ...fields,
          ...(!mail && { send_email: false }),
        }));
        created.push(...read.invites(await request(caller, 'POST', '/admin/invites/', { invites: items })));
        progress.update(created.length);
      }
    } finally {
      progress.stop();
      const names = { role_id: options.json ? String : await roleNames(caller) };
      if (created.length > 0) printAll(options, kindOf('Invite'), created, names, '');
    }
  });
