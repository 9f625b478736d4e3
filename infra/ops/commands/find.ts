/** Finds what a person names: webhooks, integrations and roles by name, members and invites by address, all by id. */
import { isId } from '../../../shared/foundation/ids.ts';
import type { Caller } from '../../command-line/client.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { pages, RequestError, request } from '../api/request.ts';
import { type Integration, type Invite, only, read, type User, type Webhook } from '../api/resources.ts';
import { webhookName } from './columns.ts';

export interface Found {
  readonly id: string;
  /** As a question before a deletion names it. */
  readonly text: string;
  /** The object with all that it includes, if finding it has read it. */
  readonly item?: Readonly<Record<string, unknown>>;
}

const maxListed = 10;
/** Characters of a webhook's name that are shown beside an id, at most: a target URL can have 2,000. */
const maxShown = 40;
/** A list of integrations shows only the newest webhooks of one that has many. */
const many = 100;

/** Yields all integrations, page by page. */
export const integrationPages = (caller: Caller, include?: 'api_keys' | 'webhooks') =>
  pages(caller, '/admin/integrations/', { include, limit: 'all' }, read.integrations);

/** Returns an integration with its keys and all its webhooks, by id or exact name. @throws UsageError, RequestError */
export const findIntegration = async (caller: Caller, given: string): Promise<Integration> => {
  const id = isId(given) ? given : await integrationCalled(caller, given);
  const found: Integration[] = [];
  // Each page repeats the integration and has the next 500 of its webhooks.
  const include = 'webhooks,api_keys';
  for await (const page of pages(caller, `/admin/integrations/${id}/`, { include }, read.integrations))
    found.push(only(page));
  return { ...only(found.slice(0, 1)), webhooks: found.flatMap(({ webhooks = [] }) => webhooks) };
};

const integrationCalled = async (caller: Caller, name: string): Promise<string> => {
  const found: string[] = [];
  for await (const page of integrationPages(caller))
    found.push(...page.filter((one) => one.name === name).map(({ id }) => id));
  const [id, another] = found;
  if (id === undefined)
    throw new UsageError(`No integration has the name '${name}'. npm run ops -- integrations list shows them.`);
  if (another !== undefined)
    throw new UsageError(`${found.length} integrations have the name '${name}'. Use an id: ${found.join(', ')}.`);
  return id;
};

/** Yields the webhooks of each integration: the API shows them inside their integrations only. */
export async function* webhooksByIntegration(
  caller: Caller,
): AsyncGenerator<{ readonly integration: Integration; readonly webhooks: readonly Webhook[] }> {
  for await (const page of integrationPages(caller, 'webhooks'))
    for (const listed of page) {
      const isComplete = listed.webhooks !== undefined && listed.webhooks.length < many;
      const integration = isComplete ? listed : await findIntegration(caller, listed.id);
      yield { integration, webhooks: integration.webhooks ?? [] };
    }
}

/** Returns the id of the webhook with this id or shown name. @throws UsageError for a name that is not unique */
export const findWebhook = async (caller: Caller, given: string): Promise<string> => {
  if (isId(given)) return given;
  const all: Webhook[] = [];
  for await (const { webhooks } of webhooksByIntegration(caller)) all.push(...webhooks);
  const found = all.filter((webhook) => webhookName(webhook) === given);
  const [webhook, another] = found;
  if (webhook === undefined)
    throw new UsageError(`No webhook has the id or the name '${given}'${listOf('. The webhooks are', all)}`);
  if (another !== undefined)
    throw new UsageError(`${found.length} webhooks have the name '${given}'${listOf('. Use the id of one:', found)}`);
  return webhook.id;
};

const listOf = (beginning: string, webhooks: readonly Webhook[]): string => {
  if (webhooks.length === 0) return ', because there are no webhooks yet.';
  const shown = webhooks.slice(0, maxListed).map((one) => `${one.id} (${shortName(one)}, ${one.event})`);
  const more = webhooks.length > maxListed ? ', and others, which npm run ops -- webhooks list shows' : '';
  return `${beginning} ${shown.join(', ')}${more}.`;
};

/** Returns the name of a webhook as it is shown beside the id. */
export const shortName = (webhook: Webhook): string => {
  const name = webhookName(webhook);
  return name.length > maxShown ? `${name.slice(0, maxShown - 1)}…` : name;
};

/** Returns an id as people read it: with a name or as one, unless the object was deleted meanwhile. */
export type Named = (id: string) => string;

export type KnownWebhooks = ReadonlyMap<string, Webhook>;

/** Reads all webhooks. The key of an integration can't read them, so it knows none. @throws RequestError */
export const knownWebhooks = async (caller: Caller): Promise<KnownWebhooks> => {
  const known = new Map<string, Webhook>();
  try {
    for await (const { webhooks } of webhooksByIntegration(caller))
      for (const webhook of webhooks) known.set(webhook.id, webhook);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 403) throw error;
  }
  return known;
};

/** Returns the names of known webhooks. */
export const namesOf =
  (known: KnownWebhooks): Named =>
  (id) => {
    const webhook = known.get(id);
    return webhook === undefined ? id : `${id} (${shortName(webhook)})`;
  };

/** Reads the names of all webhooks. @throws RequestError */
export const webhookNames = async (caller: Caller): Promise<Named> => namesOf(await knownWebhooks(caller));

/** Reads the names of all roles. */
export const roleNames = async (caller: Caller): Promise<Named> => {
  const roles = read.roles(await request(caller, 'GET', '/admin/roles/'));
  return (id) => roles.find((role) => role.id === id)?.name ?? id;
};

