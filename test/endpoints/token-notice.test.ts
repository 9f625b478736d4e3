/** Members learn by mail of a new token for their account, so that a stolen session cannot create one unnoticed. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteAndMail, staffWith } = await inviting(stack, keys);
afterEach(() => vi.useRealTimers());

const newMember = async () => {
  const email = newAddress();
  await accept((await inviteAndMail(email)).token);
  const [member] = await staffWith(email);
  return { email, path: `/admin/users/${member?.id}/token/` };
};
const renew = async (path: string) => {
  const answer = await stack.call('users/renew-token', { path, key: keys.owner });
  expect(answer.status).toBe(200);
  return answer.body.apiKey;
};
const noticesTo = async (email: string) =>
  (await stack.mailsTo(email)).filter(({ subject }) => subject.startsWith('New access token'));

describe('a new staff access token', () => {
  it('is reported to the member by mail, which says who created it and when, but not the token', async () => {
    const { email, path } = await newMember();
    const { id, secret } = await renew(path);
    await stack.drain('mail');
    const [{ subject, body } = expect.fail(), ...others] = await noticesTo(email);
    expect(others).toEqual([]);
    expect(subject).toBe('New access token for The Daily Test');
    expect(body.text).toContain('Olive Owner');
    expect(body.text).toContain(email);
    for (const hidden of [id, secret]) expect(`${body.text}${body.html}`).not.toContain(hidden);
  });

  it('is made ten times an hour, and then returns 429 with Retry-After, so that mails flood nobody', async () => {
    const { email, path } = await newMember();
    for (let count = 0; count < 10; count++) await renew(path);
    const refused = await stack.call('users/renew-token', { path, key: keys.owner });
    expectRefusal(refused, { status: 429, type: 'TooManyRequestsError' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await stack.drain('mail');
    expect(await noticesTo(email)).toHaveLength(10);
  });

  it('is reported by the sweep if the queue did not accept the mail', async () => {
    const { email, path } = await newMember();
    stack.faults.set({ faults: [{ fault: 'error', function: 'users/renew-token', service: 'sqs' }] });
    await renew(path);
    stack.faults.set({ faults: [] });
    await stack.drain('mail');
    expect(await noticesTo(email)).toEqual([]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    await stack.invoke('due/sweep', {});
    await stack.drain('mail');
    expect(await noticesTo(email)).toHaveLength(1);
    vi.setSystemTime(Date.now() + 600_000);
    await stack.invoke('due/sweep', {});
    await stack.drain('mail');
    expect(await noticesTo(email)).toHaveLength(1);
  });
});
