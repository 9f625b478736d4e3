/** Removing a staff member or integration also ends its keys, open invites, and mails that are not sent yet. */
import { randomBytes } from 'node:crypto';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../shared/foundation/new-id.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, invite, inviteAndMail, inviteOne, open, resend, revoke, roles, stored, submit } = await inviting(
  stack,
  keys,
);
const { create } = webhookCalls(stack);
const documents = DynamoDBDocumentClient.from(stack.dynamodb);

interface Account {
  readonly key: string;
  remove(): Promise<void>;
}

const TableName = stack.tableName;

const newMember = async (role: string) => {
  const id: string = newId();
  const kid: string = newId();
  const secret = randomBytes(32).toString('hex');
  const created_at = new Date().toISOString();
  const Key = { pk: 'STAFF', sk: `STAFF#${id}` };
  await documents.send(
    new PutCommand({ TableName, Item: { ...Key, id, name: 'Max', email: newAddress(), role, created_at } }),
  );
  const owner = { kind: 'staff', staff_id: id };
  await documents.send(
    new PutCommand({ TableName, Item: { pk: `KEY#${kid}`, sk: 'KEY', id: kid, secret, owner, created_at } }),
  );
  return { key: `${kid}:${secret}`, Key };
};

const newStaff = async (): Promise<Account> => {
  const { key, Key } = await newMember('Administrator');
  return {
    key,
    remove: async () => {
      await documents.send(new DeleteCommand({ TableName, Key }));
    },
  };
};

const createIntegration = async () => {
  const answer = await stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name: 'Shop' }] },
  });
  const [{ id, api_keys }] = answer.body.integrations;
  return { id, kid: api_keys[0].id, key: api_keys[0].secret };
};

const newIntegration = async (): Promise<Account> => {
  const { id, key } = await createIntegration();
  return {
    key,
    remove: async () => {
      const answer = await stack.call('integrations/delete', { path: `/admin/integrations/${id}/`, key: keys.owner });
      expect(answer.status).toBe(204);
    },
  };
};

const read = (id: string) => stack.call('invites/read', { path: `/admin/invites/${id}/`, key: keys.owner });
const list = (query: string) => stack.call('invites/list', { path: `/admin/invites/${query}`, key: keys.owner });
const idsIn = (answer: { body: { invites: readonly { id: string }[] } }) => answer.body.invites.map(({ id }) => id);
const isOpen = async (email: string) =>
  (
    await stack.call('invites/status', {
      path: `/admin/authentication/invitation/?email=${encodeURIComponent(email)}`,
    })
  ).body.invitation[0].valid;
const codeOf = (answer: { body: { errors?: readonly { code: string }[] } }) => answer.body.errors?.[0]?.code;

describe.each([
  ['a removed staff member', newStaff],
  ['a deleted integration', newIntegration],
])('%s', (_, newAccount) => {
  it('no longer has open invites: they are revoked, and their links do not work', async () => {
    const { key, remove } = await newAccount();
    const email = newAddress();
    const { id, token } = await inviteAndMail(email, key);
    expect([(await read(id)).status, await isOpen(email), (await open(token)).status]).toEqual([200, true, 200]);

    await remove();

    expect([(await read(id)).status, await isOpen(email), (await open(token)).status]).toEqual([404, false, 410]);
    expect(idsIn(await list(''))).not.toContain(id);
    expect(idsIn(await list('?status=revoked'))).toContain(id);
    expect([(await resend(id)).status, (await revoke(id)).status]).toEqual([404, 404]);
    expectRefusal(await accept(token), { status: 404, type: 'NotFoundError', property: 'token' });
    expect((await submit(token, { name: 'Ada' })).status).toBe(410);
  });

  it('sends no mail that was still in the queue', async () => {
    const { key, remove } = await newAccount();
    const email = newAddress();
    const { id } = await inviteOne(email, key);
    await remove();
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toEqual([]);
    expect((await stored(id)).due).toBeUndefined();
  });

  it('blocks no address: whoever could not replace its invite can now invite the address', async () => {
    const { key, remove } = await newAccount();
    const email = newAddress();
    expect((await invite([{ email, role_id: roles.Editor }], key)).status).toBe(201);
    const again = () => invite([{ email, role_id: roles.Contributor }], keys.staff.Editor);
    expect((await again()).status).toBe(403);
    await remove();
    expect((await again()).status).toBe(201);
  });
});

describe('after five seconds', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(() => vi.useRealTimers());
  const passFiveSeconds = () => vi.setSystemTime(Date.now() + 5000);
  const subscribe = (key: string) => create({ event: 'site.changed', target_url: newUrl() }, key);

  it("a deleted integration's key can change nothing", async () => {
    const { key, remove } = await newIntegration();
    const email = newAddress();
    expect([(await subscribe(key)).status, (await invite([], key)).status]).toEqual([201, 400]);
    await remove();
    passFiveSeconds();
    expect(codeOf(await subscribe(key))).toBe('UNKNOWN_ADMIN_API_KEY');
    expect(codeOf(await invite([{ email, role_id: roles.Author }], key))).toBe('UNKNOWN_ADMIN_API_KEY');
    expect(await isOpen(email)).toBe(false);
  });

  it('a replaced key can change nothing', async () => {
    const { id, kid, key } = await createIntegration();
    expect((await subscribe(key)).status).toBe(201);
    const path = `/admin/integrations/${id}/api_key/${kid}/refresh/`;
    expect((await stack.call('integrations/refresh-key', { path, key: keys.owner })).status).toBe(200);
    passFiveSeconds();
    expect(codeOf(await subscribe(key))).toBe('UNKNOWN_ADMIN_API_KEY');
  });

  it("a removed staff member's key can change nothing", async () => {
    const { key, remove } = await newStaff();
    const email = newAddress();
    expect((await invite([], key)).status).toBe(400);
    await remove();
    passFiveSeconds();
    expect(codeOf(await invite([{ email, role_id: roles.Author }], key))).toBe('UNKNOWN_ADMIN_API_KEY');
    expect(await isOpen(email)).toBe(false);
  });

  it('a staff member has the rights of the new role', async () => {
    const { key, Key } = await newMember('Administrator');
    const send = () => invite([{ email: newAddress(), role_id: roles.Administrator }], key);
    expect((await send()).status).toBe(201);
    await documents.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET #role = :role',
        ExpressionAttributeNames: { '#role': 'role' },
        ExpressionAttributeValues: { ':role': 'Editor' },
      }),
    );
    passFiveSeconds();
    expect((await send()).status).toBe(403);
  });
});
