/** The log line of a request: found by the id of the error, and without secrets or personal data. */
import { describe, expect, it } from 'vitest';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import { takeLog } from '../support/log-lines.ts';
import { freshStack } from '../support/parts.ts';
import { newUrl } from '../support/webhooks.ts';

process.env.LOG_LEVEL = 'INFO';
process.env.METRICS_NAMESPACE = 'Masthead';
const stack = await freshStack();
const keys = await stack.seed();

const { text, lines } = takeLog();

const secretParts = () => [
  keys.integration.slice(25),
  'hunter2',
  'hooks.secret.example',
  'olive@secret.example',
  'My secret webhook',
  'Bearer',
];
const expectDiscretion = (token: string) => {
  const all = text();
  for (const part of [...secretParts(), token]) expect(all).not.toContain(part);
};

describe('the log line of a request', () => {
  it('contains the method, status, duration and requested version', async () => {
    const token = adminToken(keys.integration);
    const webhook = { event: 'site.changed', target_url: newUrl(), name: 'My secret webhook', secret: 'hunter2' };
    const answer = await stack.call('webhooks/create', {
      path: '/admin/webhooks/?q=olive@secret.example',
      headers: { Authorization: `Ghost ${token}`, 'Accept-Version': 'v5.130' },
      body: { webhooks: [webhook] },
    });
    expect(answer.status).toBe(201);
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 'INFO',
        message: 'answered',
        function: 'webhooks/create',
        method: 'POST',
        status: 201,
        duration_ms: expect.any(Number),
        accept_version: 'v5.130',
        request_id: expect.any(String),
      }),
    ]);
    expectDiscretion(token);
  });

  it('contains the key and the address, so that a query finds what a leaked key did, and from where', async () => {
    const headers = { Authorization: `Ghost ${adminToken(keys.integration)}` };
    await stack.call('roles/list', { path: '/admin/roles/', headers, sourceIp: '192.0.2.7' });
    await stack.call('webhooks/create', { path: '/admin/webhooks/', headers, body: {}, sourceIp: '192.0.2.8' });
    const key_id = keys.integration.slice(0, 24);
    expect(lines()).toEqual([
      expect.objectContaining({ message: 'answered', key_id, source_ip: '192.0.2.7' }),
      expect.objectContaining({ message: 'refused', key_id, source_ip: '192.0.2.8' }),
    ]);
  });

  it('contains the id of the error if the request was refused', async () => {
    const token = adminToken(keys.integration);
    const webhook = { event: 'nonsense', target_url: 'ftp://hooks.secret.example/', secret: ['hunter2'] };
    const answer = await stack.call('webhooks/create', {
      path: '/admin/webhooks/',
      headers: { Authorization: `Ghost ${token}` },
      body: { webhooks: [webhook] },
    });
    expect(answer.status).toBe(422);
    expect(lines()).toEqual([
      expect.objectContaining({
        message: 'refused',
        error_id: answer.body.errors[0].id,
        status: 422,
        type: 'ValidationError',
      }),
    ]);
    expectDiscretion(token);
  });

  it('does not contain a refused token', async () => {
    const token = adminToken(keys.integration, { exp: 1 });
    const answer = await stack.call('roles/list', {
      path: '/admin/roles/',
      headers: { Authorization: `Ghost ${token}` },
    });
    expect(lines()).toEqual([
      expect.objectContaining({ error_id: answer.body.errors[0].id, status: 401, code: 'INVALID_JWT' }),
    ]);
    expectDiscretion(token);
  });

  it('contains the key and the number of refused invites, but no address', async () => {
    const listed = await stack.call('roles/list', { path: '/admin/roles/', key: keys.owner });
    const { id: role_id } = listed.body.roles.find(({ name }: { name: string }) => name === 'Owner');
    const key = keys.staff.Editor ?? '';
    const emails = ['olive@secret.example', 'olga@secret.example'];
    const answer = await stack.call('invites/create', {
      path: '/admin/invites/',
      key,
      body: { invites: emails.map((email) => ({ email, role_id })) },
    });
    expect(answer.status).toBe(403);
    expect(lines()).toContainEqual(
      expect.objectContaining({
        message: 'refused',
        error_id: answer.body.errors[0].id,
        key_id: key.slice(0, 24),
        items: 2,
      }),
    );
    expect(lines()).toContainEqual(expect.objectContaining({ InvitesRefused: 2 }));
    for (const email of emails) expect(text()).not.toContain(email);
  });

  it('does not contain an unknown path, because that could contain a token', async () => {
    const answer = await stack.call('fallback/answer', { path: '/invitations/hunter2/' });
    expect(lines()).toEqual([expect.objectContaining({ error_id: answer.body.errors[0].id, status: 404 })]);
    expectDiscretion('hunter2');
  });
});
