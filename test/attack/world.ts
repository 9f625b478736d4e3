/** The world of an attack: integrations with webhooks, staff of all roles, invites, and impostors. */
import { randomBytes } from 'node:crypto';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import type { FunctionName } from '../../shared/contract.ts';
import { type Scope, scopes } from '../../shared/foundation/scopes.ts';
import { tokenIn } from '../support/invites.ts';
import { endpointLine } from '../support/openapi.ts';
import { cookieHeaders } from '../support/parts-event.ts';
import { cookieIn, signInTokenIn } from '../support/sessions.ts';
import { tokenWith } from '../support/token.ts';
import type { Expectation } from './expectations.ts';
import type { StoredItem } from './items.ts';
import { type AttackAnswer, type AttackRequest, requestFor, type Send, type Values } from './request.ts';
import type { Caller, Party, Target } from './rules.ts';

export interface Place {
  readonly send: Send;
  /** Keys, `id:secret`. */
  readonly staffKeys: Readonly<Record<string, string>>;
  readonly integrationKeys: Readonly<Record<'first' | 'second', string>>;
  readonly origin: string;
  readonly receiver: string;
  readonly tokenFor: (email: string) => Promise<string>;
  /** Returns the table's items when nothing works on it, without the counters of limits, which refusals may change. */
  readonly items: () => Promise<readonly StoredItem[]>;
}

export interface World {
  readonly place: Place;
  readonly callers: readonly Caller[];
  readonly ownersCredentials: () => AttackRequest['headers'];
  readonly integrations: Readonly<Record<Party, string>>;
  readonly roles: Readonly<Record<string, string>>;
  readonly create: (names: Expectation['names'], target: Target, children: readonly string[]) => Promise<Values>;
  /** Creates an integration; its key has used up no limit. */
  readonly newIntegration: () => Promise<{ readonly id: string; readonly credentials: () => AttackRequest['headers'] }>;
  /** Returns the credentials of a key, `id:secret`. */
  readonly credentialsOf: (key: string) => () => AttackRequest['headers'];
  readonly newWebhookOf: (integration: string) => Promise<Values & { readonly id: string }>;
  /** Creates what a second parameter of a path names, below the resource with this id. */
  readonly newChild: (parameter: string, id: string) => Promise<string>;
  /** Texts that no refusal may contain: addresses, targets and tokens. */
  readonly confidential: readonly string[];
}

/** Returns the token of the link in a mail, of an invitation or to sign in; empty without one. */
export const tokenOf = (text = ''): string => tokenIn(text) ?? signInTokenIn(text) ?? '';

export const unknownId = 'f'.repeat(24);
const malformedId = '0123456789ABCDEF01234567';

