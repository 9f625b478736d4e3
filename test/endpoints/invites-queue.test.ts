/** Invitations enter the mail queue as slowly as SES takes them, so that sign-in links don't wait behind a list. */
import { describe, expect, it, vi } from 'vitest';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const perSecond = 0.2;
const stack = await freshStack({ mail: { from: 'desk@example.org', perSecond, perDay: null } });
const keys = await stack.seed();
const { roles, invite, resend, stored } = await inviting(stack, keys);

const inviteMany = async (count: number): Promise<string[]> => {
  const items = Array.from({ length: count }, () => ({ email: newAddress(), role_id: roles.Author }));
  const { status, body } = await invite(items);
  expect(status).toBe(201);
  return body.invites.map(({ id }: { id: string }) => id);
};
const delays = async () => (await stack.take('mail')).map(({ delaySeconds }) => delaySeconds).toSorted((a, b) => a - b);

describe('invitations in the mail queue', () => {
  it('can be received one by one, at the rate of SES, so that a sign-in link is never behind many', async () => {
    await inviteMany(50);
    const [id = ''] = await inviteMany(50);
    await resend(id);
    const seconds = await delays();
    expect(seconds).toHaveLength(101);
    // SES's rate is used to nine tenths; delays are whole seconds.
    for (const [position, delay] of seconds.entries())
      expect(Math.abs(delay - position / (perSecond * 0.9)), `the mail ${position}`).toBeLessThan(3);
    await stack.call('sessions/request', {
      path: '/admin/session/',
      body: { sessions: [{ email: 'ada@example.org' }] },
    });
    expect(await delays()).toEqual([0]);
  });

  it('wait in the table if their turn is later than a message can be delayed; the sweep sends them then', async () => {
    let last = '';
    for (let request = 0; request < 3; request++) last = (await inviteMany(50)).at(-1) ?? '';
    const seconds = await delays();
    expect(seconds.length).toBeLessThan(150);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(900);
    const due = Date.parse((await stored(last)).due_at ?? '');
    expect(due).toBeGreaterThan(Date.now() + 900_000);
    vi.useFakeTimers({ toFake: ['Date'], now: due + 1000 });
    try {
      await stack.invoke('due/sweep', {});
      expect((await stack.take('mail')).map(({ body }) => body.invite_id)).toContain(last);
    } finally {
      vi.useRealTimers();
    }
  });
});
