/** An invite is kept for `invites.keepDays` after its link has expired, a staff member's address until the removal. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../attack/items.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { allowStaffEvents } from '../support/staff-events.ts';

const stack = await freshStack({ invites: { keepDays: 30 }, deliveries: { keepDays: 11 }, audit: { keepDays: 20 } });
const keys = await stack.seed();
const { accept, invite, inviteAndMail, inviteOne, read, resend, roles, set, staffWith, stored, tokenFor } =
  await inviting(stack, keys);
const { items, webhook } = deliveryTools(stack, keys);

const day = 86_400;
const addressOf = async (email: string) => (await items(`ADDRESS#${email.toLowerCase()}`))[0];
const list = () => stack.call('invites/list', { path: '/admin/invites/?limit=100', key: keys.owner });

/** Creates an invite whose `expires_at` has passed and that DynamoDB has not deleted yet. */
const expiredInvite = async (email: string) => {
  const invite = await inviteOne(email);
  await set(invite.id, 'expires', Date.now() - 31 * day * 1000);
  await set(invite.id, 'expires_at', Math.floor(Date.now() / 1000) - 1);
  return invite;
};

describe('an invite', () => {
  it('is deleted 30 days after its link has expired, together with its address', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    const { expires, expires_at } = await stored(id);
    expect(expires_at).toBe(Math.floor(expires / 1000) + 30 * day);
    expect(await addressOf(email)).toMatchObject({ holder: 'invite', invite_id: id, expires_at });
  });

  it('is kept longer if it is resent, together with its address', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    const before = await stored(id);
    await set(id, 'expires', before.expires - 3 * day * 1000);
    await set(id, 'expires_at', (before.expires_at ?? 0) - 3 * day);
    expect((await resend(id)).status).toBe(200);
    const { expires, expires_at } = await stored(id);
    expect(expires_at).toBeGreaterThanOrEqual(before.expires_at ?? 0);
    expect(expires_at).toBe(Math.floor(expires / 1000) + 30 * day);
    expect((await addressOf(email))?.expires_at).toBe(expires_at);
  });

  it('is hidden once its `expires_at` has passed, even before DynamoDB deletes it', async () => {
    const { id } = await expiredInvite(newAddress());
    expect((await read(id)).status).toBe(404);
    expect((await list()).body.invites.map((invite: { id: string }) => invite.id)).not.toContain(id);
  });

  it('whose `expires_at` has passed does not prevent a new invite to its address', async () => {
    const email = newAddress();
    await expiredInvite(email);
    const again = await inviteOne(email);
    expect((await addressOf(email))?.invite_id).toBe(again.id);
  });

  it('leaves its address to the new staff member when it is accepted', async () => {
    const email = newAddress();
    const { id, token } = await inviteAndMail(email);
    expect((await accept(token)).status).toBe(200);
    expect(await addressOf(email)).toMatchObject({ holder: 'staff' });
    expect(await addressOf(email)).not.toHaveProperty('expires_at');
    expect((await stored(id)).expires_at).toBeGreaterThan(0);
  });
});

/** How long an item with an address may be kept, by the prefix of its partition: in days, with the setting. */
const keptFor: Readonly<Record<string, number>> = {
  // `invites.keepDays`, after the link has expired.
  INVITES: 7 + 30,
  // `deliveries.keepDays`, and twice the schedule of attempts, for a replay of the last second.
  'EVENT_BODY#': 11 + 8,
  // `audit.keepDays`.
  'AUDIT#': 20.1,
  // `deliveries.keepDays`.
  'WEBHOOK#': 12,
};

describe('the address of a removed staff member', () => {
  it('is in no item that is kept longer than a setting allows, such as deliveries and the audit log', async () => {
    const receiver = await receiveWebhooks((response, { body }) => response.end(body));
    await allowStaffEvents(stack, keys);
    for (const event of ['staff.added', 'staff.role.changed', 'staff.removed'])
      await webhook(`${receiver.origin}/${event}`, { event });
    const email = newAddress();
    const [invited] = (await invite([{ email, role_id: roles.Administrator }])).body.invites;
    await stack.drain('mail');
    await accept(await tokenFor(email));
    const [member] = await staffWith(email);
    const path = `/admin/users/${member?.id}/`;
    const { apiKey } = (await stack.call('users/renew-token', { path: `${path}token/`, key: keys.owner })).body;
    const others = [newAddress(), newAddress()];
    for (const other of others) await inviteOne(other, `${apiKey.id}:${apiKey.secret.split(':').at(-1)}`);
    await stack.drain('mail');
    await accept(await tokenFor(others[0] ?? ''));
    await stack.call('users/update', { path, key: keys.owner, body: { users: [{ roles: [roles.Editor] }] } });
    const deliver = async () => {
      for (const queue of ['events', 'deliveries'] as const) await stack.drain(queue);
    };
    await deliver();
    const containing = async () =>
      (await itemsOf(stack.dynamodb, stack.tableName))
        .map((item) => unmarshall(item))
        .filter((item) => JSON.stringify(item).toLowerCase().includes(email.toLowerCase()));
    expect((await containing()).map(({ pk }) => pk)).toEqual(expect.arrayContaining(['STAFF', 'INVITES']));

    expect((await stack.call('users/delete', { path, key: keys.owner })).status).toBe(204);
    await deliver();
    await receiver.received('/staff.removed', 1);
    receiver.close();

    const kept = await containing();
    const partitions = new Set(kept.map(({ pk }) => String(pk).replace(/#.*/, '#')));
    expect([...partitions].sort()).toEqual(['AUDIT#', 'EVENT_BODY#', 'INVITES', 'WEBHOOK#']);
    const tooLong = kept.filter(({ pk, expires_at = Number.POSITIVE_INFINITY }) => {
      const days = keptFor[String(pk).replace(/#.*/, '#')] ?? 0;
      return expires_at > Date.now() / 1000 + days * day;
    });
    expect(tooLong).toEqual([]);
    expect(kept).toContainEqual(expect.objectContaining({ sk: `INVITE#${invited.id}` }));
  });
});
