/** How staff manage integrations: list, read, create, update, and replace keys. */
import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { integrationResource } from '../../shared/integrations/integration.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
afterEach(() => vi.useRealTimers());

/** The only integration of a response, checked against its schema. */
const only = (answer: TestResponse) => {
  expect(Object.keys(answer.body)[0]).toBe('integrations');
  expect(answer.body.integrations).toHaveLength(1);
  return v.parse(integrationResource, answer.body.integrations[0]);
};

const add = async (fields: Record<string, unknown> = {}, query = '') =>
  only(
    await stack.call('integrations/create', {
      path: `/admin/integrations/${query}`,
      key: keys.owner,
      body: { integrations: [{ name: 'Shop', ...fields }] },
    }),
  );

const read = (id: string, query = '') =>
  stack.call('integrations/read', { path: `/admin/integrations/${id}/${query}`, key: keys.owner });

const edit = (id: string, fields: Record<string, unknown>, query = '') =>
  stack.call('integrations/update', {
    path: `/admin/integrations/${id}/${query}`,
    key: keys.owner,
    body: { integrations: [fields] },
  });

const browse = (query: string) =>
  stack.call('integrations/list', { path: `/admin/integrations/${query}`, key: keys.owner });

const subscribe = (integration: string, name: string) =>
  stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key: keys.owner,
    body: {
      webhooks: [
        {
          event: 'post.published',
          target_url: `http://127.0.0.1/${name}`,
          secret: 'sesame',
          integration_id: integration,
        },
      ],
    },
  });

const refresh = (id: string, key: string, body?: unknown) =>
  stack.call('integrations/refresh-key', {
    path: `/admin/integrations/${id}/api_key/${key}/refresh/`,
    key: keys.owner,
    ...(body !== undefined && { body }),
  });

const rolesWith = (key: string) => stack.call('roles/list', { path: '/admin/roles/', key });

describe('POST /admin/integrations/', () => {
  it('creates an integration with a key that works at once, and returns its Location', async () => {
    const answer = await stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: { integrations: [{ name: 'Käse & Wein' }] },
    });
    expect(answer.status).toBe(201);
    const integration = only(answer);
    expect(integration).toMatchObject({
      type: 'custom',
      name: 'Käse & Wein',
      slug: 'kase-wein',
      icon_image: null,
      description: null,
      contact_email: null,
      can_publish: false,
      updated_at: integration.created_at,
    });
    expect(answer.headers.location).toBe(`${stack.baseUrl}/admin/integrations/${integration.id}/`);
    const [key, ...others] = integration.api_keys ?? [];
    expect(others).toEqual([]);
    expect(key).toMatchObject({ type: 'admin', integration_id: integration.id });
    expect(key?.secret?.split(':')[0]).toBe(key?.id);
    expect((await rolesWith(key?.secret ?? '')).status).toBe(200);
  });

  it('returns the secret of a new key only once', async () => {
    const { id, api_keys } = await add();
    const [key] = api_keys ?? [];
    for (const answer of [
      await read(id, '?include=api_keys'),
      await edit(id, { name: 'Shop 2' }, '?include=api_keys'),
      await browse('?include=api_keys,webhooks'),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(key?.id);
      expect(answer.text).not.toContain(key?.secret?.split(':')[1]);
    }
  });

  it('accepts all writable fields, and stores an empty description or address as null', async () => {
    const full = { name: 'Shop', description: 'Sells', contact_email: 'Ops@Example.com', can_publish: true };
    expect(await add(full)).toMatchObject(full);
    expect(await add({ description: '', contact_email: '' })).toMatchObject({ description: null, contact_email: null });
  });

  it('lists all invalid fields', async () => {
    const answer = await stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: {
        integrations: [{ name: ' ', description: 'x'.repeat(2001), contact_email: 'no-address', can_publish: 'yes' }],
      },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ type: 'ValidationError', property: 'name' });
    expect(answer.body.errors[0].details.map(({ field }: { field: string }) => field)).toEqual([
      'name',
      'description',
      'contact_email',
      'can_publish',
    ]);
  });

  it.each([
    ['no name', [{ description: 'x' }], 422, 'name'],
    ['two items', [{ name: 'a' }, { name: 'b' }], 422, 'integrations'],
    ['an empty object', [{}], 400, null],
  ])('refuses %s', async (_title, integrations, status, property) => {
    const answer = await stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: { integrations },
    });
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0].property).toBe(property);
  });
});

