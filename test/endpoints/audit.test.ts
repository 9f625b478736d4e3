/** The audit log has an entry for every change of people, keys, integrations, invites and sessions, without secrets. */
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { roleId } from '../../shared/accounts/role.ts';
import { auditResource } from '../../shared/audit/resource.ts';
import type { FunctionName } from '../../shared/contract.ts';
import { sha256 } from '../../shared/foundation/hash.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { cookieIn, signingIn } from '../support/sessions.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteAndMail, inviteOne, resend, revoke, staffWith } = await inviting(stack, keys);
const { signIn } = signingIn(stack);

afterEach(() => vi.useRealTimers());

const list = (query = '', key = keys.owner): Promise<TestResponse> =>
  stack.call('audit/list', { path: `/admin/audit/${query}`, key });
const ask = async (name: FunctionName, path: string, body?: object, key = keys.owner): Promise<TestResponse> => {
  const answer = await stack.call(name, { path, key, ...(body && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};
const [owner] = (await ask('users/read', '/admin/users/me/')).body.users;
const byOwner = { type: 'staff', id: owner.id, name: 'Olive Owner' };

const about = async (id: string) => (await list(`?target=${id}`)).body.audit;
const newIntegration = async () => {
  const { body } = await ask('integrations/create', '/admin/integrations/', { integrations: [{ name: 'Shop' }] });
  const [{ id, api_keys }] = body.integrations;
  return { id, path: `/admin/integrations/${id}/`, key: api_keys[0] };
};
const newMember = async () => {
  const email = newAddress();
  const { id: inviteId, token } = await inviteAndMail(email);
  await accept(token);
  const [member] = await staffWith(email);
  return { id: member?.id ?? expect.fail(), email, inviteId, path: `/admin/users/${member?.id}/` };
};

describe('the audit log records', () => {
  it('what the operator has created with the seed', async () => {
    const [entry] = await about(owner.id);
    expect(v.parse(auditResource, entry)).toMatchObject({
      actor: { type: 'operator', id: null, name: null },
      action: 'staff.added',
      target: { type: 'staff', name: 'Olive Owner' },
      changes: { role: { from: null, to: 'Owner' } },
    });
  });

  it('an integration from its creation to its deletion', async () => {
    const { id, path, key } = await newIntegration();
    await ask('integrations/update', path, { integrations: [{ name: 'Bookshop', can_publish: true }] });
    const refreshed = await ask('integrations/refresh-key', `${path}api_key/${key.id}/refresh/`);
    await ask('integrations/replace-inbound-secret', `${path}inbound_secret/`);
    await ask('integrations/delete', path);
    const target = { type: 'integration', id, name: 'Bookshop' };
    expect(await about(id)).toMatchObject([
      { action: 'integration.deleted', actor: byOwner, target },
      { action: 'integration.inbound_secret.replaced', actor: byOwner, target, changes: {} },
      {
        action: 'integration.key.replaced',
        target,
        changes: { key_id: { from: key.id, to: refreshed.body.integrations[0].api_keys[0].id } },
      },
      {
        action: 'integration.updated',
        target: { ...target, name: 'Shop' },
        changes: { name: { from: 'Shop', to: 'Bookshop' }, can_publish: { from: false, to: true } },
      },
      { action: 'integration.created', actor: byOwner, changes: { name: { from: null, to: 'Shop' } } },
    ]);
  });

  it('that header values, secrets and settings of a webhook changed, but not the values', async () => {
    const sent = { event: 'page.edited', target_url: 'https://api.github.com/repos/ada/blog/dispatches' };
    const options = { headers: { Authorization: 'hunter1' }, format: { type: 'github', token: 'hunter2' } };
    const made = await ask(
      'webhooks/create',
      '/admin/webhooks/',
      { webhooks: [{ ...sent, options }] },
      keys.integration,
    );
    const [{ id }] = made.body.webhooks;
    const change = (changed: object) =>
      ask('webhooks/update-options', `/admin/webhooks/${id}/options/`, { options: [changed] });
    await change({ headers: { Authorization: 'hunter3' }, format: { type: 'github', token: 'hunter4' } });
    await change({ headers: { Authorization: null }, format: { type: 'github', token: null } });
    const headers = { Authorization: 'hunter3' };
    await change({ format: { type: 'template', template: { text: 'one' } }, headers });
    await change({ format: { type: 'template', template: { text: 'two' } }, headers });
    const changed = { from: 'set', to: 'changed' };
    const entries = await about(id);
    expect(entries.map(({ changes }: { changes: object }) => changes)).toEqual([
      { 'options.format.template': changed },
      { 'options.format': { from: 'github', to: 'template' } },
      { 'options.headers.Authorization': changed, 'options.format.token': changed },
      expect.objectContaining({ 'options.headers': { from: null, to: 'Authorization' } }),
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/hunter/);
  });

  it('an invite and the new member, until the member is removed', async () => {
    const { id, email, inviteId, path } = await newMember();
    await ask('users/update', path, { users: [{ roles: [roleId('Editor')] }] });
    const { apiKey } = (await ask('users/renew-token', `${path}token/`)).body;
    await ask('users/delete', path);
    expect(await about(inviteId)).toMatchObject([
      {
        action: 'invite.created',
        actor: byOwner,
        target: { type: 'invite', name: email },
        changes: { role: { from: null, to: 'Author' } },
      },
    ]);
    const target = { type: 'staff', id, name: 'Ada Lovelace' };
    expect(await about(id)).toMatchObject([
      { action: 'staff.removed', actor: byOwner, target, changes: { email: { from: email, to: null } } },
      { action: 'staff.token.renewed', target, changes: { key_id: { from: null, to: apiKey.id } } },
      { action: 'staff.updated', target, changes: { role: { from: 'Author', to: 'Editor' } } },
      { action: 'staff.added', actor: target, target, changes: { invite_id: { to: inviteId } } },
    ]);
  });

  it('resent and revoked invites, and the name of an integration that sent an invite', async () => {
    const { id } = await inviteOne(newAddress(), keys.integration);
    expect((await resend(id)).status).toBe(200);
    expect((await revoke(id)).status).toBe(204);
    expect(await about(id)).toMatchObject([
      { action: 'invite.revoked', actor: byOwner },
      { action: 'invite.resent', actor: byOwner },
      { action: 'invite.created', actor: { type: 'integration', name: 'Demo integration' } },
    ]);
  });

  it('that a link was made without a mail, and who joined with it', async () => {
    const byLink = async (email: string) => {
      const invites = [{ email, role_id: roleId('Author'), send_email: false }];
      return (await ask('invites/create', '/admin/invites/', { invites })).body.invites[0];
    };
    const email = newAddress();
    const { id, link } = await byLink(email);
    await accept(/invitation\/([^/]+)/.exec(link)?.[1] ?? expect.fail());
    const [member] = await staffWith(email);
    expect(await about(id)).toMatchObject([
      { action: 'invite.created', actor: byOwner, changes: { send_email: { from: null, to: false } } },
    ]);
    expect(await about(member?.id ?? '')).toMatchObject([
      { action: 'staff.added', changes: { email_verified: { from: null, to: false } } },
    ]);
    const resent = await byLink(newAddress());
    expect((await resend(resent.id)).status).toBe(200);
    expect(await about(resent.id)).toMatchObject([
      { action: 'invite.resent', changes: { send_email: { from: false, to: true } } },
      { action: 'invite.created' },
    ]);
  });

  it('when sessions begin and end', async () => {
    const { id, email } = await newMember();
    const [first, second] = [await signIn(email), await signIn(email)];
    await stack.call('sessions/end-current', { path: '/admin/session/', cookie: first.cookie });
    await ask('users/end-session', `/admin/users/${id}/sessions/${second.id}/`);
    const actor = { type: 'staff', id, name: 'Ada Lovelace' };
    expect(await about(first.id)).toMatchObject([
      { action: 'session.ended', actor },
      { action: 'session.started', actor, target: { type: 'session', name: 'test' } },
    ]);
    expect(await about(second.id)).toMatchObject([{ action: 'session.ended', actor: byOwner }, { actor }]);
  });

  it('a sign-in through the invitation page', async () => {
    const { token } = await inviteAndMail(newAddress());
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };
    const path = `/invitation/${token}/`;
    const answer = await stack.call('invites/accept-page', { path, headers, body: 'name=Grace' });
    const session = (cookieIn(answer) ?? '').slice(24, 48);
    expect(await about(session)).toMatchObject([{ action: 'session.started', actor: { name: 'Grace' } }]);
  });

  it('a webhook from its creation to its deletion, with digests of the paths of its target URLs', async () => {
    const secret = 'a secret of the receiver';
    const item = { event: 'post.published', target_url: 'http://127.0.0.1/T1/B1/password', secret };
    const made = await ask('webhooks/create', '/admin/webhooks/', { webhooks: [item] }, keys.integration);
    const [{ id }] = made.body.webhooks;
    const path = `/admin/webhooks/${id}/`;
    const moved = { target_url: 'http://127.0.0.1/T1/B1/another', name: 'Posts' };
    await ask('webhooks/update', path, { webhooks: [moved] });
    await ask('webhooks/update', path, { webhooks: [moved] });
    await ask('webhooks/update', path, { webhooks: [{ event: 'page.published' }] });
    await ask('webhooks/disable', `${path}disable/`);
    await ask('webhooks/enable', `${path}enable/`);
    const { secrets } = (await ask('webhooks/rotate-secret', `${path}secret/`)).body;
    await ask('webhooks/delete', path);
    const target = { type: 'webhook', id, name: 'Posts', integration: { name: 'Demo integration' } };
    // A path can be a target's password, so the log has only its digest, which shows that the webhook has moved.
    const shown = (path: string) => `http://127.0.0.1/… (sha256 ${sha256(path).slice(0, 8)})`;
    const [password, another] = [shown('/T1/B1/password'), shown('/T1/B1/another')];
    const entries = await about(id);
    expect(entries).toMatchObject([
      { action: 'webhook.deleted', actor: byOwner, target, changes: { event: { from: 'page.published', to: null } } },
      { action: 'webhook.secret.rotated', actor: byOwner, target, changes: {} },
      { action: 'webhook.enabled', target, changes: { status: { from: 'disabled', to: 'available' } } },
      { action: 'webhook.disabled', target, changes: { status: { from: 'available', to: 'disabled' } } },
      { action: 'webhook.updated', target, changes: { event: { from: 'post.published', to: 'page.published' } } },
      {
        action: 'webhook.updated',
        changes: { target_url: { from: password, to: another }, name: { from: null, to: 'Posts' } },
      },
      {
        action: 'webhook.created',
        actor: { type: 'integration', name: 'Demo integration' },
        target: { name: expect.stringMatching(/^127\.0\.0\.1/) },
        changes: { target_url: { from: null, to: password } },
      },
    ]);
    const text = JSON.stringify(entries);
    for (const hidden of ['password', 'another', secret, secrets[0].secret]) expect(text).not.toContain(hidden);
  });

  it('what is sent again or for a trial: pings, redeliveries and replays', async () => {
    const item = { event: 'post.published', target_url: 'http://127.0.0.1/T1/B1/again' };
    const [{ id }] = (await ask('webhooks/create', '/admin/webhooks/', { webhooks: [item] }, keys.integration)).body
      .webhooks;
    const path = `/admin/webhooks/${id}/`;
    const [{ delivery_id }] = (await ask('webhooks/ping', `${path}ping/`)).body.pings;
    const again = await ask('deliveries/redeliver', `${path}deliveries/${delivery_id}/redeliver/`);
    const range = { since: '2026-01-01', until: '2026-01-02', status: 'failed' };
    await ask('replays/create', `${path}replays/`, { replays: [range] });
    const target = { type: 'webhook', id };
    expect((await about(id)).slice(0, 3)).toMatchObject([
      {
        action: 'webhook.replayed',
        actor: byOwner,
        target,
        changes: { since: { to: '2026-01-01T00:00:00.000Z' }, status: { to: 'failed' } },
      },
      {
        action: 'webhook.redelivered',
        actor: byOwner,
        target,
        changes: { delivery_id: { to: again.body.deliveries[0].id } },
      },
      { action: 'webhook.pinged', actor: byOwner, target, changes: { delivery_id: { to: delivery_id } } },
    ]);
  });

  it('what a comparison with a Ghost site has found', async () => {
    const { id, path } = await newIntegration();
    await ask('integrations/replace-inbound-secret', `${path}inbound_secret/`);
    await ask('relays/update', `/admin/relays/${id}/`, {
      relays: [{ unmoved: [{ event: 'post.published', count: 3 }] }],
    });
    const [entry] = await about(id);
    expect(entry).toMatchObject({
      action: 'relay.compared',
      actor: byOwner,
      changes: { unmoved: { from: null, to: 3 } },
    });
  });

  it('nothing if a request is refused or changes nothing', async () => {
    const { id, path } = await newMember();
    const before = await about(id);
    await ask('users/update', path, { users: [{ name: 'Ada Lovelace' }] });
    await stack.call('users/update', { path, key: keys.integration, body: { users: [{ name: 'Eve' }] } });
    expect(await about(id)).toEqual(before);
  });

  it('no secret, no token and no cookie', async () => {
    const { path, key } = await newIntegration();
    const refreshed = await ask('integrations/refresh-key', `${path}api_key/${key.id}/refresh/`);
    const { secrets } = (await ask('integrations/replace-inbound-secret', `${path}inbound_secret/`)).body;
    const { email, path: user } = await newMember();
    const { cookie, token } = await signIn(email);
    const { apiKey } = (await ask('users/renew-token', `${user}token/`)).body;
    const { Items = [] } = await stack.dynamodb.send(new ScanCommand({ TableName: stack.tableName }));
    const log = JSON.stringify(Items.filter(({ pk }) => pk?.S?.startsWith('AUDIT#')));
    expect(log).toContain(apiKey.id);
    for (const secret of [
      key.secret.slice(25),
      refreshed.body.integrations[0].api_keys[0].secret.slice(25),
      secrets[0].secret,
      cookie.slice(48),
      token,
      apiKey.secret,
    ])
      expect(log).not.toContain(secret);
  });
});

describe('GET /admin/audit/', () => {
  it('is open to the Owner and Administrators only', async () => {
    expect((await list('', keys.staff.Administrator)).status).toBe(200);
    for (const key of [keys.staff['Super Editor'], keys.staff.Editor, keys.staff.Author, keys.integration])
      expectRefusal(await list('', key), { status: 403, type: 'NoPermissionError' });
  });

  it('filters by actor, action and time', async () => {
    const { Administrator = '' } = keys.staff;
    const since = new Date().toISOString();
    const email = newAddress();
    const { id } = await inviteOne(email, Administrator);
    await revoke(id, Administrator);
    const [me] = (await ask('users/read', '/admin/users/me/', undefined, Administrator)).body.users;
    const actions = async (query: string) =>
      (await list(query)).body.audit.map(({ action }: { action: string }) => action);
    expect(await actions(`?actor=${me.id}&since=${since}`)).toEqual(['invite.revoked', 'invite.created']);
    expect(await actions(`?actor=${me.id}&since=${since}&action=invite.created`)).toEqual(['invite.created']);
    expect(await actions(`?actor=${me.id}&until=${since}`)).toEqual([]);
    expect(await actions(`?since=${since}&until=${since}`)).toEqual([]);
  });

  it.each([
    ['actor', 'x'],
    ['target', 'ABC'],
    ['action', 'staff.born'],
    ['since', 'yesterday'],
    ['until', '2026-02-30'],
    ['until', '2026-11-20&since=2026-11-21'],
    ['limit', '101'],
    ['cursor', 'x'],
  ])('returns 422 for an invalid %s', async (property, value) => {
    expectRefusal(await list(`?${property}=${value}`), { status: 422, type: 'ValidationError', property });
  });

  it('shows every entry once, newest first, page by page', async () => {
    const all = (await list()).body.audit.map(({ id }: { id: string }) => id);
    expect(all).toEqual(all.toSorted().reverse());
    const found: string[] = [];
    let next: string | null = null;
    do {
      const { body } = await list(`?limit=7${next === null ? '' : `&cursor=${next}`}`);
      expect(body.audit.length).toBeLessThanOrEqual(7);
      found.push(...body.audit.map(({ id }: { id: string }) => id));
      next = body.meta.pagination.next;
    } while (next !== null);
    expect(found).toEqual(all);
  });

  it('omits entries that are older than 90 days', async () => {
    expect((await list()).body.audit.length).toBeGreaterThan(0);
    const { Items = [] } = await stack.dynamodb.send(new ScanCommand({ TableName: stack.tableName }));
    const [entry] = Items.filter(({ pk }) => pk?.S?.startsWith('AUDIT#'));
    const days = (Number(entry?.expires_at?.N) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 91 * 86_400_000 });
    expect((await list()).body.audit).toEqual([]);
  });
});
