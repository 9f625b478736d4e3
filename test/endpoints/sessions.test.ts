/** A mailed link signs a staff member in, the cookie has the member's rights, and other origins cannot use it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { roleId } from '../../shared/accounts/role.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { cookieIn, signingIn } from '../support/sessions.ts';

const many = 1_000_000;
const stack = await freshStack({
  signIn: { mailsPerAddressInTenMinutes: 3, mailsPerAddressAndDay: 8, requestsPerSourceAndMinute: many },
});
const keys = await stack.seed();
const { inviteAndMail, accept, staffWith } = await inviting(stack, keys);
const { request, tokensFor, exchange, signIn } = signingIn(stack);

/** A new staff member who has joined by an invitation, signed in. */
const signedIn = async (role = 'Author') => {
  const email = newAddress();
  await accept((await inviteAndMail(email)).token);
  const [member] = await staffWith(email);
  const id = member?.id ?? expect.fail();
  if (role !== 'Author') await changeRole(id, role);
  return { userId: id, email, ...(await signIn(email)) };
};
const changeRole = async (id: string, role: string) => {
  const body = { users: [{ roles: [roleId(role)] }] };
  const answer = await stack.call('users/update', { path: `/admin/users/${id}/`, key: keys.owner, body });
  expect(answer.status).toBe(200);
};
const me = (cookie: string, headers = {}) =>
  stack.call('users/read', { path: '/admin/users/me/?include=roles', cookie, headers });
const list = (cookie: string) => stack.call('sessions/list', { path: '/admin/session/', cookie });
const rename = (cookie: string, headers: Readonly<Record<string, string>> = {}) =>
  stack.call('users/update', { path: '/admin/users/me/', cookie, headers, body: { users: [{ name: 'Eve' }] } });
const ended = { status: 401, type: 'UnauthorizedError', code: 'INVALID_SESSION' } as const;

afterEach(() => vi.useRealTimers());
/** Returns what requests for links have used: calls, units of the table, requests to queues. */
const work = (): number[] => {
  const {
    calls = {},
    readUnits = 0,
    writeUnits = 0,
    queueRequests = 0,
  } = stack.counts().functions['sessions/request'] ?? {};
  return [...Object.values(calls), readUnits, writeUnits, queueRequests];
};
/** Lets time pass for the functions, not for the parts. */
const pass = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
};

