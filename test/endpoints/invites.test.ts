/** Creating invites: `POST /admin/invites/` (docs/compatibility.md, "Invites", "Roles", "Errors"). */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { roles, invite, inviteOne, open, revoke, set, stored, tokenFor } = await inviting(stack, keys);

const author = () => ({ email: newAddress(), role_id: roles.Author });
const week = 7 * 24 * 60 * 60 * 1000;

describe('POST /admin/invites/', () => {
  it("returns 201 with the invite's seven fields and its Location", async () => {
    const email = newAddress();
    const before = Date.now();
    const answer = await invite([{ email, role_id: roles.Editor }]);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      invites: [
        {
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          role_id: roles.Editor,
          status: 'pending',
          email,
          expires: expect.any(Number),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: answer.body.invites[0].created_at,
        },
      ],
    });
    const [{ id, expires, created_at }] = answer.body.invites;
    expect(answer.headers.location).toBe(`${stack.baseUrl}/admin/invites/${id}/`);
    expect(expires).toBe(Date.parse(created_at) + week);
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before);
  });

  it('creates several invites in the given order, and returns no Location', async () => {
    const items = [author(), author(), author()];
    const answer = await invite(items);
    expect(answer.status).toBe(201);
    expect(answer.body.invites.map(({ email }: { email: string }) => email)).toEqual(items.map(({ email }) => email));
    expect(answer.headers.location).toBeUndefined();
  });

  it('creates fifty invites in one request', async () => {
    const answer = await invite(Array.from({ length: 50 }, author));
    expect(answer.status).toBe(201);
    expect(answer.body.invites).toHaveLength(50);
  });

  it('queues one mail for each invite', async () => {
    await stack.drain('mail');
    const { body } = await invite([author(), author()]);
    const ids = body.invites.map(({ id }: { id: string }) => id);
    // On a busy machine, mails of earlier tests may be back in the queue.
    const asked = (await stack.messages('mail')).filter((message) => ids.includes(message.body.invite_id));
    expect(asked.map((message) => message.body)).toEqual(ids.map((invite_id: string) => ({ invite_id })));
  });

  it('works for an integration, which the mail does not name as the inviter', async () => {
    const { id } = await inviteOne(newAddress(), keys.integration);
    expect((await stored(id)).inviter).toBeNull();
  });
});

describe('inviting is refused', () => {
  const nothing = async (items: readonly { email: string }[]) => {
    for (const { email } of items) expect(await stack.mailsTo(email)).toEqual([]);
  };

  it('with 422 for more than fifty items, and none is created', async () => {
    const items = Array.from({ length: 51 }, author);
    expectRefusal(await invite(items), { status: 422, type: 'ValidationError', property: 'invites' });
    await stack.drain('mail');
    await nothing(items);
  });

  it('with 422 if a request has an address twice, also in another case, and details name the item', async () => {
    const first = author();
    const twin = { ...first, email: first.email.toUpperCase() };
    const error = expectRefusal(await invite([first, author(), twin]), {
      status: 422,
      type: 'ValidationError',
      property: 'email',
    });
    expect(error.details?.map(({ index, field }) => [index, field])).toEqual([[2, 'email']]);
  });

  it('with 404 for an unknown role, property role_id', async () => {
    for (const role_id of ['0123456789abcdef01234567', 'Author', ''])
      expectRefusal(await invite([{ email: newAddress(), role_id }]), {
        status: 404,
        type: 'NotFoundError',
        property: 'role_id',
      });
  });

  it("with 422 for a staff member's address in any case: code USER_ALREADY_REGISTERED, property email", async () => {
    for (const email of ['owner@masthead.example', 'OWNER@Masthead.Example'])
      expectRefusal(await invite([{ email, role_id: roles.Author }]), {
        status: 422,
        type: 'ValidationError',
        code: 'USER_ALREADY_REGISTERED',
        property: 'email',
      });
  });

  it.each([
    ['no address', { role_id: 'x' }, 'email'],
    ['no role', { email: 'ada@example.org' }, 'role_id'],
    ['an address without a domain', { email: 'ada', role_id: 'x' }, 'email'],
    ['an address without a dot', { email: 'ada@localhost', role_id: 'x' }, 'email'],
    ['an address of 192 characters', { email: `${'a'.repeat(180)}@example.org`, role_id: 'x' }, 'email'],
    ['an address with a line break', { email: 'ada@example.org\r\nBcc: all@example.org', role_id: 'x' }, 'email'],
    ['two addresses', { email: 'ada@example.org,bob@example.org', role_id: 'x' }, 'email'],
    ['a number', { email: 1, role_id: 'x' }, 'email'],
  ])('with 422 and the field for %s', async (_what, item, property) => {
    expectRefusal(await invite([item]), { status: 422, type: 'ValidationError', property });
  });

  it('with 422 for addresses that SES would refuse, with a reason for each', async () => {
    const wrong = ['.a@x.com', 'a.@x.com', 'a..b@x.com', `${'a'.repeat(65)}@x.com`, `a@${'b'.repeat(64)}.com`];
    const answer = await invite(wrong.map((email) => ({ email, role_id: roles.Author })));
    const error = expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'email' });
    expect(error.message).toBe(
      '`email` must not start or end with a dot before the @, or have two dots in a row there.',
    );
    expect(error.details?.map(({ index, rule, limit }) => [index, rule, limit])).toEqual([
      [0, 'dot_atom', null],
      [1, 'dot_atom', null],
      [2, 'dot_atom', null],
      [3, 'max_length', '64'],
      [4, 'max_length', '63'],
    ]);
  });

  it('with the status of the first failure if several roles cannot be assigned, and none is created', async () => {
    const good = author();
    const answer = await invite(
      [
        good,
        { email: newAddress(), role_id: roles.Administrator },
        { email: newAddress(), role_id: 'none' },
        { email: 'editor@masthead.example', role_id: roles.Author },
      ],
      keys.integration,
    );
    const error = expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
    expect(error.details?.map(({ index, field }) => [index, field])).toEqual([
      [1, 'role_id'],
      [2, 'role_id'],
    ]);
    await stack.drain('mail');
    await nothing([good]);
  });

  it.each([
    ['403', 'Administrator'],
    ['404', 'none'],
  ])(
    'with the same %s for an unassignable role, whether or not the address is a staff member’s',
    async (status, role) => {
      const answer = async (email: string) => {
        const { status, body } = await invite([{ email, role_id: roles[role] ?? role }], keys.staff.Editor);
        return { status, error: { ...body.errors[0], id: null } };
      };
      const ofStaff = await answer('owner@masthead.example');
      expect(String(ofStaff.status)).toBe(status);
      expect(ofStaff.error.details).toHaveLength(1);
      expect(ofStaff).toEqual(await answer(newAddress()));
    },
  );
});

