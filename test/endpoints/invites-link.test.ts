/** Invites without a mail: the response shows the link once, and the link works like one in a mail. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { roleId } from '../../shared/accounts/role.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress, tokenIn } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { invite, accept, open, read, resend, staffWith } = await inviting(stack, keys);
const role_id = roleId('Author');

const withoutMail = async (email = newAddress()) => {
  const answer = await invite([{ role_id, email, send_email: false }]);
  expect(answer.status).toBe(201);
  const [{ id, link, status }] = answer.body.invites;
  return { id, email, link, status, token: tokenIn(link) ?? '' };
};

describe('send_email: false', () => {
  it('sends no mail, neither at once nor by the sweep, and returns a link that works once', async () => {
    const { email, link, status, token } = await withoutMail();
    expect(status).toBe('pending');
    expect(link).toBe(`${stack.baseUrl}/invitation/${token}/`);
    expect(await stack.messages('mail')).toEqual([]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await stack.invoke('due/sweep', {});
    await stack.drain('mail');
    vi.useRealTimers();
    expect(await stack.mailsTo(email)).toEqual([]);
    expect((await open(token)).status).toBe(200);
    expect((await accept(token)).status).toBe(200);
    expect(await staffWith(email)).toHaveLength(1);
    expectRefusal(await accept(token), { status: 404, type: 'NotFoundError', property: 'token' });
  });

  it('stores no token, and no later response contains the link', async () => {
    const { id, email, token } = await withoutMail();
    const { Items } = await stack.dynamodb.send(new ScanCommand({ TableName: stack.tableName }));
    expect(JSON.stringify(Items)).toContain(email);
    expect(JSON.stringify(Items)).not.toContain(token.slice(24));
    for (const answer of [
      await read(id),
      await stack.call('invites/list', { path: '/admin/invites/', key: keys.owner }),
    ]) {
      expect(answer.text).toContain(id);
      expect(answer.text).not.toContain('link');
      expect(answer.text).not.toContain(token.slice(24));
    }
  });

  it('can differ between the items of a request, and the default is `true`', async () => {
    const [own, mailed, other] = [newAddress(), newAddress(), newAddress()];
    const { body } = await invite([
      { role_id, email: own, send_email: false },
      { role_id, email: mailed, send_email: true },
      { role_id, email: other },
    ]);
    expect(body.invites.map((one: object) => Object.hasOwn(one, 'link'))).toEqual([true, false, false]);
    await stack.drain('mail');
    expect(
      [await stack.mailsTo(own), await stack.mailsTo(mailed), await stack.mailsTo(other)].map(({ length }) => length),
    ).toEqual([0, 1, 1]);
  });

  it('allows a resend, which mails a new link', async () => {
    const { id, email, token } = await withoutMail();
    expect((await resend(id)).status).toBe(200);
    await stack.drain('mail');
    const mailed = tokenIn((await stack.mailsTo(email))[0]?.body.text ?? '') ?? '';
    expectRefusal(await accept(token), { status: 404, type: 'NotFoundError', property: 'token' });
    expect((await accept(mailed)).status).toBe(200);
  });

  it('replaces an open invite, whose link then no longer works', async () => {
    const { email, token } = await withoutMail();
    const next = await withoutMail(email);
    expectRefusal(await accept(token), { status: 404, type: 'NotFoundError', property: 'token' });
    expect((await accept(next.token)).status).toBe(200);
  });

  it("does not allow roles beyond the caller's rights, and must be a boolean", async () => {
    const email = newAddress();
    expectRefusal(await invite([{ role_id: roleId('Administrator'), email, send_email: false }], keys.integration), {
      status: 403,
      type: 'NoPermissionError',
    });
    expectRefusal(await invite([{ role_id, email, send_email: 'no' }]), {
      status: 422,
      type: 'ValidationError',
      property: 'send_email',
    });
  });
});