/** Returns the id of a role that the key can assign, by its name or id. @throws UsageError that lists them */
export const findRole = async (caller: Caller, given: string): Promise<string> => {
  const roles = read.roles(await request(caller, 'GET', '/admin/roles/?permissions=assign'));
  const found = roles.find(({ id, name }) => id === given || name.toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found.id;
  throw new UsageError(`--role is '${given}'; it must be one of ${roles.map(({ name }) => name).join(', ')}.`);
};

/** Returns a member by id, by address, or the key's owner (`me`). @throws UsageError for none, RequestError */
export const findMember = async (caller: Caller, given: string): Promise<User> => {
  const member = given.includes('@')
    ? await memberAt(caller, given)
    : only(read.users(await request(caller, 'GET', `/admin/users/${given}/?include=roles`)));
  if (member === undefined)
    throw new UsageError(`No staff member has the address '${given}'. npm run ops -- staff list shows them.`);
  return member;
};

const memberAt = async (caller: Caller, address: string): Promise<User | undefined> => {
  try {
    const path = `/admin/users/email/${encodeURIComponent(address)}/?include=roles`;
    return only(read.users(await request(caller, 'GET', path)));
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return undefined;
    throw error;
  }
};

/** Returns an invite's id, or that of the newest, preferably open, to an address. @throws UsageError without one */
export const findInvite = async (caller: Caller, given: string): Promise<string> => {
  if (!given.includes('@')) return given;
  const found = await invitesTo(caller, given);
  const invite = found.find(({ status }) => !['accepted', 'expired'].includes(status)) ?? found[0];
  if (invite === undefined)
    throw new UsageError(`No invite has the address ${given}. npm run ops -- invites list shows them.`);
  return invite.id;
};

/** Returns the invites to an address, newest first; without a filter, not the revoked or replaced ones. */
const invitesTo = async (caller: Caller, address: string, filter?: string): Promise<readonly Invite[]> => {
  const found: Invite[] = [];
  for await (const page of pages(caller, '/admin/invites/', { limit: 'all', filter }, read.invites))
    found.push(...page.filter(({ email }) => email.toLowerCase() === address.toLowerCase()));
  return found;
};

/** Returns an actor's id: a member's by address, an integration's by name. @throws UsageError, RequestError */
export const findActor = async (caller: Caller, given: string): Promise<string> => {
  if (isId(given)) return given;
  return given.includes('@') ? (await findMember(caller, given)).id : integrationCalled(caller, given);
};

/** Returns a target's id: a member's or invite's by address, others by name. @throws UsageError, RequestError */
export const findTarget = async (caller: Caller, given: string): Promise<string> => {
  if (isId(given)) return given;
  if (given.includes('@')) {
    const member = await memberAt(caller, given);
    if (member !== undefined) return member.id;
    const [invite = (await invitesTo(caller, given, 'status:revoked,status:replaced'))[0]] = await invitesTo(
      caller,
      given,
    );
    if (invite === undefined) throw new UsageError(`No staff member and no invite has the address '${given}'.`);
    return invite.id;
  }
  for await (const { integration, webhooks } of webhooksByIntegration(caller)) {
    const webhook = webhooks.find((one) => webhookName(one) === given);
    if (webhook !== undefined) return webhook.id;
    if (integration.name === given) return integration.id;
  }
  throw new UsageError(`No webhook and no integration has the name '${given}'.`);
};

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

interface Noun {
  readonly argument: string;
  readonly help: string;
  readonly example: string;
  find(caller: Caller, given: string): Promise<Found>;
}

/** Nouns that people name by more than an id, as paths of the API have them. All others are named by their ids. */
export const nouns = {
  webhooks: {
    argument: 'webhook',
    help: 'The id or the exact name of the webhook; webhooks list shows both.',
    example: '019acb5130f4a1b2c3d4e5f6',
    find: async (caller, given) => {
      const id = await findWebhook(caller, given);
      return { id, text: id === given ? id : `${id} (${given})` };
    },
  },
  integrations: {
    argument: 'integration',
    help: 'The id or the exact name of the integration.',
    example: 'Bookshop',
    find: async (caller, given) => {
      const item = await findIntegration(caller, given);
      const { id, name, api_keys = [], webhooks = [] } = item;
      const goes = `${count(api_keys.length, 'key')} and ${count(webhooks.length, 'webhook')}`;
      return { id, text: `${name} (${id}) with ${goes}`, item };
    },
  },
  users: {
    argument: 'member',
    help: 'The id or address of the member, or me.',
    example: 'ada@example.com',
    find: async (caller, given) => {
      const item = await findMember(caller, given);
      return { id: item.id, text: `${item.name} <${item.email}>`, item };
    },
  },
  invites: {
    argument: 'invite',
    help: 'The id of the invite, or the invited address.',
    example: 'ada@example.com',
    find: async (caller, given) => ({ id: await findInvite(caller, given), text: given }),
  },
  roles: {
    argument: 'role',
    help: 'The name of the role, such as Author.',
    example: 'Author',
    find: async (caller, given) => ({ id: await findRole(caller, given), text: given }),
  },
} as const satisfies Readonly<Record<string, Noun>>;

/** Returns a noun as paths of the API have it, if people name it by more than an id. */
export const nounCalled = (name: string): Noun | undefined =>
  Object.entries<Noun>(nouns).find(([noun]) => noun === name)?.[1];
