/** A request with every fault, corrected one at a time (docs/compatibility.md, "Order of checks"). */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { tokenWith } from '../support/token.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { existing } = webhookCalls(stack);
const author = keys.staff.Author ?? '';

const put = (id: string, body: string, token?: string): Promise<TestResponse> =>
  stack.call('webhooks/update', {
    path: `/admin/webhooks/${id}/`,
    body,
    headers: token === undefined ? {} : { Authorization: `Ghost ${token}` },
  });

describe('the order of checks', () => {
  it('applies to PUT webhooks', async () => {
    const taken = await existing(keys.integration);
    const foreign = await existing(keys.otherIntegration);
    const own = await existing(keys.integration);
    const other = (item: object) => JSON.stringify({ hooks: [item] });
    const body = (item: object) => JSON.stringify({ webhooks: [item] });
    const duplicate = { event: taken.event, target_url: taken.target_url };
    const bad = { ...duplicate, target_url: 7 };
    const late = (key: string) => tokenWith(key, { claims: { iat: 1, exp: 2 } });
    const good = (key: string) => tokenWith(key, {});

    const noJson = `${other(bad)}}`;
    const steps: readonly (readonly [string, TestResponse, number, string, string | null])[] = [
      ['the size', await put('no-id', `{${'x'.repeat(70_000)}`, 'no.token'), 413, 'RequestEntityTooLargeError', null],
      ['the credentials', await put('no-id', noJson), 403, 'NoPermissionError', null],
      ['the token', await put('no-id', noJson, 'no.token'), 400, 'BadRequestError', 'INVALID_JWT'],
      [
        'the key',
        await put('no-id', noJson, good(`${'0'.repeat(24)}:00`)),
        401,
        'UnauthorizedError',
        'UNKNOWN_ADMIN_API_KEY',
      ],
      ['the time of the token', await put('no-id', noJson, late(author)), 401, 'UnauthorizedError', 'INVALID_JWT'],
      ['the caller', await put('no-id', noJson, good(author)), 403, 'NoPermissionError', null],
      ['the body', await put('no-id', noJson, good(keys.integration)), 400, 'BadRequestError', null],
      ['the id', await put('no-id', other(bad), good(keys.integration)), 422, 'ValidationError', null],
      ['the root key', await put('f'.repeat(24), other(bad), good(keys.integration)), 400, 'BadRequestError', null],
      [
        'the id in the body',
        await put('f'.repeat(24), body({ ...bad, id: own.id }), good(keys.integration)),
        400,
        'BadRequestError',
        null,
      ],
      ['the fields', await put('f'.repeat(24), body(bad), good(keys.integration)), 422, 'ValidationError', null],
      ['the existence', await put('f'.repeat(24), body(duplicate), good(keys.integration)), 404, 'NotFoundError', null],
      ['the owner', await put(foreign.id, body(duplicate), good(keys.integration)), 403, 'NoPermissionError', null],
      ['the duplicate', await put(own.id, body(duplicate), good(keys.integration)), 422, 'ValidationError', null],
    ];
    for (const [check, answer, status, type, code] of steps) {
      expect(answer.status, check).toBe(status);
      expectRefusal(answer, { status, type, ...(code !== null && { code }) });
    }
    const [, id] = steps[7] ?? [];
    expect(id?.body.errors[0].property).toBe('id');
    const corrected = await put(own.id, body({ ...duplicate, target_url: newUrl() }), good(keys.integration));
    expect(corrected.status).toBe(200);
  });

  it('applies to POST webhooks with a staff key: an unknown integration comes before a duplicate', async () => {
    const { event, target_url } = await existing(keys.integration);
    const body = { webhooks: [{ event, target_url, integration_id: 'f'.repeat(24) }] };
    const answer = await stack.call('webhooks/create', { path: '/admin/webhooks/', body, key: keys.owner });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'integration_id' });
  });

  it('applies to DELETE, which reads no fields', async () => {
    const call = (id: string, request: object) =>
      stack.call('webhooks/delete', { path: `/admin/webhooks/${id}/`, ...request });
    const foreign = await existing(keys.otherIntegration);
    expectRefusal(await call('no-id', { body: '{' }), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await call('no-id', { body: '{', key: author }), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await call('no-id', { body: '{', key: keys.integration }), { status: 400, type: 'BadRequestError' });
    expectRefusal(await call('no-id', { key: keys.integration }), {
      status: 422,
      type: 'ValidationError',
      property: 'id',
    });
    expectRefusal(await call('f'.repeat(24), { key: keys.integration }), { status: 404, type: 'NotFoundError' });
    expectRefusal(await call(foreign.id, { key: keys.integration }), { status: 403, type: 'NoPermissionError' });
  });

  it('ends at once for an unknown path, whatever the body is', async () => {
    const call = (body: string) => stack.call('fallback/answer', { method: 'POST', path: '/admin/nothing/', body });
    expectRefusal(await call('{"webhooks":'), { status: 404, type: 'NotFoundError' });
    expectRefusal(await call('x'.repeat(2_000_000)), { status: 404, type: 'NotFoundError' });
  });

  it('refuses an IP address with too many failures before the body is parsed', async () => {
    const token = tokenWith(`${'0'.repeat(24)}:00`, {});
    const attempts = await Promise.all(Array.from({ length: 60 }, () => put('no-id', '{', token)));
    expect(attempts.map(({ status }) => status)).toContain(429);
    expect(attempts.map(({ status }) => status)).not.toContain(400);
  });

  it("includes a Ghost site's signature, which is checked over the bytes before they are parsed", async () => {
    const body = { integrations: [{ name: 'Ghost' }] };
    const created = await stack.call('integrations/create', { path: '/admin/integrations/', key: keys.owner, body });
    const { id } = created.body.integrations[0];
    const path = `/admin/integrations/${id}/inbound_secret/`;
    const made = await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner });
    const send = (integration: string, text: string, secret: string) => {
      const at = Date.now();
      const hash = createHmac('sha256', secret).update(`${text}${at}`).digest('hex');
      return stack.call('inbound/ghost', {
        path: `/inbound/ghost/${integration}/post.published/`,
        body: text,
        headers: { 'X-Ghost-Signature': `sha256=${hash}, t=${at}` },
      });
    };
    expectRefusal(await send('no-id', '{', 'guessed'), { status: 401, type: 'UnauthorizedError' });
    expectRefusal(await send(id, '{', 'guessed'), { status: 401, type: 'UnauthorizedError' });
    expectRefusal(await send(id, '{', made.body.secrets[0].secret), { status: 400, type: 'BadRequestError' });
  });

  it.each([
    ['too large, before it is parsed', `{${'x'.repeat(70_000)}`, {}, 413],
    ['compressed, before it is parsed', '\u001f\u008b', { 'Content-Encoding': 'gzip' }, 415],
    ['in another charset, before it is parsed', '{', { 'Content-Type': 'application/json; charset=utf-16' }, 415],
    [
      'of another type, which fails at the root key only: first the credentials',
      '{',
      { 'Content-Type': 'text/plain' },
      403,
    ],
    ['empty, which fails at the root key only: first the credentials', '', {}, 403],
  ])('applies to a body that is %s', async (_, body, headers, status) => {
    const answer = await stack.call('webhooks/create', { path: '/admin/webhooks/', body, headers });
    expect(answer.status).toBe(status);
  });
});
