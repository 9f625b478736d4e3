/** `npm run ops -- erase`: afterwards the table holds nothing about the person, and everything about others. */
import { createHmac } from 'node:crypto';
import { DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { erasePerson, type Person } from '../../infra/ops/erase/erase-person.ts';
import { eventBodyOf } from '../../shared/events/store.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { inviting } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook } = deliveryTools(stack, keys);
const { inviteOne, inviteAndMail, accept, staffWith, read } = await inviting(stack, keys);
const receiver = await receiveWebhooks((response) => response.end('stored reader ada.reader@example.com'));
afterAll(() => receiver.close());
for (const event of ['member.added', 'member.edited']) await webhook(`${receiver.origin}/${event}`, { event });

const place = {
  client: DynamoDBDocumentClient.from(stack.dynamodb),
  table: stack.tableName,
  auditDays: 90,
};
const erase = (kind: Person['kind'], who: string) => erasePerson(place, { kind, who });
const heldText = async (): Promise<string> => {
  const { Items = [] } = await place.client.send(new ScanCommand({ TableName: place.table, ConsistentRead: true }));
  return JSON.stringify(Items.map((item) => ('brotli' in item ? eventBodyOf(item) : item)));
};
const publish = (id: string, current: object, previous: object = {}) =>
  stack.call('events/publish', {
    path: '/admin/events/',
    key: keys.integration,
    body: { events: [{ id, event: 'member.edited', payload: { member: { current, previous } } }] },
  });
const drain = async () => {
  for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
};
const auditOf = async (action: string) =>
  (await stack.call('audit/list', { path: `/admin/audit/?action=${action}`, key: keys.owner })).body.audit;

const ada = { id: '64b7e1d2c3a4f5061728394a', email: 'Ada.Reader@example.com', note: 'likes gardening' };

/** A Ghost site sends an event about Ada, whose body is kept as text. */
const relay = async () => {
  const made = await stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name: 'Ghost' }] },
  });
  const [{ id }] = made.body.integrations;
  const path = `/admin/integrations/${id}/inbound_secret/`;
  const { body: secrets } = await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner });
  const body = JSON.stringify({ event: 'member.added', member: { current: ada, previous: {} } });
  const at = Date.now();
  const hash = createHmac('sha256', secrets.secrets[0].secret).update(`${body}${at}`).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'X-Ghost-Signature': `sha256=${hash}, t=${at}` };
  expect(
    (await stack.call('inbound/ghost', { path: `/inbound/ghost/${id}/member.added/`, body, headers })).status,
  ).toBe(202);
};

describe('erasing a reader', () => {
  it('by address removes payloads of every size and their deliveries, also those with an earlier address', async () => {
    await relay();
    await publish('small', ada);
    await publish('large', { ...ada, note: 'gardening '.repeat(2000) });
    await publish('moved', { ...ada, email: 'ada@new.example' }, { email: ada.email });
    await publish('renamed', { ...ada, email: 'ada@new.example', note: 'gardening' });
    await publish('other', { id: 'b'.repeat(24), email: 'ben.reader@example.com' });
    await drain();
    expect(await erase('member', ada.email.toLowerCase())).toEqual({ events: 5, deliveries: 5, invites: 0 });
    const held = await heldText();
    for (const part of ['gardening', 'ada@new.example', ada.id]) expect(held).not.toContain(part);
    expect(held).toContain('ben.reader@example.com');
    // Ben's delivery quotes what the receiver answered to it.
    expect(held.match(/ada\.reader/gi)).toHaveLength(1);
  });

  it('can be repeated, leaves the ids known, and stands in the audit log without the address', async () => {
    expect(await erase('member', ada.email)).toEqual({ events: 0, deliveries: 0, invites: 0 });
    const { length } = receiver.deliveries;
    expect((await publish('small', ada)).status).toBe(202);
    await drain();
    expect(receiver.deliveries).toHaveLength(length);
    const entries = await auditOf('person.erased');
    expect(entries).toHaveLength(2);
    expect(entries[1]).toMatchObject({
      actor: { type: 'operator' },
      target: { type: 'person', id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'member' },
      changes: { events: { from: 5, to: 0 }, deliveries: { from: 5, to: 0 } },
    });
  });
});

describe('erasing an invited address', () => {
  it('removes its invites and frees the address, and keeps those of others', async () => {
    const { id: erased } = await inviteOne('wrong.person@example.net');
    const { id: kept } = await inviteOne('right.person@example.net');
    expect(await erase('invite', 'Wrong.Person@example.net')).toEqual({ events: 0, deliveries: 0, invites: 1 });
    expect((await read(erased)).status).toBe(404);
    expect((await read(kept)).status).toBe(200);
  });
});

describe('erasing a staff member', () => {
  it('is refused while they are one, and then removes events, invites, and the name in others', async () => {
    const email = 'former.colleague@example.org';
    const { token } = await inviteAndMail(email);
    expect((await accept(token)).status).toBe(200);
    const [{ id: member } = { id: '' }] = await staffWith(email);
    const { id: other } = await inviteOne('invited.by.colleague@example.org');
    await place.client.send(
      new UpdateCommand({
        TableName: place.table,
        Key: { pk: 'INVITES', sk: `INVITE#${other}` },
        UpdateExpression: 'SET inviter = :inviter',
        ExpressionAttributeValues: { ':inviter': { name: 'Former', email } },
      }),
    );
    await drain();
    await expect(erase('staff', email)).rejects.toThrow('is still a staff member');
    expect((await stack.call('users/delete', { path: `/admin/users/${member}/`, key: keys.owner })).status).toBe(204);
    await drain();
    const { events, invites } = await erase('staff', email);
    expect({ events, invites }).toEqual({ events: 2, invites: 2 });
    expect((await read(other)).status).toBe(200);
    const { Items = [] } = await place.client.send(new ScanCommand({ TableName: place.table, ConsistentRead: true }));
    const others = Items.filter(({ pk }) => !String(pk).startsWith('AUDIT#'));
    expect(JSON.stringify(others.map((item) => ('brotli' in item ? eventBodyOf(item) : item)))).not.toContain(email);
  });
});