describe('who can manage integrations', () => {
  const id = '0123456789abcdef01234567';
  const requests = [
    ['integrations/list', '/admin/integrations/', undefined],
    ['integrations/create', '/admin/integrations/', { integrations: [{ name: 'x' }] }],
    ['integrations/update', `/admin/integrations/${id}/`, { integrations: [{ name: 'x' }] }],
    ['integrations/delete', `/admin/integrations/${id}/`, undefined],
    ['integrations/refresh-key', `/admin/integrations/${id}/api_key/${id}/refresh/`, undefined],
  ] as const;

  it.each(requests)(
    'refuses %s to integrations and to other roles than Owner and Administrator',
    async (name, path, body) => {
      const { Owner, Administrator, ...others } = keys.staff;
      for (const key of [keys.integration, ...Object.values(others)]) {
        const answer = await stack.call(name, { path, key, body });
        expect(answer.status).toBe(403);
        expect(answer.body.errors[0].type).toBe('NoPermissionError');
      }
      for (const key of [Owner, Administrator]) {
        const answer = await stack.call(name, { path, key: key ?? '', body });
        expect(answer.status).not.toBe(403);
      }
    },
  );
});

describe('GET /admin/integrations/{id}/', () => {
  const readWith = (key: string, id: string) =>
    stack.call('integrations/read', { path: `/admin/integrations/${id}/?include=webhooks`, key });

  it('returns an integration with its webhooks to the integration’s own key', async () => {
    const { id, name, api_keys } = await add();
    const webhook = (await subscribe(id, 'own')).body.webhooks[0];
    const own = only(await readWith(api_keys?.[0]?.secret ?? '', id));
    expect(own).toMatchObject({ id, name });
    expect(own.webhooks).toEqual([{ ...webhook, secret: null }]);
  });

  it('returns 403 to the key of another integration, and 404 for an unknown one', async () => {
    const { id } = await add();
    expectRefusal(await readWith(keys.integration, id), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await readWith(keys.integration, 'f'.repeat(24)), { status: 404, type: 'NotFoundError' });
  });

  it('is closed to staff except the Owner and Administrators', async () => {
    const { id } = await add();
    for (const [role, key] of Object.entries(keys.staff)) {
      const isAllowed = role === 'Owner' || role === 'Administrator';
      expect((await readWith(key, id)).status, role).toBe(isAllowed ? 200 : 403);
    }
  });
});

