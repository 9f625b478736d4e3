/** `npm run ops -- keys …`: the Admin API keys of integrations and staff, which the API keeps inside their owners. */
import type { Caller } from '../command-line/client.ts';
import { sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { print } from '../command-line/print.ts';
import { apiCommand, type Connection, connect, environment } from './api/connection.ts';
import { request } from './api/request.ts';
import { type ApiKey, type Integration, only, read } from './api/resources.ts';
import { withFields } from './commands/fields.ts';
import { findMember, integrationPages } from './commands/find.ts';
import { confirm, yesHelp } from './output/confirm.ts';
import { type Columns, printItem, printList, say } from './output/print.ts';
import { timeText } from './output/times.ts';

interface Owned {
  readonly key: ApiKey;
  readonly owner: Integration;
}

const columns: Columns<Owned> = {
  id: ({ key }) => key.id,
  integration: ({ owner }) => owner.name,
  publishes: ({ owner }) => (owner.can_publish ? 'yes' : 'no'),
  scopes: ({ key }) => key.scopes?.join(', ') ?? null,
  created: ({ key }) => timeText(key.created_at),
  'valid until': ({ key }) => timeText(key.valid_until ?? null),
  'last used': ({ key }) => timeText(key.last_seen_at ?? null),
};

async function* ownedKeys(caller: Caller): AsyncGenerator<Owned> {
  for await (const page of integrationPages(caller, 'api_keys'))
    for (const owner of page) for (const key of owner.api_keys ?? []) yield { key, owner };
}

const list = apiCommand('list')
  .description('Lists the keys of integrations. The API lists no keys of the staff.')
  .addHelpText('after', sections({ environment, examples: { 'Of a stage': 'npm run ops -- keys list --stage prod' } }))
  .action(async (options) => {
    const found: Owned[] = [];
    for await (const owned of ownedKeys(await connect(options))) found.push(owned);
    if (options.json) for (const { key } of found) print(JSON.stringify(key));
    else printList({}, found, columns, 'No keys yet. Create one with: npm run ops -- keys create --help');
  });

interface NewKey {
  readonly id: string;
  /** `<id>:<secret>`. */
  readonly text: string;
  readonly item: object;
}

const printKey = ({ json }: Connection, { id, text, item }: NewKey): void => {
  if (json) print(JSON.stringify(item, null, 2));
  else printItem({}, { id, text }, { id: (key) => key.id, 'key, not returned again': (key) => key.text });
};

const whose = 'A member of the staff: an id, an address, or me. All keys that they had are invalid.';

const limits = ['scopes', 'valid_until'];
const forNew = withFields(apiCommand('create'), 'integrations/refresh-key', limits);

const create = forNew.command
  .summary('Creates a key and prints it once.')
  .description(
    'Creates a key and prints it once. With --integration it creates a new integration of that name, which has ' +
      'the key: keys roll replaces the key of one that exists. ' +
      'With --staff it replaces the key of a member, who may have had none.',
  )
  .option('--integration <name>', 'The name of the new integration.')
  .option('--can-publish', 'With --integration: let the key publish events.', false)
  .option('--staff <member>', whose)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'For a system that only publishes events, for a year':
          'npm run ops -- keys create --integration CMS --can-publish --scopes publish --valid-until 2027-11-21',
        'For a colleague': 'npm run ops -- keys create --staff ada@example.com',
      },
    }),
  )
  .action(async ({ integration, canPublish, staff, ...options }) => {
    if ((integration === undefined) === (staff === undefined))
      throw new UsageError('Give either --integration or --staff.');
    const caller = await connect(options);
    const { body: limits } = await forNew.read(options, caller);
    if (staff !== undefined) {
      if (Object.keys(limits).length > 0) throw new UsageError('--scopes and --valid-until need --integration.');
      return printKey(options, await renewToken(caller, staff));
    }
    await refuseKnownName(caller, integration ?? '');
    const body = { integrations: [{ name: integration, can_publish: canPublish, api_keys: [limits] }] };
    printKey(options, keyIn(only(read.integrations(await request(caller, 'POST', '/admin/integrations/', body)))));
  });