/** Creates the world with the Owner's key. */
export const createWorld = async (place: Place): Promise<World> => {
  const ownerKey = place.staffKeys.Owner ?? '';
  const ownersCredentials = credentialsOf(ownerKey);
  const succeeded = ({ status, text, body }: AttackAnswer, what: string): AttackAnswer['body'] => {
    if (status >= 300) throw new Error(`Preparing the attack: ${what} returned ${status} ${text}`);
    return body;
  };
  const ask = async (name: FunctionName, values: Values): Promise<AttackAnswer['body']> =>
    succeeded(await place.send(requestFor(endpointLine(name), values, ownersCredentials())), name);
  const get = async (name: FunctionName, path: string): Promise<AttackAnswer['body']> =>
    succeeded(await place.send({ line: endpointLine(name), path, headers: ownersCredentials() }), `GET ${path}`);

  const ids = (listed: readonly { readonly name: string; readonly id: string }[]): Record<string, string> =>
    Object.fromEntries(listed.map(({ name, id }) => [name, id]));
  const roles = ids((await get('roles/list', '/admin/roles/')).roles);
  const byName = ids((await get('integrations/list', '/admin/integrations/?limit=100')).integrations);
  /** Makes an integration that may publish, with a key that is limited to a scope. */
  const newScoped = async (scope: Scope): Promise<{ readonly id: string; readonly key: string }> => {
    const line = endpointLine('integrations/create');
    const item = { name: `Only ${scope}`, can_publish: true, api_keys: [{ scopes: [scope] }] };
    const request = { ...requestFor(line, {}, ownersCredentials()), body: JSON.stringify({ integrations: [item] }) };
    const [{ id, api_keys }] = succeeded(await place.send(request), `a key for ${scope}`).integrations;
    return { id, key: keyOf(api_keys[0]) };
  };
  const scoped = await Promise.all(scopes.map(async (scope) => ({ scope, ...(await newScoped(scope)) })));
  const integrations = {
    first: byName['Demo integration'] ?? '',
    second: byName['Other integration'] ?? '',
    ...(Object.fromEntries(scoped.map(({ scope, id }) => [scope, id])) as Record<Scope, string>),
  };

  const [owner] = (await get('users/read', '/admin/users/me/')).users;

  const confidential: string[] = [];
  const newEmail = (): string => {
    const email = `reader.${randomBytes(6).toString('hex')}@example.org`;
    confidential.push(email);
    return email;
  };
  const common = () => ({
    email: newEmail(),
    address: owner.email,
    member_slug: owner.slug,
    role_id: roles.Author ?? '',
    integration_id: integrations.first,
    target_url: `${place.receiver}/${randomBytes(6).toString('hex')}`,
    since: new Date(Date.now() - 3_600_000).toISOString(),
    until: new Date().toISOString(),
  });

  const newWebhookOf: World['newWebhookOf'] = async (integration) => {
    const values = { ...common(), integration_id: integration };
    confidential.push(values.target_url);
    return { ...values, id: (await ask('webhooks/create', values)).webhooks[0].id };
  };
  const newIntegration: World['newIntegration'] = async () => {
    const [{ id, api_keys }] = (await ask('integrations/create', common())).integrations;
    return { id, credentials: credentialsOf(keyOf(api_keys[0])) };
  };
  const newestUser = async (email: string): Promise<string> => {
    const { users } = await get('users/list', `/admin/users/?filter=email:'${email}'`);
    return users[0].id;
  };
  const requestSignIn = async (email: string): Promise<string> => {
    succeeded(await place.send(requestFor(endpointLine('sessions/request'), { email })), 'requesting a sign-in link');
    return place.tokenFor(email);
  };
  const newSession = async (email: string) => {
    const token = await requestSignIn(email);
    const answer = await place.send(requestFor(endpointLine('sessions/create'), { token }));
    const [{ id }] = succeeded(answer, 'signing in').sessions;
    return { id, cookie: cookieIn(answer) ?? '' };
  };
  const newMember = async (): Promise<string> => {
    const values = common();
    await ask('invites/create', values);
    await ask('invites/accept', { ...values, token: await place.tokenFor(values.email) });
    return values.email;
  };
  const newParent = async (names: Expectation['names'], { party = 'first', role = '' }: Target): Promise<string> => {
    const values = common();
    if (names === 'integration') {
      const [{ id }] = (await ask('integrations/create', values)).integrations;
      // It is a relay, too, which needs a secret.
      await ask('integrations/replace-inbound-secret', { id });
      return id;
    }
    if (names === 'user') return newestUser(await newMember());
    if (names === 'session') return (await newSession(owner.email)).id;
    if (names === 'recovery') {
      const request = requestFor(
        endpointLine('recoveries/create'),
        values,
        credentialsOf(place.integrationKeys[party === 'first' ? 'first' : 'second'])(),
      );
      return succeeded(await place.send(request), 'a recovery').recoveries[0].id;
    }
    if (names === 'invite')
      return (await ask('invites/create', { ...values, role_id: roles[role] ?? '' })).invites[0].id;
    return (await newWebhookOf(integrations[party])).id;
  };
  const newChild: World['newChild'] = async (parameter, id) => {
    if (parameter === 'delivery_id') return (await ask('webhooks/ping', { id })).pings[0].delivery_id;
    if (parameter === 'replay_id') return (await ask('replays/create', { ...common(), id })).replays[0].id;
    if (parameter === 'session_id')
      return (await newSession((await get('users/read', `/admin/users/${id}/`)).users[0].email)).id;
    if (parameter !== 'key_id') throw new Error(`test/attack/world.ts cannot create what {${parameter}} names.`);
    const { integrations: found } = await get('integrations/read', `/admin/integrations/${id}/?include=api_keys`);
    return found[0].api_keys[0].id;
  };
  const childFor = async (names: Expectation['names'], target: Target, parameter: string, id: string) => {
    if (target.child === 'malformed') return malformedId;
    if (target.child === 'unknown' || target.state !== 'known') return unknownId;
    return newChild(parameter, target.child === 'foreign' ? await newParent(names, target) : id);
  };
  const create: World['create'] = async (names, target, children) => {
    const values: Record<string, string> = common();
    if (names === 'nothing') return values;
    if (names === 'site' || names === 'move') {
      await place.send(requestFor(endpointLine('moves/delete'), values, ownersCredentials()));
      if (names === 'move') await ask('moves/update', values);
      return values;
    }
    if (names === 'role') return { ...values, role_id: (target.role && roles[target.role]) || unknownId };
    if (names === 'sign-in link') {
      const token = target.state === 'unknown' ? 'x'.repeat(43) : await requestSignIn(await newMember());
      return { ...values, token };
    }
    if (names === 'link') {
      if (target.state === 'unknown') return { ...values, token: `${unknownId}${'x'.repeat(43)}` };
      await ask('invites/create', values);
      const token = await place.tokenFor(values.email ?? '');
      confidential.push(token);
      return { ...values, token };
    }
    const made = { known: () => newParent(names, target), unknown: () => unknownId, malformed: () => malformedId };
    const id = await made[target.state]();
    for (const parameter of children) values[parameter] = await childFor(names, target, parameter, id);
    return { ...values, id };
  };

  const [deleted] = (await ask('integrations/create', common())).integrations;
  await ask('integrations/delete', { id: deleted.id });
  const session = await newSession(owner.email);
  const inSession = (cookie: string) => () => cookieHeaders(cookie, place.origin);
  const now = () => Math.floor(Date.now() / 1000);
  const callers: readonly Caller[] = [
    ...Object.entries(place.staffKeys).map(([role, key]) => withKey(role, key, { kind: 'staff', role })),
    ...(['first', 'second'] as const).map((party) =>
      withKey(`${party} integration`, place.integrationKeys[party], { kind: 'integration', party }),
    ),
    ...scoped.map(({ scope, key }) =>
      withKey(`a key limited to ${scope}`, key, { kind: 'integration', party: scope, scope }),
    ),
    { name: 'Owner in a session', kind: 'staff', role: 'Owner', inSession: true, headers: inSession(session.cookie) },
    { name: 'no key', kind: 'anonymous' },
    withKey('a deleted key', keyOf(deleted.api_keys[0])),
    withKey('another secret', `${ownerKey.split(':')[0]}:${randomBytes(32).toString('hex')}`),
    impostor('an unsigned token', () => tokenWith(ownerKey, { header: { alg: 'none' } }).replace(/[^.]+$/, '')),
    impostor('an old token', () => tokenWith(ownerKey, { claims: { iat: now() - 900, exp: now() + 300 } })),
    { name: 'an altered cookie', kind: 'impostor', headers: inSession(session.cookie.replace(/.{8}$/, 'AAAAAAAA')) },
    impostor('a token of another API', () => tokenWith(ownerKey, { claims: { aud: '/content/' } })),
  ];
  return {
    place,
    callers,
    ownersCredentials,
    integrations,
    roles,
    create,
    newIntegration,
    credentialsOf,
    newWebhookOf,
    newChild,
    confidential,
  };
};

const keyOf = ({ id, secret }: { readonly id: string; readonly secret: string }): string =>
  secret.includes(':') ? secret : `${id}:${secret}`;

const withKey = (name: string, key: string, who: Omit<Caller, 'name'> = { kind: 'impostor' }): Caller => ({
  name,
  ...who,
  headers: credentialsOf(key),
});

const credentialsOf = (key: string) => () => ({ Authorization: `Ghost ${adminToken(key)}` });

const impostor = (name: string, token: () => string): Caller => ({
  name,
  kind: 'impostor',
  headers: () => ({ Authorization: `Ghost ${token()}` }),
});
