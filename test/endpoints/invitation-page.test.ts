/** The invitation page, `GET|POST /invitation/{token}/`: its content and its headers. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inviting, newAddress, tokenIn } from '../support/invites.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { cookieIn } from '../support/sessions.ts';
import { stopTime } from '../support/test-time.ts';

const { pass } = stopTime();
const stack = await freshStack();
const keys = await stack.seed();
const { invite, inviteAndMail, inviteOne, open, resend, revoke, roles, set, staffWith, statusOf, submit, tokenFor } =
  await inviting(stack, keys);

const expectPage = (answer: TestResponse, status: number, title: RegExp) => {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(/<h1>(.*)<\/h1>/.exec(answer.text)?.[1]).toMatch(title);
};

describe('an open link', () => {
  it('shows the publication, role, address, inviter and expiry, and asks for the name', async () => {
    const email = newAddress();
    const answer = await open((await inviteAndMail(email)).token);
    expectPage(answer, 200, /^Join as an Author$/);
    for (const fact of [
      '<header>The Daily Test</header>',
      '<footer><a href="http://localhost">http://localhost</a></footer>',
      'Olive Owner (owner@masthead.example) invites you',
      `This invitation is for ${email}.`,
    ])
      expect(answer.text).toContain(fact);
    expect(answer.text).toMatch(/It works once and expires on \d{1,2} \w+ \d{4} at \d\d:\d\d UTC\./);
    expect(answer.text).toContain('<label for="name">');
    expect(answer.text).toMatch(/<input id="name" name="name" autocomplete="name" required/);
    expect(answer.text).not.toContain('password');
  });

  it('works for an invite that an integration sent', async () => {
    const email = newAddress();
    const { token, id } = await inviteAndMail(email, keys.integration);
    expect((await submit(token, { name: 'Grace' })).status).toBeLessThan(400);
    expect(await statusOf(id)).toBe('accepted');
  });

  it('can be opened any number of times', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    for (let time = 0; time < 3; time++) expect((await open(token)).status).toBe(200);
    expect(await statusOf(id)).toBe('sent');
  });

  it('sends no referrer, is neither cached nor framed, and runs no script', async () => {
    const { headers, text } = await open((await inviteAndMail(newAddress())).token);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    });
    const sheet = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
    expect(headers['content-security-policy']).toBe(
      [
        "default-src 'none'",
        `style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`,
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    );
    expect(text).not.toMatch(/<script|\son\w+=|\sstyle=|javascript:/);
  });
});

describe('the language of the page', () => {
  it.each([
    ['of the browser', 'de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['that the browser prefers among those there are', 'fr, en;q=0.3, de;q=0.7', 'de'],
    ['of the publication without a known one', 'fr-FR, it;q=0.5, de;q=0', 'en'],
    ['of the publication for what is no list of languages', ';;,=q;,de;q=much', 'en'],
  ])('is the one %s', async (_what, accepted, language) => {
    const { token } = await inviteAndMail(newAddress());
    const headers = { 'Accept-Language': accepted };
    for (const answer of [
      await open(token, headers),
      await submit(token, { name: '' }, headers),
      await submit(token, { name: 'a'.repeat(16 * 1024) }, headers),
      await submit(token, { name: 'Ada' }, headers),
      await open(token, headers),
    ])
      expect(answer.text).toContain(`<html lang="${language}">`);
  });
});

describe('the form', () => {
  it('accepts the invitation with a name, and shows the welcome page', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    const answer = await submit(token, { name: ' Ada  Lovelace ' });
    expectPage(answer, 200, /^Welcome, Ada Lovelace$/);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(await statusOf(id)).toBe('accepted');
  });

  it.each([
    ['no name', { other: 'x' }, 'Please enter your name.'],
    ['an empty name', { name: ' \r\n' }, 'Please enter your name.'],
    ['a name of 192 characters', { name: 'a'.repeat(192) }, 'Please enter a name of at most 191 characters.'],
  ])('shows the error for %s at the field, and the link still works', async (_what, fields, problem) => {
    const { id, token } = await inviteAndMail(newAddress());
    const answer = await submit(token, fields);
    expectPage(answer, 422, /^Join as an Author$/);
    expect(answer.text).toContain(`<p class="error" id="name-error" role="alert">${problem}</p>`);
    expect(answer.text).toMatch(/<title>Error: /);
    expect(answer.text).toMatch(/aria-describedby="name-hint name-error" aria-invalid="true"/);
    expect(await statusOf(id)).toBe('sent');
  });

  it('escapes the name', async () => {
    const { token } = await inviteAndMail(newAddress());
    const answer = await submit(token, { name: `<img src=x onerror="alert('1')">&amp;` });
    expectPage(answer, 200, /^Welcome, &lt;img src=x onerror=&quot;alert\(&#39;1&#39;\)&quot;&gt;&amp;amp;$/);
    expect(answer.text).not.toContain('<img');
  });

  it('succeeds for one of twenty concurrent requests, and the others get the page of a used link', async () => {
    const { token } = await inviteAndMail(newAddress());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, person) => submit(token, { name: `P ${person}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectPage(answer, 410, /This invitation has been accepted/);
  });
});

const nonceOf = async (token: string): Promise<string> =>
  /name="nonce" value="([\w-]+)"/.exec((await open(token)).text)?.[1] ?? expect.fail();
const own = { 'Sec-Fetch-Site': 'same-origin' };

describe('the form that comes twice', () => {
  it('welcomes and signs in twice after a double click', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    const fields = { name: 'Ada', nonce: await nonceOf(token) };
    const answers = await Promise.all([submit(token, fields, own), submit(token, fields, own)]);
    for (const answer of answers) {
      expectPage(answer, 200, /^Welcome, Ada$/);
      const me = await stack.call('users/read', { path: '/admin/users/me/', cookie: cookieIn(answer) ?? '' });
      expect(me.body.users).toMatchObject([{ email }]);
    }
    expect(await staffWith(email)).toHaveLength(1);
  });

  it('says that the person has joined, without alarm and session, when the page is reloaded later', async () => {
    const { token } = await inviteAndMail(newAddress());
    const fields = { name: 'Ada', nonce: await nonceOf(token) };
    const cookie = cookieIn(await submit(token, fields, own)) ?? '';
    pass(61_000);
    const again = await submit(token, fields, own);
    expectPage(again, 200, /^You have joined$/);
    expect(again.headers).not.toHaveProperty('set-cookie');
    const opened = await stack.call('invites/show-page', { path: `/invitation/${token}/`, cookie });
    expectPage(opened, 200, /^You have joined$/);
    expect(opened.text).not.toContain('right away');
  });

  it.each([
    ['another nonce', { nonce: 'x'.repeat(24) }],
    ['no nonce', {}],
  ])('is refused with %s, which another person would send', async (_what, other) => {
    const { token } = await inviteAndMail(newAddress());
    await submit(token, { name: 'Ada', nonce: await nonceOf(token) }, own);
    const answer = await submit(token, { name: 'Eve', ...other }, own);
    expectPage(answer, 410, /has been accepted/);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('gives no session after the member was removed', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    const fields = { name: 'Ada', nonce: await nonceOf(token) };
    await submit(token, fields, own);
    const [member = expect.fail()] = await staffWith(email);
    await stack.call('users/delete', { path: `/admin/users/${member.id}/`, key: keys.owner });
    expect((await submit(token, fields, own)).headers).not.toHaveProperty('set-cookie');
  });
});

describe('the form in a browser in which somebody is signed in', () => {
  it('asks once before it accepts and signs that person out', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const { token: firstToken } = await inviteAndMail(first);
    const cookie = cookieIn(await submit(firstToken, { name: 'Ada' }, own));
    const { id, token } = await inviteAndMail(second);
    const headers = { ...own, Cookie: `masthead_session=${cookie}` };
    const asked = await submit(token, { name: 'Grace', nonce: 'n' }, headers);
    expectPage(asked, 200, /^Sign in as Grace$/);
    expect(asked.text).toContain(`You are signed in as Ada (${first})`);
    expect(asked.text).toContain('name="name" value="Grace"');
    expect(await statusOf(id)).toBe('sent');
    expectPage(await submit(token, { name: 'Grace', nonce: 'n', instead: 'yes' }, headers), 200, /^Welcome, Grace$/);
  });
});

describe('a link with characters after it, which mail programs add', () => {
  it.each(['>', ')', ',', '.', '%20', '\u200b', '&amp;x=1'])('works with `%s`', async (end) => {
    const { token } = await inviteAndMail(newAddress());
    expectPage(await open(`${token}${end}`), 200, /^Join as/);
    expectPage(await submit(`${token}${end}`, { name: 'Ada' }), 200, /^Welcome/);
  });
});

describe('a dead link', () => {
  it('that never existed returns 404 and says what to do next', async () => {
    const { id } = await inviteOne(newAddress());
    for (const token of [
      'x',
      `${id}${'A'.repeat(43)}`,
      `${'0'.repeat(24)}${'A'.repeat(43)}`,
      `${id}${'%00'.repeat(3)}`,
    ]) {
      for (const answer of [await open(token), await submit(token, { name: 'Ada' })]) {
        expectPage(answer, 404, /This link does not work/);
        expect(answer.text).toContain('Open the link in the email again');
        expect(answer.headers['referrer-policy']).toBe('no-referrer');
      }
    }
  });

  it('that was used returns 410 and points to the console', async () => {
    const { token } = await inviteAndMail(newAddress());
    await submit(token, { name: 'Ada' });
    const answer = await open(token);
    expectPage(answer, 410, /has been accepted/);
    expect(answer.text).toContain('If you accepted it, you&#39;re all set');
    expect(answer.text).toContain(`href="${stack.baseUrl}/console/"`);
  });

  it('that has expired returns 410, names who invited, and leads to a mail to them', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    await set(id, 'expires', Date.now() - 1);
    for (const answer of [await open(token), await submit(token, { name: 'Ada' })])
      expectPage(answer, 410, /has expired/);
    const { text } = await open(token);
    expect(text).toContain('It came from Olive Owner (owner@masthead.example)');
    expect(text).toContain('href="mailto:owner%40masthead.example"');
    expect(await statusOf(id)).toBe('expired');
  });

  it('that has expired offers a new link, which goes to the invited address, once', async () => {
    const email = newAddress();
    const { id, token } = await inviteAndMail(email);
    await set(id, 'expires', Date.now() - 1);
    const { text } = await open(token);
    expect(text).toContain(`We can send a new link to ${email}.`);
    const [, field = ''] = /name="(again)" value="yes"/.exec(text) ?? [];
    const answers = [await submit(token, { [field]: 'yes' }), await submit(token, { [field]: 'yes' })];
    expectPage(answers[0] ?? expect.fail(), 200, /^A new link is on its way$/);
    expectPage(answers[1] ?? expect.fail(), 410, /^There is a newer invitation$/);
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toHaveLength(2);
    expectPage(await submit(await tokenFor(email), { name: 'Ada' }), 200, /^Welcome, Ada$/);
  });

  it('that has expired offers no mail if it was handed over without one', async () => {
    const { body } = await invite([{ email: newAddress(), role_id: roles.Author, send_email: false }]);
    const [{ id, link }] = body.invites;
    const token = tokenIn(link) ?? expect.fail();
    await set(id, 'expires', Date.now() - 1);
    expect((await open(token)).text).not.toContain('name="again"');
    await submit(token, { again: 'yes' });
    expect(await statusOf(id)).toBe('expired');
  });

  it('that was revoked returns 410', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    await revoke(id);
    for (const answer of [await open(token), await submit(token, { name: 'Ada' })])
      expectPage(answer, 410, /was withdrawn/);
  });

  it('of an invite that was replaced or resent returns 410 and points to the newest mail', async () => {
    const email = newAddress();
    const { token: replaced } = await inviteAndMail(email);
    const { id, token: resent } = await inviteAndMail(email);
    await resend(id);
    for (const token of [replaced, resent])
      for (const answer of [await open(token), await submit(token, { name: 'Ada' })])
        expectPage(answer, 410, /There is a newer invitation/);
  });
});

describe('a request that the form did not send', () => {
  const form = 'application/x-www-form-urlencoded';
  const tooLong = /^Your name is too long for this form$/;
  const unreadable = /^The form could not be read$/;
  it.each<[string, number, RegExp, Record<string, string>, string]>([
    ['too large', 413, tooLong, { 'Content-Type': form }, `name=${'a'.repeat(16 * 1024)}`],
    ['compressed', 415, unreadable, { 'Content-Type': form, 'Content-Encoding': 'gzip' }, 'name=Ada'],
    ['JSON', 400, unreadable, { 'Content-Type': 'application/json' }, '{"name":"Ada"}'],
    ['broken JSON', 400, unreadable, { 'Content-Type': 'application/json' }, '{'],
    ['in several parts', 400, unreadable, { 'Content-Type': 'multipart/form-data; boundary=x' }, '--x--'],
  ])(
    'is refused because it is %s: %s, with the next step, and the link still works',
    async (_what, status, title, headers, body) => {
      const { id, token } = await inviteAndMail(newAddress());
      const answer = await stack.call('invites/accept-page', { path: `/invitation/${token}/`, headers, body });
      expectPage(answer, status, title);
      expect(answer.text).toContain('Go back to the invitation');
      expect(answer.text).toContain('<a class="action" href="">Back to the invitation</a>');
      expect(answer.text).not.toContain('on our side');
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(await statusOf(id)).toBe('sent');
    },
  );
});

describe('the page while the table is unavailable', () => {
  it('says that nothing is lost and when to try again', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    for (const ask of [() => open(token), () => submit(token, { name: 'Ada' })]) {
      stack.faults.set({ faults: [{ fault: 'error', service: 'dynamodb', status: 503 }] });
      const answer = await ask();
      stack.faults.set({ faults: [] });
      expectPage(answer, 503, /Something went wrong on our side/);
      expect(answer.text).toContain('Your invitation is still valid');
      expect(answer.headers['retry-after']).toBe('2');
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
    }
    expect(await statusOf(id)).toBe('sent');
  });
});