describe('GET /admin/integrations/', () => {
  it('returns every integration once, page by page', async () => {
    const added = [await add({ name: 'one' }), await add({ name: 'two' }), await add({ name: 'three' })];
    const all = await browse('');
    expect(all.body.meta.pagination).toEqual({ limit: 100, next: null });
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const page: TestResponse = await browse(`?limit=2${next === null ? '' : `&cursor=${next}`}`);
      expect(page.body.integrations.length).toBeLessThanOrEqual(2);
      seen.push(...page.body.integrations.map(({ id }: { id: string }) => id));
      next = page.body.meta.pagination.next;
    } while (next !== null);
    expect(seen).toEqual(all.body.integrations.map(({ id }: { id: string }) => id));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(added.map(({ id }) => id)));
  });

  it('also lists the seeded integrations', async () => {
    const seeded = (await browse('?limit=all&include=api_keys')).body.integrations.flatMap(
      ({ api_keys }: { api_keys: { id: string }[] }) => api_keys.map(({ id }) => id),
    );
    expect(seeded).toContain(keys.integration.split(':')[0]);
    expect(seeded).toContain(keys.otherIntegration.split(':')[0]);
  });

  it.each(['limit=0', 'limit=101', 'limit=many', 'cursor=x'])('refuses the query ?%s', async (query) => {
    const answer = await browse(`?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].property).toBe(query.split('=')[0]);
  });

  it('includes webhooks and keys if asked, and ignores unknown names as Ghost does', async () => {
    const { id } = await add();
    await subscribe(id, 'included');
    expect(Object.keys(only(await read(id)))).not.toContain('webhooks');
    expect(only(await read(id, '?include=permissions'))).toEqual(only(await read(id)));
    const [webhook] = only(await read(id, '?include=webhooks')).webhooks ?? [];
    expect(webhook).toMatchObject({ integration_id: id, target_url: 'http://127.0.0.1/included', secret: null });
    expect(Object.keys(webhook ?? {})).toHaveLength(13);
    expect(only(await read(id, '?include=webhooks,api_keys')).api_keys).toHaveLength(1);
  });

  it('lists the newest webhook of an integration first', async () => {
    const { id } = await add();
    for (const name of ['first', 'second', 'third']) await subscribe(id, name);
    const ids = (only(await read(id, '?include=webhooks')).webhooks ?? []).map((webhook) => webhook.id);
    expect(ids).toHaveLength(3);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });
});

describe('reading and updating an integration', () => {
  const unknown = '0123456789abcdef01234567';

  it('returns what was created', async () => {
    const { api_keys: _, ...created } = await add({ description: 'Sells' });
    expect(only(await read(created.id))).toEqual(created);
  });

  it('changes the given fields, keeps the other fields and the slug, and sets updated_at', async () => {
    const before = await add({ description: 'Sells', contact_email: 'ops@example.com' });
    const after = only(await edit(before.id, { id: before.id, name: 'Store', can_publish: true, description: null }));
    expect(after).toMatchObject({
      name: 'Store',
      slug: before.slug,
      description: null,
      contact_email: 'ops@example.com',
      can_publish: true,
      created_at: before.created_at,
    });
    expect(after.updated_at >= before.updated_at).toBe(true);
    expect(only(await read(before.id))).toEqual(after);
  });

  it('ignores fields that are not writable', async () => {
    const before = await add();
    const sent = { type: 'builtin', slug: 'x', created_at: 'x', deleting_since: 'x', api_keys: [], name: before.name };
    const { updated_at: _, ...after } = only(await edit(before.id, sent));
    const { updated_at: __, api_keys: ___, ...same } = before;
    expect(after).toEqual(same);
  });

  it('returns 404 for an unknown id, 422 for a malformed id, and 400 if the body has another id', async () => {
    expect((await read(unknown)).status).toBe(404);
    expect((await edit(unknown, { name: 'x' })).status).toBe(404);
    expect((await read('UNKNOWN')).body.errors[0]).toMatchObject({ type: 'ValidationError', property: 'id' });
    const { id } = await add();
    expect((await edit(id, { id: unknown, name: 'x' })).status).toBe(400);
  });

  it('allows publishing as soon as can_publish is set', async () => {
    const { id, api_keys } = await add();
    const publish = () =>
      stack.call('events/publish', {
        path: '/admin/events/',
        key: api_keys?.[0]?.secret ?? '',
        body: { events: [{ event: 'site.changed', payload: {} }] },
      });
    expect((await publish()).status).toBe(403);
    await edit(id, { can_publish: true });
    expect((await publish()).status).toBe(202);
  });
});

describe('POST /admin/integrations/{id}/api_key/{key_id}/refresh/', () => {
  it('replaces a key: the response shows the new secret once, and the old key is invalid', async () => {
    const { id, api_keys } = await add();
    const [old] = api_keys ?? [];
    // The body that Ghost's settings page sends; none is required.
    const answer = await refresh(id, old?.id ?? '', { integrations: [{ id }] });
    expect(answer.status).toBe(200);
    const [key, ...others] = only(answer).api_keys ?? [];
    expect(others).toEqual([]);
    expect(key?.id).not.toBe(old?.id);
    expect((await rolesWith(key?.secret ?? '')).status).toBe(200);
    expect((await rolesWith(old?.secret ?? '')).body.errors[0].code).toBe('UNKNOWN_ADMIN_API_KEY');
    expect(only(await read(id, '?include=api_keys')).api_keys).toEqual([
      { ...key, secret: null, last_seen_at: expect.any(String) },
    ]);
  });

  it('succeeds for one of two concurrent requests for the same key', async () => {
    const { id, api_keys } = await add();
    const old = api_keys?.[0]?.id ?? '';
    const answers = await Promise.all([refresh(id, old), refresh(id, old)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(only(await read(id, '?include=api_keys')).api_keys).toHaveLength(1);
  });

  it('replaces a key with an overlap, in which the old key still works', async () => {
    const { id, api_keys } = await add();
    const [old] = api_keys ?? [];
    const before = Date.now();
    const answer = await refresh(id, old?.id ?? '', { api_keys: [{ previous_valid_hours: 2 }] });
    expect(answer.status).toBe(200);
    const [key, previous, ...others] = only(answer).api_keys ?? [];
    expect([key?.valid_until, others]).toEqual([null, []]);
    expect(previous).toMatchObject({ id: old?.id, secret: null });
    const end = Date.parse(previous?.valid_until ?? '');
    expect(Math.round((end - before) / 60_000)).toBe(120);
    for (const secret of [key?.secret, old?.secret]) expect((await rolesWith(secret ?? '')).status).toBe(200);
    const list = async () =>
      only(await read(id, '?include=api_keys'))
        .api_keys?.map((one) => one.id)
        .sort();
    expect(await list()).toEqual([old?.id, key?.id].sort());
    vi.useFakeTimers({ toFake: ['Date'], now: end });
    // Also in an environment that has just cached it
    expect((await rolesWith(old?.secret ?? '')).body.errors[0].code).toBe('UNKNOWN_ADMIN_API_KEY');
    expect((await rolesWith(key?.secret ?? '')).status).toBe(200);
    expect(await list()).toEqual([key?.id]);
  });

  it('leaves at most two keys: a further replacement ends the oldest one', async () => {
    const { id, api_keys } = await add();
    const overlap = { api_keys: [{ previous_valid_hours: 168 }] };
    const first = api_keys?.[0]?.id ?? '';
    const [second] = only(await refresh(id, first, overlap)).api_keys ?? [];
    const again = await refresh(id, first, overlap);
    expect([again.status, again.body.errors[0].property]).toEqual([422, 'key_id']);
    const [third] = only(await refresh(id, second?.id ?? '', overlap)).api_keys ?? [];
    const left = only(await read(id, '?include=api_keys')).api_keys?.map((one) => one.id);
    expect(left?.sort()).toEqual([second?.id, third?.id].sort());
    const now = only(await refresh(id, third?.id ?? '')).api_keys ?? [];
    expect(only(await read(id, '?include=api_keys')).api_keys).toEqual([{ ...now[0], secret: null }]);
  });

  it.each([-1, 1.5, 169, '2', null])('refuses an overlap of %s hours', async (previous_valid_hours) => {
    const { id, api_keys } = await add();
    const answer = await refresh(id, api_keys?.[0]?.id ?? '', { api_keys: [{ previous_valid_hours }] });
    expect([answer.status, answer.body.errors[0].property]).toEqual([422, 'previous_valid_hours']);
  });

  it('returns 404 for an unknown integration, and for the key of another integration', async () => {
    const [one, other] = [await add(), await add()];
    const others = other.api_keys?.[0]?.id ?? '';
    expect((await refresh('0123456789abcdef01234567', others)).status).toBe(404);
    const answer = await refresh(one.id, others);
    expect(answer.status).toBe(404);
    expect(answer.body.errors[0].property).toBe('key_id');
    expect((await rolesWith(other.api_keys?.[0]?.secret ?? '')).status).toBe(200);
  });
});
