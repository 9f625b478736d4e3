/**
 * A write whose response is lost: the request must recognise it as its own when the SDK retries or, after the loss of
 * all responses, when the function looks for it in the table.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FunctionName } from '../../shared/contract.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, deliver, record, items } = deliveryTools(stack, keys);
const { create, update, remove, rotate, existing } = webhookCalls(stack);
const { roles, invite, inviteOne, inviteAndMail, resend, revoke, stored, staffWith } = await inviting(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());

// The SDK waits for up to a second between its attempts.
beforeAll(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => stack.faults.set({ faults: [] }));

/** Carries out writes of one kind, and loses a number of their answers. */
const lose = (times: number, name: FunctionName, action: 'UpdateItem' | 'TransactWriteItems') =>
  stack.faults.set({ faults: [{ fault: 'reset', after: true, function: name, action, times }] });

const integrations = (name: 'integrations/create' | 'integrations/update', id: string, body: object) =>
  stack.call(name, { path: `/admin/integrations/${id}`, key: keys.owner, body: { integrations: [body] } });

describe.each([
  ['one answer is lost and the SDK retries', 1],
  ['the answers of all attempts of the SDK are lost', 3],
])('%s', (_, times) => {
  it('rotating a secret rotates it once, and the old secret stays valid', async () => {
    const { id } = await webhook(newUrl(), { secret: 'the old one' });
    lose(times, 'webhooks/rotate-secret', 'UpdateItem');
    const answer = await rotate(id, keys.integration);
    expect(answer.status).toBe(200);
    expect(await record(id)).toMatchObject({
      secret: answer.body.secrets[0].secret,
      previous_secrets: [{ secret: 'the old one', until: answer.body.secrets[0].previous_valid_until }],
    });
  });

  it('creating an invite answers 201, and its mail is sent once', async () => {
    const email = newAddress();
    lose(times, 'invites/create', 'TransactWriteItems');
    const answer = await invite([{ email, role_id: roles.Author }]);
    expect(answer.status).toBe(201);
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toHaveLength(1);
    expect((await stored(answer.body.invites[0].id)).status).toBe('sent');
  });

  it('revoking an invite answers 204', async () => {
    const { id } = await inviteOne(newAddress());
    lose(times, 'invites/delete', 'UpdateItem');
    expect((await revoke(id)).status).toBe(204);
    expect((await stored(id)).status).toBe('revoked');
  });

  it('resending an invite sends it once', async () => {
    const { id } = await inviteOne(newAddress());
    lose(times, 'invites/resend', 'UpdateItem');
    expect((await resend(id)).status).toBe(200);
    expect((await stored(id)).mailing).toBe(2);
  });

  it('accepting an invitation returns 200, and the new member is announced', async () => {
    const email = newAddress();
    const { id, token } = await inviteAndMail(email);
    lose(times, 'invites/accept', 'TransactWriteItems');
    const invitation = [{ token, name: 'Ada Lovelace', password: 'ten chars!' }];
    const path = '/admin/authentication/invitation/';
    const answer = await stack.call('invites/accept', { path, body: { invitation } });
    expect(answer.status).toBe(200);
    expect((await stored(id)).status).toBe('accepted');
    expect(await staffWith(email)).toHaveLength(1);
    expect((await stack.take('events')).map(({ body }) => body.event)).toEqual(['staff.added']);
  });

  it('creating a webhook answers 201', async () => {
    lose(times, 'webhooks/create', 'TransactWriteItems');
    const answer = await create({ event: 'site.changed', target_url: newUrl() }, keys.integration);
    expect(answer.status).toBe(201);
    expect(await record(answer.body.webhooks[0].id)).toBeDefined();
  });

  it.each([
    ['name', 'UpdateItem' as const, () => ({ name: 'Changed' })],
    ['target', 'TransactWriteItems' as const, () => ({ target_url: newUrl() })],
  ])('changing the %s of a webhook changes it once', async (_name, action, change) => {
    const { id } = await existing(keys.integration);
    lose(times, 'webhooks/update', action);
    const answer = await update(id, change(), keys.integration);
    expect(answer.status).toBe(200);
    expect(await record(id)).toMatchObject({ updated_at: answer.body.webhooks[0].updated_at });
  });

  it('deleting a webhook answers 204', async () => {
    const { id } = await existing(keys.integration);
    lose(times, 'webhooks/delete', 'TransactWriteItems');
    expect((await remove(id, keys.integration)).status).toBe(204);
    expect(await record(id)).toBeUndefined();
  });

  it('creating, changing and deleting an integration returns 201, 200 and 204, and a new key', async () => {
    lose(times, 'integrations/create', 'TransactWriteItems');
    const created = await integrations('integrations/create', '', { name: 'Shop' });
    expect(created.status).toBe(201);
    const [{ id, api_keys }] = created.body.integrations;
    lose(times, 'integrations/update', 'UpdateItem');
    const changed = await integrations('integrations/update', `${id}/`, { name: 'Bookshop' });
    expect(changed.status).toBe(200);
    expect(changed.body.integrations[0].name).toBe('Bookshop');
    lose(times, 'integrations/refresh-key', 'TransactWriteItems');
    const path = `/admin/integrations/${id}/api_key/${api_keys[0].id}/refresh/`;
    const refreshed = await stack.call('integrations/refresh-key', { path, key: keys.owner });
    expect(refreshed.status).toBe(200);
    lose(times, 'integrations/delete', 'TransactWriteItems');
    const removed = await stack.call('integrations/delete', { path: `/admin/integrations/${id}/`, key: keys.owner });
    expect(removed.status).toBe(204);
    expect((await items(`INTEGRATION#${id}`)).filter(({ deleting_since }) => deleting_since === undefined)).toEqual([]);
  });

  it('starting a replay answers 202', async () => {
    const { id } = await existing(keys.integration);
    lose(times, 'replays/create', 'TransactWriteItems');
    const answer = await stack.call('replays/create', {
      path: `/admin/webhooks/${id}/replays/`,
      key: keys.integration,
      body: { replays: [{ since: '2026-01-01', until: '2026-01-02' }] },
    });
    expect(answer.status).toBe(202);
  });
});

it('two concurrent rotations return the same secret, and the old one stays valid for a day', async () => {
  const { id } = await webhook(`${receiver.origin}/rotated`, { secret: 'the old one' });
  // Both read the webhook before one of them writes.
  stack.faults.set({
    faults: [{ fault: 'slow', function: 'webhooks/rotate-secret', action: 'TransactWriteItems', ms: 400 }],
  });
  const answers = await Promise.all([rotate(id, keys.integration), rotate(id, keys.integration)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect(await record(id)).toMatchObject({ previous_secrets: [{ secret: 'the old one' }] });
  await deliver();
  expect(receiver.deliveries.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
});