describe('who can assign which role', () => {
  const all = ['Owner', 'Administrator', 'Super Editor', 'Editor', 'Author', 'Contributor', 'Admin Integration'];
  const givable: Readonly<Record<string, readonly string[]>> = {
    Owner: ['Administrator', 'Super Editor', 'Editor', 'Author', 'Contributor'],
    Administrator: ['Administrator', 'Super Editor', 'Editor', 'Author', 'Contributor'],
    'an integration': ['Super Editor', 'Editor', 'Author', 'Contributor'],
    'Super Editor': ['Author', 'Contributor'],
    Editor: ['Author', 'Contributor'],
    Author: [],
    Contributor: [],
  };

  describe.each(Object.entries(givable))('%s', (who, may) => {
    const key = who === 'an integration' ? keys.integration : (keys.staff[who] ?? '');

    it.each(all.map((role) => [may.includes(role) ? 'may' : 'may not', role] as const))(
      '%s assign the role %s',
      async (verdict, role) => {
        const answer = await invite([{ email: newAddress(), role_id: roles[role] }], key);
        if (verdict === 'may') expect(answer.status).toBe(201);
        else expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
      },
    );
  });
});

describe('a second invite to an address', () => {
  it('replaces the open invite', async () => {
    const email = newAddress();
    const old = await inviteOne(email);
    const answer = await invite([{ email: email.toUpperCase(), role_id: roles.Editor }]);
    expect(answer.status).toBe(201);
    expect(answer.body.invites[0].id).not.toBe(old.id);
    expectRefusal(await stack.call('invites/read', { path: `/admin/invites/${old.id}/`, key: keys.owner }), {
      status: 404,
      type: 'NotFoundError',
    });
    expect((await stored(old.id)).status).toBe('replaced');
  });

  it.each([
    ['an Editor', 'Administrator', () => keys.staff.Editor],
    ['an Editor', 'Editor', () => keys.staff.Editor],
    ['an integration', 'Administrator', () => keys.integration],
  ])("needs the right to assign the open invite's role: %s cannot replace one for %s", async (_, role, key) => {
    const email = newAddress();
    const answer = await invite([{ email, role_id: roles[role] }]);
    await stack.drain('mail');
    const token = await tokenFor(email);
    const refused = await invite([author(), { email: email.toUpperCase(), role_id: roles.Contributor }], key());
    const error = expectRefusal(refused, { status: 403, type: 'NoPermissionError', property: 'email' });
    expect(error.details?.map(({ index, field, rule }) => [index, field, rule])).toEqual([[1, 'email', 'replaceable']]);
    expect(error.message).not.toContain(role);
    expect((await stored(answer.body.invites[0].id)).status).toBe('sent');
    expect((await open(token)).status).toBe(200);
  });

  it.each(['expired', 'revoked'])(
    'needs no right to assign the role of the first invite if that invite is %s',
    async (end) => {
      const email = newAddress();
      const { body } = await invite([{ email, role_id: roles.Administrator }]);
      const [{ id }] = body.invites;
      if (end === 'expired') await set(id, 'expires', Date.now() - 1);
      else await revoke(id);
      expect((await invite([{ email, role_id: roles.Contributor }], keys.staff.Editor)).status).toBe(201);
    },
  );

  it('never replaces a concurrent invite whose role its inviter cannot assign', async () => {
    const emails = Array.from({ length: 8 }, newAddress);
    const race = emails.map(async (email) => {
      const [lower, higher] = await Promise.all([
        invite([{ email, role_id: roles.Contributor }], keys.staff['Super Editor']),
        invite([{ email, role_id: roles.Administrator }]),
      ]);
      expect([201, 403]).toContain(lower.status);
      expect(higher.status).toBe(201);
      const [{ id }] = higher.body.invites;
      return (await stack.call('invites/read', { path: `/admin/invites/${id}/`, key: keys.owner })).status;
    });
    expect(await Promise.all(race)).toEqual(Array(8).fill(200));
  });

  it('leaves a single open invite after concurrent requests of several inviters', async () => {
    const email = newAddress();
    const inviters = [
      keys.owner,
      keys.integration,
      keys.staff.Administrator,
      keys.staff.Editor,
      keys.staff['Super Editor'],
    ];
    const answers = await Promise.all(inviters.map((key) => invite([{ email, role_id: roles.Author }], key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    const found = await Promise.all(
      answers.map(({ body }) =>
        stack.call('invites/read', { path: `/admin/invites/${body.invites[0].id}/`, key: keys.owner }),
      ),
    );
    expect(found.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });
});
