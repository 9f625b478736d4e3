/** How long invites and their addresses are kept: `invites.keepDays` after the link has expired, and the addresses of staff for as long as they are staff. */
import { describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack({ invites: { keepDays: 30 } });
const keys = await stack.seed();
const { inviteOne, inviteAndMail, resend, accept, read, set, stored } = await inviting(stack, keys);
const { items } = deliveryTools(stack, keys);

const day = 86_400;
const addressOf = async (email: string) => (await items(`ADDRESS#${email.toLowerCase()}`))[0];
const list = () => stack.call('invites/list', { path: '/admin/invites/?limit=100', key: keys.owner });

describe('an invite', () => {
  it('is deleted with its address 30 days after its link has expired', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    const { expires, expires_at } = await stored(id);
    expect(expires_at).toBe(Math.floor(expires / 1000) + 30 * day);
    expect(await addressOf(email)).toMatchObject({ holder: 'invite', invite_id: id, expires_at });
  });

  it('is kept for longer when it is resent, and its address with it', async () => {
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

  it('is not shown after that, although DynamoDB deletes it later, and its address can be invited again', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await set(id, 'expires', Date.now() - 31 * day * 1000);
    await set(id, 'expires_at', Math.floor(Date.now() / 1000) - 1);
    expect((await read(id)).status).toBe(404);
    expect((await list()).body.invites.map((invite: { id: string }) => invite.id)).not.toContain(id);
    const again = await inviteOne(email);
    expect((await addressOf(email))?.invite_id).toBe(again.id);
  });

  it('that is accepted leaves the address to its staff member, for whom it is kept', async () => {
    const email = newAddress();
    const { id, token } = await inviteAndMail(email);
    expect((await accept(token)).status).toBe(200);
    expect(await addressOf(email)).toMatchObject({ holder: 'staff' });
    expect(await addressOf(email)).not.toHaveProperty('expires_at');
    expect((await stored(id)).expires_at).toBeGreaterThan(0);
  });
});
