/** The record of the move of a Ghost site: what any machine needs to continue it or to undo it, kept by the stage. */
import { describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { items } = deliveryTools(stack, keys);

const site = 'f0c2a9d4-6b1e-4c58-9d3a-7e5f1b2c4d68';
const another = '11111111-6b1e-4c58-9d3a-7e5f1b2c4d68';
const ghostId = (digit: string) => digit.repeat(24);
const head = { from: 'https://blog.example', to: 'https://api.example.com/ghost/api' };
const original = {
  id: ghostId('a'),
  integration_id: ghostId('b'),
  event: 'post.published',
  target_url: 'https://shop.example.com/hook',
  name: null,
  api_version: 'v6.65',
  removed: false,
  copy_id: null,
};

const put = (changes: object, { of = site, key = keys.owner } = {}) =>
  stack.call('moves/update', { method: 'PUT', path: `/admin/moves/${of}/`, key, body: { moves: [changes] } });
const read = (of = site, key = keys.owner) => stack.call('moves/read', { path: `/admin/moves/${of}/`, key });
const readSecrets = (of = site, key = keys.owner) =>
  stack.call('moves/read-secrets', { method: 'POST', path: `/admin/moves/${of}/secrets/`, key });
const end = (of = site) =>
  stack.call('moves/delete', { method: 'DELETE', path: `/admin/moves/${of}/`, key: keys.owner });
const add = async (name: string): Promise<string> => {
  const body = { integrations: [{ name }] };
  const made = await stack.call('integrations/create', { path: '/admin/integrations/', key: keys.owner, body });
  return made.body.integrations[0].id;
};
const remove = (id: string) =>
  stack.call('integrations/delete', { method: 'DELETE', path: `/admin/integrations/${id}/`, key: keys.owner });
/** Starts a move anew, as another test may have left one. */
const start = async (changes: object = {}): Promise<void> => {
  await end();
  const made = await put({ revision: 0, ...head, ...changes });
  expect(made.status, made.text).toBe(200);
};

describe('a record', () => {
  it('has what was sent, and no secret', async () => {
    await start({ originals: [{ ...original, secret: 'shop secret' }] });
    const answer = await read();
    expect(answer.text).not.toContain('shop secret');
    expect(answer.body.moves).toEqual([
      {
        site,
        ...head,
        receiver_id: null,
        relay_id: null,
        relays: [],
        proven_at: null,
        revision: 1,
        inbound_hint: null,
        integrations: [],
        originals: [{ ...original, secret_hint: expect.stringMatching(/^[0-9a-f]{4}$/), copy_secret_hint: null }],
        failures: [],
        updated_at: expect.any(String),
      },
    ]);
  });

  it('keeps what a change omits, the secret of a webhook too', async () => {
    await start({ relays: ['post.published'], originals: [{ ...original, secret: 'shop secret' }] });
    const { body } = await put({ revision: 1, originals: [{ id: original.id, removed: true }] });
    expect(body.moves[0]).toMatchObject({ ...head, relays: ['post.published'], revision: 2 });
    expect(body.moves[0].originals).toMatchObject([{ ...original, removed: true }]);
    expect((await readSecrets()).body.secrets).toEqual([{ id: original.id, secret: 'shop secret' }]);
  });

  it('forgets a webhook on request', async () => {
    await start({ originals: [original] });
    expect((await put({ revision: 1, forgotten: [original.id] })).body.moves[0].originals).toEqual([]);
  });

  it('hints at another secret of the copy', async () => {
    const integration_id = await add('Shop');
    const { event, target_url } = original;
    const made = await stack.call('webhooks/create', {
      path: '/admin/webhooks/',
      key: keys.owner,
      body: { webhooks: [{ event, target_url, integration_id, secret: 'shop secret' }] },
    });
    const { id } = made.body.webhooks[0];
    await start({ originals: [{ ...original, secret: 'shop secret', copy_id: id }] });
    const hints = async () => {
      const [{ secret_hint, copy_secret_hint }] = (await read()).body.moves[0].originals;
      return { secret_hint, copy_secret_hint };
    };
    const before = await hints();
    expect(before.copy_secret_hint).toBe(before.secret_hint);
    await stack.call('webhooks/rotate-secret', { path: `/admin/webhooks/${id}/secret/`, key: keys.owner });
    const after = await hints();
    expect(after.secret_hint).toBe(before.secret_hint);
    expect(after.copy_secret_hint).not.toBe(before.secret_hint);
  });

  it('hints at another inbound secret', async () => {
    const receiver_id = await add('Ghost blog.example');
    const replace = async () => {
      const path = `/admin/integrations/${receiver_id}/inbound_secret/`;
      await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner });
      return (await read()).body.moves[0].inbound_hint;
    };
    await start({ receiver_id });
    expect(await replace()).not.toBe(await replace());
  });

  it('is gone after its deletion, with the secrets', async () => {
    await start({ originals: [{ ...original, secret: 'shop secret' }] });
    expect((await end()).status).toBe(204);
    expect(await items('MOVE')).toEqual([]);
    expectRefusal(await read(), { status: 404, type: 'NotFoundError' });
    expectRefusal(await end(), { status: 404, type: 'NotFoundError' });
    expectRefusal(await put({ revision: 1 }), { status: 404, type: 'NotFoundError' });
  });
});

