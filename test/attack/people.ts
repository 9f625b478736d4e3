/** Attacks on people: their addresses, their rights, their sign-in and their names. */
import { randomBytes } from 'node:crypto';
import type { FunctionName } from '../../shared/contract.ts';
import { tokenIn } from '../support/invites.ts';
import { endpointLine } from '../support/openapi.ts';
import { browserIn } from '../support/sessions.ts';
import type { Attack } from './attack.ts';
import { type AttackAnswer, type AttackRequest, requestFor } from './request.ts';
import type { World } from './world.ts';

type Headers = AttackRequest['headers'];

const send = (
  { place }: World,
  name: FunctionName,
  path: string,
  headers: Headers = {},
  body?: object | string,
): Promise<AttackAnswer> =>
  place.send({
    line: endpointLine(name),
    path,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

const newAddress = (): string => `person.${randomBytes(6).toString('hex')}@example.org`;

const headersOf = ({ callers }: World, name: string): Headers =>
  callers.find((caller) => caller.name === name)?.headers?.() ?? {};

const invite = (world: World, headers: Headers, item: object): Promise<AttackAnswer> =>
  send(world, 'invites/create', '/admin/invites/', headers, { invites: [item] });

const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };

/** A member who has joined by the page of a mailed invitation. */
const newMember = async (world: World, role: string) => {
  const email = newAddress();
  await invite(world, world.ownersCredentials(), { email, role_id: world.roles[role] });
  const path = `/invitation/${await world.place.tokenFor(email)}/`;
  const joined = await send(world, 'invites/accept-page', path, form, 'name=Mallory');
  const session = /masthead_session=([^;]+)/.exec(joined.headers['set-cookie'] ?? '')?.[1] ?? '';
  const inSession = { Cookie: `masthead_session=${session}`, Origin: world.place.origin };
  return { id: session.slice(0, 24), email, browser: browserIn(joined) ?? '', inSession };
};

const evil = { Origin: 'https://evil.example' };

export const attacksOnPeople: Readonly<Record<string, Attack>> = {
  'a link without mail takes over an address': async (world) => {
    const email = newAddress();
    const author = { email, role_id: world.roles.Author };
    await invite(world, world.ownersCredentials(), author);
    const unmailed = { ...author, send_email: false };
    const answers = [
      await invite(world, headersOf(world, 'first integration'), { ...unmailed, email: newAddress() }),
      await invite(world, headersOf(world, 'Editor'), { ...unmailed, email: newAddress() }),
      await invite(world, headersOf(world, 'Administrator'), { ...unmailed, role_id: world.roles.Administrator }),
    ];
    return { answered: answers.map(({ status }) => status), expected: [403, 403, 403] };
  },
  'an Administrator who was demoted makes another one with an old link': async (world) => {
    const { id, inSession } = await newMember(world, 'Administrator');
    const item = { email: newAddress(), role_id: world.roles.Administrator, send_email: false };
    const made = await invite(world, inSession, item);
    const token = tokenIn(made.body.invites[0].link) ?? '';
    const users = [{ roles: [world.roles.Editor] }];
    await send(world, 'users/update', `/admin/users/${id}/`, world.ownersCredentials(), { users });
    const invitation = [{ token, name: 'Mallory', password: 'correct horse' }];
    const path = '/admin/authentication/invitation/';
    const { status } = await send(world, 'invites/accept', path, {}, { invitation });
    return { answered: [made.status, status], expected: [201, 404] };
  },
  'an Administrator who was removed makes another one with an old link': async (world) => {
    const { id, inSession } = await newMember(world, 'Administrator');
    const item = { email: newAddress(), role_id: world.roles.Administrator, send_email: false };
    const made = await invite(world, inSession, item);
    const token = tokenIn(made.body.invites[0].link) ?? '';
    await send(world, 'users/delete', `/admin/users/${id}/`, world.ownersCredentials());
    const invitation = [{ token, name: 'Mallory', password: 'correct horse' }];
    const path = '/admin/authentication/invitation/';
    const { status } = await send(world, 'invites/accept', path, {}, { invitation });
    return { answered: [made.status, status], expected: [201, 404] };
  },
  'a cookie of another host stands beside that of a member': async (world) => {
    const [member, mallory] = [await newMember(world, 'Author'), await newMember(world, 'Author')];
    const Cookie = `${mallory.inSession.Cookie}; ${member.inSession.Cookie}`;
    const answers = [
      await send(world, 'users/read', '/admin/users/me/', member.inSession),
      await send(world, 'users/read', '/admin/users/me/', { ...member.inSession, Cookie }),
    ];
    return { answered: answers.map(({ status }) => status), expected: [200, 401] };
  },
  'a new key resets an hourly limit': async (world) => {
    const { id, credentials } = await world.newIntegration();
    const replay = async (headers: Headers): Promise<number> => {
      const values = await world.newWebhookOf(id);
      return (await world.place.send(requestFor(endpointLine('replays/create'), values, headers))).status;
    };
    let status = 0;
    for (let sent = 0; sent < 100 && status < 300; sent++) status = await replay(credentials());
    const key_id = await world.newChild('key_id', id);
    const line = endpointLine('integrations/refresh-key');
    const renewed = await world.place.send(requestFor(line, { id, key_id }, world.ownersCredentials()));
    const { secret } = renewed.body.integrations[0].api_keys[0] as { readonly secret: string };
    return { answered: [status, await replay(world.credentialsOf(secret)())], expected: [429, 429] };
  },
  'a name carries a web address into mails': async (world) => {
    const name = 'ACTION REQUIRED https://evil.example';
    const answers = [
      await send(world, 'users/update', '/admin/users/me/', headersOf(world, 'Editor'), { users: [{ name }] }),
      await send(world, 'integrations/create', '/admin/integrations/', world.ownersCredentials(), {
        integrations: [{ name }],
      }),
    ];
    return { answered: answers.map(({ status }) => status), expected: [422, 422] };
  },
  'strangers keep a member from signing in': async (world) => {
    const { email, browser } = await newMember(world, 'Author');
    const path = '/admin/session/';
    const request = async (headers: Headers): Promise<number> =>
      (await send(world, 'sessions/request', path, headers, { sessions: [{ email }] })).status;
    let status = 0;
    for (let sent = 0; sent < 100 && status < 300; sent++) status = await request({});
    const known = { Cookie: `masthead_browser=${browser}`, Origin: world.place.origin };
    return { answered: [status, await request(known)], expected: [429, 202] };
  },
  'a page signs its visitor in, or a mail scanner uses a link': async (world) => {
    const { email, browser } = await newMember(world, 'Author');
    const known = { Cookie: `masthead_browser=${browser}`, Origin: world.place.origin };
    await send(world, 'sessions/request', '/admin/session/', known, { sessions: [{ email }] });
    const token = await world.place.tokenFor(email);
    const body = { sessions: [{ token }] };
    const own = { Origin: world.place.origin };
    const page = `/sign-in/${token}/`;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'cross-site' };
    const answers = [
      await send(world, 'sessions/create-on-page', page, form, ''),
      await send(world, 'sessions/create', '/admin/session/', evil, body),
      await send(world, 'sessions/show-page', page, {}),
      await send(world, 'sessions/show-page', page, {}),
      await send(world, 'sessions/create', '/admin/session/', own, body),
    ];
    return { answered: answers.map(({ status }) => status), expected: [400, 403, 200, 200, 201] };
  },
  'a stolen session makes a token without a trace': async (world) => {
    const { id, inSession } = await newMember(world, 'Author');
    const made = await send(world, 'users/renew-token', '/admin/users/me/token/', inSession);
    const path = `/admin/audit/?target=${id}&action=staff.token.renewed`;
    const found = await send(world, 'audit/list', path, world.ownersCredentials());
    return { answered: [made.status, found.body.audit.length], expected: [200, 1] };
  },
};