describe('POST /admin/session/', () => {
  it('answers every address alike and with the same work, but mails a link only to staff', async () => {
    const { email } = await signedIn();
    const stranger = newAddress();
    const counted = async (address: string) => {
      const before = work();
      const answer = await request(address);
      return { answer, work: work().map((count, position) => count - (before[position] ?? 0)) };
    };
    const { answer: known, work: forKnown } = await counted(email);
    const { answer: unknown, work: forUnknown } = await counted(stranger);
    expect(known.status).toBe(202);
    expect(known.body).toEqual({ sessions: [{ email }] });
    expect({ ...unknown, text: '', body: '' }).toEqual({ ...known, text: '', body: '' });
    expect(unknown.body).toEqual({ sessions: [{ email: stranger }] });
    expect(forUnknown).toEqual(forKnown);
    expect(Math.min(...forKnown)).toBeGreaterThan(0);
    expect(await tokensFor(email)).toHaveLength(2);
    expect(await stack.mailsTo(stranger)).toEqual([]);
  });

  it('finds a member whatever the letter case of the address, and mails to the stored address', async () => {
    const { email } = await signedIn();
    await request(email.toUpperCase());
    expect(await tokensFor(email)).toHaveLength(2);
  });

  it('allows three requests in ten minutes for each address, known or unknown', async () => {
    const { email } = await signedIn();
    const refusals = [];
    for (const address of [email, newAddress()]) {
      for (let sent = address === email ? 1 : 0; sent < 3; sent++) expect((await request(address)).status).toBe(202);
      const refused = await request(address);
      expectRefusal(refused, { status: 429, type: 'TooManyRequestsError' });
      refusals.push({ ...refused.body.errors[0], id: '' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(refusals[0]).toEqual(refusals[1]);
    expect((await request(newAddress())).status).toBe(202);
  });

  it('mails no link if the request has waited for 15 minutes', async () => {
    const { email } = await signedIn();
    await request(email);
    pass(15 * 60_000 + 1);
    expect(await tokensFor(email)).toHaveLength(1);
  });

  it.each([
    ['another origin', { Origin: 'https://evil.example' }],
    ['an allowed origin of the stage', { Origin: 'https://console.example.com' }],
    ['no origin, with a cookie', { Cookie: 'masthead_session=x' }],
  ])('refuses %s, as PUT does', async (_, headers) => {
    for (const answer of [await request(newAddress(), headers), await exchange('x'.repeat(43), headers)])
      expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
  });
});

describe("strangers who request links for a member's address", () => {
  const flood = async (email: string) => {
    let accepted = 0;
    for (; accepted < 50; accepted++)
      if ((await request(email, {}, `192.0.2.${accepted}`)).status !== 202) return accepted;
    return accepted;
  };

  it("do not keep the member out, because the member's browser has a limit of its own", async () => {
    const { email, browser } = await signedIn();
    await flood(email);
    expectRefusal(await request(email), { status: 429, type: 'TooManyRequestsError' });
    const before = (await tokensFor(email)).length;
    const headers = { Cookie: `masthead_browser=${browser}`, Origin: 'http://localhost' };
    for (let sent = 0; sent < 3; sent++) expect((await request(email, headers)).status).toBe(202);
    expect(await tokensFor(email)).toHaveLength(before + 3);
    expectRefusal(await request(email, headers), { status: 429, type: 'TooManyRequestsError' });
  });

  it('gain nothing from the cookie of another member or an invented one', async () => {
    const [{ email }, stranger] = [await signedIn(), await signedIn()];
    await flood(email);
    for (const browser of [stranger.browser, 'x'.repeat(43), '']) {
      const headers = { Cookie: `masthead_browser=${browser}`, Origin: 'http://localhost' };
      expectRefusal(await request(email, headers), { status: 429, type: 'TooManyRequestsError' });
    }
  });

  it("from one address use up half of a day's mails at most, so that a new browser still gets one", async () => {
    const { email } = await signedIn();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    let accepted = 0;
    for (let hours = 0; hours < 10; hours++) {
      vi.setSystemTime(Date.now() + 3_600_000);
      for (let sent = 0; sent < 20; sent++) if ((await request(email, {}, '192.0.2.66')).status === 202) accepted++;
    }
    expect(accepted).toBe(4);
    vi.setSystemTime(Date.now() + 11 * 60_000);
    // Beside the one with which the member has signed in.
    for (let sent = 0; sent < 3; sent++) expect((await request(email, {}, '198.51.100.7')).status).toBe(202);
  });

  it('from many addresses leave one mail an hour', async () => {
    const { email } = await signedIn();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    for (let hours = 0; hours < 5; hours++) {
      vi.setSystemTime(Date.now() + 3_600_000);
      await flood(email);
    }
    vi.setSystemTime(Date.now() + 3_600_000);
    expect((await request(email, {}, '198.51.100.7')).status).toBe(202);
    expectRefusal(await request(email, {}, '198.51.100.8'), { status: 429, type: 'TooManyRequestsError' });
  });

  it('cause at most eight mails a day, and one an hour after them', async () => {
    const { email } = await signedIn();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    let accepted = 1;
    for (let minute = 0; minute < 120; minute += 11) {
      vi.setSystemTime(Date.now() + 11 * 60_000);
      accepted += await flood(email);
    }
    // Two hours have passed.
    expect(accepted).toBe(8 + 2);
  });
});

describe('PUT /admin/session/', () => {
  it('sets a cookie for 12 hours that scripts cannot read and other sites cannot send', async () => {
    const { email, userId } = await signedIn();
    await request(email);
    const [, token = ''] = await tokensFor(email);
    const answer = await exchange(token, {
      Origin: 'http://localhost',
      'User-Agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['set-cookie']).toMatch(
      /^masthead_session=[\w-]{91}; Max-Age=43200; Path=\/ghost\/api; HttpOnly; Secure; SameSite=Strict, /,
    );
    const [session] = answer.body.sessions;
    expect(session).toMatchObject({ user_id: userId, device: 'Safari on macOS', current: true });
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(12 * 3_600_000);
    expect(answer.text).not.toContain(cookieIn(answer));
  });

  it('accepts a token once, even in concurrent requests', async () => {
    const { email } = await signedIn();
    await request(email);
    const [, token = ''] = await tokensFor(email);
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404]);
    expectRefusal(await exchange(token), { status: 404, type: 'NotFoundError', property: 'token' });
  });

  it('is in the audit log if a link is tried after its use or its end, but not if it was never mailed', async () => {
    const { email, userId, token: used } = await signedIn();
    await request(email);
    const [, late = ''] = await tokensFor(email);
    const refusals = async () => {
      const path = `/admin/audit/?target=${userId}&action=session.refused`;
      return (await stack.call('audit/list', { path, key: keys.owner })).body.audit;
    };
    await stack.call('sessions/show-page', { path: `/sign-in/${used}/` });
    await exchange('x'.repeat(43));
    expect(await refusals()).toEqual([]);
    await exchange(used);
    pass(15 * 60_000 + 1);
    await exchange(late);
    expect(await refusals()).toMatchObject([
      { actor: { type: 'masthead' }, target: { type: 'staff', id: userId } },
      { target: { type: 'staff', id: userId } },
    ]);
  });

  it('accepts a token for 15 minutes', async () => {
    const { email } = await signedIn();
    await request(email);
    await request(email);
    const [, first = '', second = ''] = await tokensFor(email);
    pass(14 * 60_000);
    expect((await exchange(first)).status).toBe(201);
    pass(60_001);
    expectRefusal(await exchange(second), { status: 404, type: 'NotFoundError', property: 'token' });
  });

  it('refuses a token of a removed member, and a token that was never mailed', async () => {
    const { email, userId } = await signedIn();
    await request(email);
    const [, token = ''] = await tokensFor(email);
    await stack.call('users/delete', { path: `/admin/users/${userId}/`, key: keys.owner });
    expectRefusal(await exchange(token), { status: 404, type: 'NotFoundError', property: 'token' });
    expectRefusal(await exchange('x'.repeat(43)), { status: 404, type: 'NotFoundError', property: 'token' });
  });
});

describe('a session', () => {
  it("has the rights of the member's role", async () => {
    const { cookie, email } = await signedIn('Administrator');
    expect((await me(cookie)).body.users).toMatchObject([{ email, roles: [{ name: 'Administrator' }] }]);
    expect((await stack.call('users/list', { path: '/admin/users/', cookie })).status).toBe(200);
    const author = await signedIn();
    expectRefusal(await stack.call('users/list', { path: '/admin/users/', cookie: author.cookie }), {
      status: 403,
      type: 'NoPermissionError',
    });
  });

  it('allows writes only from a page of the same origin, and allows reads from anywhere', async () => {
    const { cookie } = await signedIn();
    const own = `masthead_session=${cookie}`;
    const update = (headers: Readonly<Record<string, string>>) =>
      stack.call('users/update', { path: '/admin/users/me/', headers, body: { users: [{ name: 'Eve' }] } });
    for (const origin of [
      'https://evil.example',
      'https://console.example.com',
      'null',
      'http://localhost.evil.example',
    ])
      expectRefusal(await update({ Cookie: own, Origin: origin }), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await update({ Cookie: own }), { status: 403, type: 'NoPermissionError' });
    expect((await me(cookie)).body.users[0].name).not.toBe('Eve');
    expect((await update({ Cookie: own, Origin: 'http://localhost' })).status).toBe(200);
    expect((await stack.call('users/read', { path: '/admin/users/me/', headers: { Cookie: own } })).status).toBe(200);
  });

  it('is ignored if the request has an Authorization header', async () => {
    const { cookie } = await signedIn();
    const answer = await stack.call('users/read', { path: '/admin/users/me/', cookie, key: keys.owner });
    expect(answer.body.users[0].name).toBe('Olive Owner');
    expectRefusal(await me(cookie, { Authorization: 'Bearer x' }), {
      status: 401,
      type: 'UnauthorizedError',
      code: 'INVALID_AUTH_HEADER',
    });
  });

  it('is refused if its cookie is altered, shortened, mixed with another, or sent beside another', async () => {
    const [{ cookie }, { cookie: other }] = [await signedIn(), await signedIn()];
    const wrong = {
      altered: cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      shortened: cookie.slice(0, -1),
      empty: '',
      'of another member': `${other.slice(0, 24)}${cookie.slice(24)}`,
      'of another session': `${other.slice(0, 48)}${cookie.slice(48)}`,
      'beside another': `${cookie}; masthead_session=${other}`,
    };
    for (const cold of [true, false]) {
      for (const [, value] of Object.entries(wrong)) expectRefusal(await me(value), ended);
      if (cold) expect((await me(cookie)).status).toBe(200);
    }
  });

  it('ends after 12 hours, even in a Lambda instance that has cached it', async () => {
    const { cookie } = await signedIn();
    pass(12 * 3_600_000 - 10_000);
    expect((await me(cookie)).status).toBe(200);
    pass(10_001);
    expectRefusal(await me(cookie), ended);
    expectRefusal(await list(cookie), ended);
  });

  it('has the rights of a new role within five seconds, and ends when the member is removed', async () => {
    const { cookie, userId } = await signedIn();
    const users = () => stack.call('users/list', { path: '/admin/users/', cookie });
    expect((await users()).status).toBe(403);
    await changeRole(userId, 'Administrator');
    pass(5_000);
    expect((await users()).status).toBe(200);
    await stack.call('users/delete', { path: `/admin/users/${userId}/`, key: keys.owner });
    pass(5_000);
    expectRefusal(await users(), ended);
    expectRefusal(await rename(cookie), ended);
  });

  it('continues when the member gets a new access token', async () => {
    const { cookie, userId } = await signedIn();
    await stack.call('users/renew-token', { path: `/admin/users/${userId}/token/`, key: keys.owner });
    pass(5_000);
    expect((await me(cookie)).status).toBe(200);
  });
});

describe('the form of the invitation page', () => {
  const join = async (headers: Readonly<Record<string, string>>) => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
    const path = `/invitation/${token}/`;
    return { email, answer: await stack.call('invites/accept-page', { path, headers: form, body: 'name=Grace' }) };
  };

  it('signs the new staff member in and leads to the console', async () => {
    const { email, answer } = await join({ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('href="http://localhost/ghost/api/console/"');
    const cookie = cookieIn(answer) ?? expect.fail();
    expect((await me(cookie)).body.users).toMatchObject([{ name: 'Grace', email }]);
    expect((await list(cookie)).body.sessions).toMatchObject([{ device: 'test', current: true }]);
  });

  it.each([
    ['a form of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['a form of another host of the domain', { 'Sec-Fetch-Site': 'same-site', Origin: 'null' }],
    ['a program', {}],
  ])('does not sign in for %s', async (_, headers) => {
    const { answer } = await join(headers);
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('welcomes a new staff member even if no session can be stored', async () => {
    // The first transaction accepts the invitation; the SDK repeats the second.
    const numbers = [2, 3, 4, 5, 6, 7, 8, 9];
    stack.faults.set({
      faults: [{ fault: 'error', function: 'invites/accept-page', action: 'TransactWriteItems', numbers }],
    });
    const { answer } = await join({ 'Sec-Fetch-Site': 'same-origin' });
    stack.faults.set({ faults: [] });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });
});

describe('GET and DELETE /admin/session/', () => {
  it('lists the member’s own sessions, newest first, and marks the current one', async () => {
    const { cookie, id, email } = await signedIn();
    const phone = await signIn(email, {
      'User-Agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
    });
    await signedIn();
    const { sessions } = (await list(cookie)).body;
    expect(sessions).toMatchObject([
      { id: phone.id, device: 'Chrome on Android', last_seen_at: sessions[0].created_at, current: false },
      { id, device: 'test', current: true },
    ]);
  });

  it('signs out, and the session has ended everywhere within five seconds', async () => {
    const { cookie, email } = await signedIn();
    const other = await signIn(email);
    expect((await me(cookie)).status).toBe(200);
    const answer = await stack.call('sessions/end-current', { path: '/admin/session/', cookie });
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toMatch(/^masthead_session=; Max-Age=0; Path=\/ghost\/api;/);
    pass(5_000);
    for (const refused of [await me(cookie), await rename(cookie)]) expectRefusal(refused, ended);
    expect((await me(other.cookie)).status).toBe(200);
  });

  it('ends a session of the same member by its id, also the own one, but no session of other members', async () => {
    const [own, stranger] = [await signedIn(), await signedIn('Administrator')];
    const phone = await signIn(own.email);
    const end = (id: string, cookie: string) => stack.call('sessions/end', { path: `/admin/session/${id}/`, cookie });
    expectRefusal(await end(phone.id, stranger.cookie), { status: 404, type: 'NotFoundError' });
    expect((await end(phone.id, own.cookie)).status).toBe(204);
    expectRefusal(await end(phone.id, own.cookie), { status: 404, type: 'NotFoundError' });
    pass(5_000);
    expectRefusal(await me(phone.cookie), ended);
    expect((await me(own.cookie)).status).toBe(200);
    expect((await list(own.cookie)).body.sessions).toHaveLength(1);
    expect((await end(own.id, own.cookie)).headers['set-cookie']).toMatch(/^masthead_session=; Max-Age=0;/);
  });

  it("allows an Administrator to list and end a member's sessions, but only the Owner to end the Owner’s", async () => {
    const [member, administrator] = [await signedIn(), await signedIn('Administrator')];
    const phone = await signIn(member.email);
    const sessionsOf = (user: string, cookie: string) =>
      stack.call('users/list-sessions', { path: `/admin/users/${user}/sessions/`, cookie });
    const end = (user: string, id: string, by: { readonly cookie?: string; readonly key?: string }) =>
      stack.call('users/end-session', { path: `/admin/users/${user}/sessions/${id}/`, ...by });
    expect((await sessionsOf(member.userId, administrator.cookie)).body.sessions).toMatchObject([
      { id: phone.id, user_id: member.userId, current: false },
      { id: member.id, device: 'test', current: false },
    ]);
    expect((await sessionsOf('me', administrator.cookie)).body.sessions).toMatchObject([{ current: true }]);
    for (const refused of [await sessionsOf('me', member.cookie), await end('me', phone.id, member)])
      expectRefusal(refused, { status: 403, type: 'NoPermissionError' });
    expectRefusal(await end(administrator.userId, phone.id, administrator), { status: 404, type: 'NotFoundError' });
    expect((await end(member.userId, phone.id, administrator)).status).toBe(204);
    pass(5_000);
    expectRefusal(await me(phone.cookie), ended);
    expect((await me(member.cookie)).status).toBe(200);

    const { email, id: owner } = (await stack.call('users/read', { path: '/admin/users/me/', key: keys.owner })).body
      .users[0];
    const ofOwner = await signIn(email);
    expect((await sessionsOf(owner, administrator.cookie)).body.sessions).toMatchObject([{ id: ofOwner.id }]);
    expectRefusal(await end(owner, ofOwner.id, administrator), { status: 403, type: 'NoPermissionError' });
    expect((await end(owner, ofOwner.id, { key: keys.owner })).status).toBe(204);
  });

  it('returns 404 for the current session if the request has a key', async () => {
    const answer = await stack.call('sessions/end-current', { path: '/admin/session/', key: keys.owner });
    expectRefusal(answer, { status: 404, type: 'NotFoundError' });
  });
});