describe('two runs of the command', () => {
  it('do not both make the next step', async () => {
    await start();
    const both = await Promise.all([put({ revision: 1, relays: ['a'] }), put({ revision: 1, relays: ['b'] })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body.errors[0].message).toContain('Another run of the command');
    expect((await read()).body.moves[0].revision).toBe(2);
  });

  it('do not both begin', async () => {
    await end();
    const both = await Promise.all([put({ revision: 0, ...head }), put({ revision: 0, ...head })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

it('a stage refuses a second site, and says why', async () => {
  await start();
  const refused = await put({ revision: 0, ...head, from: 'https://other.example' }, { of: another });
  expectRefusal(refused, { status: 422, type: 'ValidationError', property: 'site' });
  expect(refused.body.errors[0].message).toContain('A stage is one publication');
  expect(refused.body.errors[0].help).toContain('--undo');
  expectRefusal(await read(another), { status: 404, type: 'NotFoundError', property: 'site' });
});

it('the integration that receives a site cannot be deleted until the record is', async () => {
  const receiver_id = await add('Ghost blog.example');
  await start({ receiver_id });
  const refused = await remove(receiver_id);
  expectRefusal(refused, { status: 422, type: 'ValidationError' });
  expect(refused.body.errors[0].help).toContain('import-ghost --from https://blog.example');
  expect(refused.body.errors[0].help).toContain('--undo');
  expect((await remove(await add('Shop'))).status).toBe(204);
  await put({ revision: 1, receiver_id: null });
  expect((await remove(receiver_id)).status).toBe(204);
});

describe('the secrets of the originals', () => {
  it('are returned to the Owner and to Administrators, and the audit log and a mail say so', async () => {
    await start({ originals: [{ ...original, secret: 'shop secret' }] });
    const answer = await readSecrets();
    expect(answer.body.secrets).toEqual([{ id: original.id, secret: 'shop secret' }]);
    const { body } = await stack.call('audit/list', {
      path: '/admin/audit/?action=move.secrets.read',
      key: keys.owner,
    });
    expect(body.audit[0]).toMatchObject({ actor: { type: 'staff' }, target: { type: 'site', id: site } });
    await stack.drain('mail');
    const mails = await stack.mailsTo('owner@masthead.example');
    const mail = mails.find(({ subject }) => subject.startsWith('Webhook secrets'));
    expect(mail?.body.text).toContain('Olive Owner');
    expect(mail?.body.text).not.toContain('shop secret');
  });

  it('are not for the key of an integration', async () => {
    await start();
    for (const answer of [await readSecrets(site, keys.integration), await read(site, keys.integration)])
      expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
    expectRefusal(await put({ revision: 1 }, { key: keys.integration }), { status: 403, type: 'NoPermissionError' });
  });
});

it.each([
  ['a site that is no id', { revision: 0, ...head }, 'blog'],
  ['a new record without its URLs', { revision: 0 }, another.replace('1', '2')],
  ['a change without a revision', { relays: [] }, site],
  ['an original that is unknown and incomplete', { revision: 0, ...head, originals: [{ id: original.id }] }, site],
  ['an original that has no id of Ghost', { revision: 0, ...head, originals: [{ id: 'x' }] }, site],
])('refuses %s', async (_, changes, of) => {
  await end();
  expectRefusal(await put(changes, { of }), { status: 422, type: 'ValidationError' });
});