/** An integration has one key, and the API takes several integrations of one name. @throws UsageError */
const refuseKnownName = async (caller: Caller, name: string): Promise<void> => {
  for await (const page of integrationPages(caller, 'api_keys')) {
    const known = page.find((one) => one.name === name);
    if (known === undefined) continue;
    const [key] = known.api_keys ?? [];
    const roll =
      key === undefined
        ? ''
        : ` It has one key, ${key.id}. To replace it with a day in which both are valid: npm run ops -- keys roll ` +
          `${key.id} --overlap 24 (without --overlap, the old one ends within five seconds).`;
    throw new UsageError(`An integration has the name '${name}' already (${known.id}).${roll} Or choose another name.`);
  }
};

const target = (name: string) =>
  apiCommand(name).argument('[key]', 'The id of a key of an integration.').option('--staff <member>', whose);

const forOld = withFields(target('roll'), 'integrations/refresh-key', ['previous_valid_hours', ...limits]);

const roll = forOld.command
  .summary('Replaces a key and prints the new one once.')
  .description(
    'Replaces a key of an integration, or the key of a member of the staff, and prints the new one once. The old ' +
      'one is invalid within five seconds; that of an integration with --overlap ends by itself after that time.',
  )
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'Of an integration': 'npm run ops -- keys roll 019acb4c2d10f0e1d2c3b4a5',
        'With a day to replace the old one': 'npm run ops -- keys roll 019acb4c2d10f0e1d2c3b4a5 --overlap 24',
        'Your own': 'npm run ops -- keys roll --staff me',
      },
    }),
  )
  .action(async (id, { staff, ...options }) => {
    const caller = await connect(options);
    const { body: changes } = await forOld.read(options, caller);
    if (staff !== undefined && Object.keys(changes).length > 0)
      throw new UsageError('--overlap, --scopes and --valid-until need a key of an integration.');
    printKey(options, await renew(caller, id, staff, changes));
  });

const revoke = target('revoke')
  .summary('Makes a key invalid.')
  .description(
    'Makes a key invalid within five seconds: it is replaced by one whose secret is discarded. The integration ' +
      'with its webhooks, or the member, stays; roll the new key to use it. ' +
      'Deleting the integration or removing the member deletes their keys, too.',
  )
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({ environment, examples: { 'A key was leaked': 'npm run ops -- keys revoke 019acb4c2d10f0e1d2c3b4a5' } }),
  )
  .action(async (id, { staff, yes, ...options }) => {
    const what = id ?? `of ${staff}`;
    const caller = await connect(options);
    await confirm(`Revoke the key ${what}? Its users are locked out.`, yes);
    const made = await renew(caller, id, staff);
    say(options, `Revoked the key ${what}. ${made.id} replaces it; its secret was discarded.`);
  });

const renew = async (
  caller: Caller,
  id: string | undefined,
  staff: string | undefined,
  changes: object = {},
): Promise<NewKey> => {
  if ((id === undefined) === (staff === undefined)) throw new UsageError('One of <key> and --staff is needed.');
  if (staff !== undefined) return renewToken(caller, staff);
  for await (const { key, owner } of ownedKeys(caller)) {
    if (key.id !== id) continue;
    const path = `/admin/integrations/${owner.id}/api_key/${id}/refresh/`;
    const body = { api_keys: [{ previous_valid_hours: 0, ...changes }] };
    return keyIn(only(read.integrations(await request(caller, 'POST', path, body))));
  }
  throw new Error(
    `No integration has the key ${id}; npm run ops -- keys list shows them. If it is a key of the staff, npm run ` +
      'ops -- audit --action staff.token.renewed --limit 1000 shows whose it is. Then name the member: ' +
      '--staff <address>',
  );
};

const renewToken = async (caller: Caller, member: string): Promise<NewKey> => {
  const { id } = await findMember(caller, member);
  const token = read.staffToken(await request(caller, 'PUT', `/admin/users/${id}/token/`));
  return { id: token.id, text: `${token.id}:${token.secret}`, item: token };
};

/** An integration's key is returned as `<id>:<secret>`, once. */
const keyIn = ({ api_keys }: Integration): NewKey => {
  const made = api_keys?.find(({ secret }) => secret !== null);
  if (made === undefined) throw new Error('The API returned no key.');
  return { id: made.id, text: made.secret ?? '', item: made };
};

export const keys = [list, create, roll, revoke];
