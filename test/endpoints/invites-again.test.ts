/** Somebody with an open invitation asks for a sign-in link (docs/compatibility.md, "Invites"). */
import { describe, expect, it } from 'vitest';
import { inviting, newAddress, tokenIn } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { signingIn } from '../support/sessions.ts';
import { stopTime } from '../support/test-time.ts';

const { pass } = stopTime();
const stack = await freshStack();
const keys = await stack.seed();
const { accept, invite, inviteAndMail, inviteOne, open, revoke, roles, set, statusOf } = await inviting(stack, keys);
const { request } = signingIn(stack);

const ask = async (email: string) => {
  const answer = await request(email);
  await stack.drain('mail');
  return answer;
};
const tokensTo = async (email: string) =>
  (await stack.mailsTo(email)).flatMap(({ body }) => tokenIn(body.text ?? '') ?? []);

describe('a sign-in link that is requested for an address with an open invitation', () => {
  it('becomes a further mail of the invitation, whose earlier link keeps working', async () => {
    const email = newAddress();
    const { id, token } = await inviteAndMail(email);
    const answer = await ask(email);
    expect([answer.status, answer.body]).toEqual([202, { sessions: [{ email }] }]);
    const [first, second = ''] = await tokensTo(email);
    expect([first, (await tokensTo(email)).length]).toEqual([token, 2]);
    expect(second).not.toBe(token);
    expect([(await open(token)).status, (await open(second)).status]).toEqual([200, 200]);
    expect(await statusOf(id)).toBe('sent');
    expect([(await accept(second)).status, (await accept(token)).status]).toEqual([200, 404]);
  });

  it('is no second mail while the first one is on its way', async () => {
    const email = newAddress();
    await inviteOne(email);
    await ask(email);
    expect(await tokensTo(email)).toHaveLength(1);
  });

  it.each([
    ['was passed on without mail', (id: string) => set(id, 'without_mail', 1)],
    ['was revoked', (id: string) => revoke(id)],
    ['has expired', (id: string) => set(id, 'expires', Date.now() - 1)],
    ['has bounced', (id: string) => set(id, 'status', 'bounced')],
  ])('is no mail if the invitation %s', async (_why, change) => {
    const email = newAddress();
    const { id } = await inviteAndMail(email);
    await change(id);
    expect((await ask(email)).status).toBe(202);
    expect(await stack.mailsTo(email)).toHaveLength(1);
  });

  it('is no mail for a link that was made without one', async () => {
    const email = newAddress();
    await invite([{ email, role_id: roles.Author, send_email: false }]);
    await ask(email);
    expect(await stack.mailsTo(email)).toEqual([]);
  });

  it('never kills a link: the invitation has five at most', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    for (let time = 0; time < 7; time++) {
      await ask(email);
      pass(11 * 60_000);
    }
    expect(await tokensTo(email)).toHaveLength(5);
    expect((await open(token)).status).toBe(200);
  });
});
