/** The page behind a sign-in link, `GET|POST /sign-in/{token}/`: whom it names and signs in, and what it asks first. */
import { describe, expect, it } from 'vitest';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { cookieIn, signingIn } from '../support/sessions.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, invite, inviteAndMail, roles } = await inviting(stack, keys);
const { request, signIn, tokensFor } = signingIn(stack);

const withLink = async () => {
  const email = newAddress();
  await accept((await inviteAndMail(email)).token);
  await request(email);
  const [token = ''] = await tokensFor(email);
  return { email, token };
};
const open = (token: string) => stack.call('sessions/show-page', { path: `/sign-in/${token}/` });
const submit = (token: string, fields: Readonly<Record<string, string>> = {}, headers: Record<string, string> = {}) =>
  stack.call('sessions/create-on-page', {
    path: `/sign-in/${token}/`,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
const me = (cookie: string) => stack.call('users/read', { path: '/admin/users/me/', cookie });

describe('a sign-in link', () => {
  it('names who will sign in, however often a mail scanner opens it', async () => {
    const { email, token } = await withLink();
    for (let opened = 0; opened < 3; opened++) {
      const page = await open(token);
      expect(page.status).toBe(200);
      expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
      expect(page.headers).not.toHaveProperty('set-cookie');
      expect(page.text).toContain('<h1>Sign in as Ada Lovelace</h1>');
      expect(page.text).toContain(email);
    }
    expect((await submit(token)).status).toBe(303);
  });

  it('signs in with one click, and leads to the console', async () => {
    const { email, token } = await withLink();
    const answer = await submit(token);
    expect(answer).toMatchObject({ status: 303, headers: { location: 'http://localhost/ghost/api/console/' } });
    expect((await me(cookieIn(answer) ?? '')).body.users).toMatchObject([{ email }]);
  });

  it('works once', async () => {
    const { token } = await withLink();
    const answers = await Promise.all([submit(token), submit(token), submit(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
    const page = await open(token);
    expect(page.status).toBe(404);
    expect(page.text).toContain('<h1>This link does not work</h1>');
    // One for a new address lasts a day.
    expect(page.text).not.toContain('15 minutes');
    expect(page.text).toContain('Get another link');
  });

  it.each(['>', ')', ',', '.', '%20', '\u200b', '&amp;x=1'])('works with `%s` after it', async (end) => {
    const { token } = await withLink();
    expect((await open(`${token}${end}`)).status).toBe(200);
    expect((await submit(`${token}${end}`)).status).toBe(303);
  });

  it.each(['cross-site', 'same-site', 'none'])('signs nobody in by a form that is %s', async (site) => {
    const { token } = await withLink();
    const answer = await submit(token, {}, { 'Sec-Fetch-Site': site });
    expect(answer.status).toBe(400);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect((await open(token)).status).toBe(200);
  });

  it('asks once before it signs somebody else out', async () => {
    const first = await withLink();
    const { cookie } = await signIn(first.email);
    const { email, token } = await withLink();
    const session = { Cookie: `masthead_session=${cookie}` };
    const asked = await submit(token, {}, session);
    expect(asked.status).toBe(200);
    expect(asked.headers).not.toHaveProperty('set-cookie');
    expect(asked.text).toContain(`You are signed in as Ada Lovelace (${first.email})`);
    const answer = await submit(token, { instead: 'yes' }, session);
    expect((await me(cookieIn(answer) ?? '')).body.users).toMatchObject([{ email }]);
  });

  it('shows that mail reaches the address of a member who joined by a link that was passed on', async () => {
    const email = newAddress();
    const invited = await invite([{ email, role_id: roles.Author, send_email: false }]);
    await accept(/\/invitation\/([\w-]+)/.exec(invited.body.invites[0].link)?.[1] ?? '');
    await request(email);
    const [token = ''] = await tokensFor(email);
    const cookie = cookieIn(await submit(token)) ?? '';
    expect((await me(cookie)).body.users).toMatchObject([{ email, email_verified: true }]);
  });

  it('does not ask the person who is signed in already', async () => {
    const { email, token } = await withLink();
    const { cookie } = await signIn(email);
    expect((await submit(token, {}, { Cookie: `masthead_session=${cookie}` })).status).toBe(303);
  });
});
