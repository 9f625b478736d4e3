/** Paths with a version, which clients of Ghost before 5.0 call and which Ghost 6 still rewrites. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { versionedLines } from '../../shared/contract.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { newUrl } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();

/** The token of a client of that time: its audience has the version. */
const tokenFor = (version: string, key: string): string => {
  const [kid, secret = ''] = key.split(':');
  const iat = Math.floor(Date.now() / 1000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode({ iat, exp: iat + 300, aud: `/${version}/admin/` })}`;
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`;
};

describe.each([
  ['v2', 'v2'],
  ['v3', 'v3'],
  ['v4', 'v4'],
  ['canary', 'v4'],
])('the version %s', (version, named) => {
  const call = (name: Parameters<typeof stack.call>[0], path: string, request: object = {}) =>
    stack.call(name, { path: `/${version}/admin${path}`, ...request });
  const headers = { Authorization: `Ghost ${tokenFor(version, keys.integration)}` };
  const isDeprecated = (path: string) => ({
    deprecation: `version="${named}"`,
    link: `<${stack.baseUrl}/admin${path}>; rel="latest-version"`,
  });

  it('manages webhooks as the path without a version does, and says that it is deprecated', async () => {
    const webhooks = [{ event: 'post.published', target_url: newUrl() }];
    const created = await call('webhooks/create', '/webhooks/', { headers, body: { webhooks } });
    expect(created.status, created.text).toBe(201);
    expect(created.headers).toMatchObject(isDeprecated('/webhooks/'));
    const [{ id }] = created.body.webhooks;
    const renamed = await call('webhooks/update', `/webhooks/${id}/`, {
      headers,
      body: { webhooks: [{ name: 'New' }] },
    });
    expect(renamed).toMatchObject({ status: 200, body: { webhooks: [{ name: 'New' }] } });
    expect((await call('webhooks/delete', `/webhooks/${id}/`, { headers })).status).toBe(204);
  });

  it('lists roles and shows the site', async () => {
    expect(await call('roles/list', '/roles/', { headers })).toMatchObject({ status: 200 });
    expect(await call('site/read', '/site/')).toMatchObject({ status: 200, headers: isDeprecated('/site/') });
  });

  it('invites, with the place of the invite at the path without a version', async () => {
    const { roles } = (await call('roles/list', '/roles/', { key: keys.owner })).body;
    const role_id = roles.find(({ name }: { readonly name: string }) => name === 'Author').id;
    const invites = [{ role_id, email: `${version}@example.com` }];
    const invited = await call('invites/create', '/invites/', { key: keys.owner, body: { invites } });
    expect(invited.status, invited.text).toBe(201);
    expect(invited.headers.location).toBe(`${stack.baseUrl}/admin/invites/${invited.body.invites[0].id}/`);
  });

  it('refuses with the same errors, and says that it is deprecated', async () => {
    const refused = await call('roles/list', '/roles/');
    expectRefusal(refused, { status: 403, type: 'NoPermissionError' });
    expect(refused.headers).toMatchObject(isDeprecated('/roles/'));
  });
});

it.each(['v1', 'v5', 'v44', 'V4', 'content', '__proto__', 'v4%2F'])('%s is no version: 404', async (version) => {
  const answer = await stack.call('roles/list', { path: `/${version}/admin/roles/`, key: keys.integration });
  expectRefusal(answer, { status: 404, type: 'NotFoundError' });
  expect(answer.headers).not.toHaveProperty('deprecation');
});

it('has the endpoints of Ghost only', () => {
  const paths = versionedLines().map(({ method, path }) => `${method} ${path}`);
  expect(paths).toContain('POST /{version}/admin/webhooks/');
  expect(paths.filter((path) => /deliveries|audit|events|session|relays|replays/.test(path))).toEqual([]);
});
