/** An answer of 410 disables a webhook: later deliveries are held, and it is replaced, enabled or deleted. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const caps = { webhooks: 4, webhooksOfStage: 6, integrations: 10 };
const stack = await freshStack({ caps });
const keys = await stack.seed();
const { webhook, messagesFor, attempt, deliver, rows, record } = deliveryTools(stack, keys);
const { create, update, remove } = webhookCalls(stack);

const day = 24 * 60 * 60_000;
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** A count of the stage's webhooks stands for ten seconds. */
const recount = () => pass(11_000);
let status = 410;
let headers: Record<string, string> = {};
const receiver = await receiveWebhooks((response) => response.writeHead(status, headers).end('channel_is_archived'));
afterAll(() => {
  receiver.close();
  vi.useRealTimers();
});

let paths = 0;
const declined = async (event = 'post.published', fields: object = {}, answer = 410) => {
  status = answer;
  recount();
  const created = await webhook(`${receiver.origin}/Hook-${paths++}`, { event, ...fields });
  pass(1);
  await deliver(event);
  pass(1);
  return created;
};
const sweep = async () => {
  await stack.invoke('due/sweep', {});
  await stack.drain('deletions');
};
const audit = async (id: string) =>
  (await stack.call('audit/list', { path: `/admin/audit/?target=${id}`, key: keys.owner })).body.audit;
const call = (verb: 'enable' | 'disable' | 'ping', id: string) =>
  stack.call(`webhooks/${verb}`, { path: `/admin/webhooks/${id}/${verb}/`, key: keys.integration });
const discard = (id: string) => remove(id, keys.integration);

describe('a webhook whose receiver answers 410', () => {
  it('is disabled: the answered delivery and those after it are held, and its log stays', async () => {
    const { id } = await declined();
    pass(1);
    await deliver('post.published');
    expect((await rows(id)).map(({ status, attempts, waiting_for }) => [status, attempts, waiting_for])).toEqual([
      ['held', 1, { reason: 'disabled', until: null }],
      ['held', 0, { reason: 'disabled', until: null }],
    ]);
    const log = await stack.call('deliveries/list', {
      path: `/admin/webhooks/${id}/deliveries/`,
      key: keys.integration,
    });
    expect(log.body.deliveries).toMatchObject([{ last_status: null }, { last_status: '410', last_error: 'status' }]);
    expect(await record(id)).toMatchObject({ status: 'disabled', last_triggered_status: '410' });
    expect(await audit(id)).toMatchObject([
      { actor: { type: 'masthead' }, action: 'webhook.disabled', changes: { disabled_for: { to: 'receiver' } } },
      { action: 'webhook.created' },
    ]);
    await discard(id);
  });

  it('is reported to its owners with the day of its deletion, and by webhook.disabled', async () => {
    const listener = await receiveWebhooks();
    const { id: listening } = await webhook(`${listener.origin}/events`, { event: 'webhook.disabled' });
    const { id } = await declined();
    for (const queue of ['events', 'deliveries', 'mail'] as const) await stack.drain(queue);
    const [event] = listener.deliveries.map(({ body }) => JSON.parse(body).webhook.current);
    expect(event).toMatchObject({ id, status: 'disabled', reason: 'receiver' });
    const mails = await stack.mailsTo('owner@masthead.example');
    const { body } = mails.find((mail) => mail.body.text?.includes(id)) ?? expect.fail();
    const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
    const end = new Date(Date.now() + 30 * day);
    expect(body.text?.replaceAll(/\s+/g, ' ')).toContain(
      `deleted on ${end.getUTCDate()} ${month.format(end)} ${end.getUTCFullYear()}`,
    );
    expect(body.text).toMatch(/^It answered: +410 channel_is_archived \(/m);
    expect(body.text).toMatch(/console\/#\/webhooks\?host=127\.0\.0\.1%3A\d+&cause=gone$/m);
    listener.close();
    for (const one of [id, listening]) await discard(one);
  });

  it.each([
    ['a 410', 410, {}],
    ['an answer with webhook-delivery: disable', 200, { 'webhook-delivery': 'disable' }],
  ])(
    'shows what the receiver said with %s in the list of webhooks and in the audit log, until it is enabled',
    async (...[, answer, asked]) => {
      headers = asked;
      const created = await declined('post.published', {}, answer);
      headers = {};
      const path = `/admin/integrations/${created.integration_id}/?include=webhooks`;
      const listed = async () =>
        (await stack.call('integrations/read', { path, key: keys.owner })).body.integrations[0].webhooks.find(
          (one: { id: string }) => one.id === created.id,
        );
      const { at, deletion_at } = (await listed()).declined;
      expect((await listed()).declined.answer).toBe(`${answer} channel_is_archived`);
      expect(Date.parse(deletion_at) - Date.parse(at)).toBe(30 * day);
      expect((await audit(created.id))[0].changes).toMatchObject({
        receiver_said: { from: null, to: `${answer} channel_is_archived` },
      });
      await call('enable', created.id);
      expect(await listed()).not.toHaveProperty('declined');
      expect(await record(created.id)).not.toHaveProperty('declined_with');
      await discard(created.id);
    },
  );

  it('keeps its status if it has moved to a new target meanwhile', async () => {
    const { id } = await webhook(`${receiver.origin}/moving`);
    const message = (await messagesFor()).find(({ webhook_id }) => webhook_id === id) ?? expect.fail();
    status = 410;
    await update(id, { target_url: newUrl() }, keys.integration);
    await update(id, { target_url: `${receiver.origin}/moving` }, keys.integration);
    await attempt(message);
    expect(await record(id)).toMatchObject({ status: 'disabled' });
    await update(id, { target_url: newUrl() }, keys.integration);
    expect(await record(id)).toMatchObject({ status: 'available' });
    await discard(id);
  });

  it('fails a redelivery, because somebody asked for it', async () => {
    const { id } = await declined();
    const [held] = await rows(id);
    pass(1);
    const path = `/admin/webhooks/${id}/deliveries/${held?.id}/redeliver/`;
    await stack.call('deliveries/redeliver', { path, key: keys.integration });
    await stack.drain('deliveries');
    await stack.drain('slow-deliveries');
    expect((await rows(id)).map((row) => row.status)).toEqual(['held', 'failed']);
    await discard(id);
  });
});

describe('a new webhook with the event and target of a declined one', () => {
  it('replaces it if it belongs to the same integration, whatever the case of the URL', async () => {
    const old = await declined('post.published', { options: { description: 'Site' } });
    const late = (await messagesFor()).find(({ webhook_id }) => webhook_id === old.id) ?? expect.fail();
    const target_url = old.target_url.replace('Hook', 'hook');
    const answer = await create({ event: old.event, target_url }, keys.integration);
    expect(answer.status).toBe(201);
    const [{ id }] = answer.body.webhooks;
    expect(await record(old.id)).toBeUndefined();
    expect((await update(old.id, { name: 'x' }, keys.integration)).status).toBe(404);
    expect((await audit(old.id))[0]).toMatchObject({ action: 'webhook.deleted', actor: { type: 'integration' } });
    await attempt(late);
    expect((await rows(old.id)).map((row) => row.status)).toEqual(['held', 'cancelled']);
    status = 200;
    await deliver(old.event);
    expect((await rows(id)).map((row) => row.status)).toEqual(['delivered']);
    expectRefusal(await create({ event: old.event, target_url }, keys.integration), {
      status: 422,
      type: 'ValidationError',
    });
    await discard(id);
  });

  it.each<[string, (id: string) => Promise<unknown>, string]>([
    ['it belongs to another integration', async () => {}, keys.otherIntegration],
    ['the old one was enabled', (id) => call('enable', id), keys.integration],
    [
      'the old one was disabled on request',
      async (id) => {
        await call('enable', id);
        await call('disable', id);
      },
      keys.integration,
    ],
  ])('is refused if %s', async (_, change, key) => {
    const { id, event, target_url } = await declined();
    await change(id);
    expectRefusal(await create({ event, target_url }, key), {
      status: 422,
      type: 'ValidationError',
    });
    await discard(id);
  });
});

describe('a declined webhook', () => {
  it('is available again at its URL in another case', async () => {
    const { id, event, target_url } = await declined();
    const answer = await update(id, { target_url: target_url.replace('Hook', 'hook') }, keys.integration);
    expect(answer.body.webhooks).toMatchObject([{ status: 'available' }]);
    status = 200;
    await deliver(event);
    expect((await rows(id)).map((row) => row.status)).toEqual(['held', 'delivered']);
    await discard(id);
  });

  it('does not count in the caps, until it is available again', async () => {
    const old = [await declined(), await declined(), await declined()];
    recount();
    const made: string[] = [];
    for (let count = 0; count < caps.webhooks; count++) {
      const answer = await create({ event: 'post.added', target_url: newUrl() }, keys.integration);
      expect(answer.status).toBe(201);
      made.push(answer.body.webhooks[0].id);
    }
    const full = { status: 422, type: 'ValidationError', property: 'integration_id' };
    expectRefusal(await create({ event: 'post.added', target_url: newUrl() }, keys.integration), full);
    const other = await create({ event: 'post.added', target_url: newUrl() }, keys.otherIntegration);
    expect(other.status).toBe(201);
    for (const id of made.splice(0, 2)) await discard(id);
    recount();
    // Two of the integration remain; with these two it is full again.
    await call('enable', old[0]?.id ?? '');
    await update(old[1]?.id ?? '', { target_url: newUrl() }, keys.integration);
    expectRefusal(await create({ event: 'post.added', target_url: newUrl() }, keys.integration), full);
    await remove(other.body.webhooks[0].id, keys.otherIntegration);
    for (const id of [...made, ...old.map((one) => one.id)]) await discard(id);
  });

  it('is deleted 30 days after its last change', async () => {
    const [touched, enabled, untouched] = [await declined(), await declined(), await declined()];
    pass(20 * day);
    await update(touched.id, { name: 'Needed' }, keys.integration);
    await call('enable', enabled.id);
    pass(10 * day - 2);
    await sweep();
    expect(await record(untouched.id)).toBeDefined();
    pass(1);
    await sweep();
    expect(await record(untouched.id)).toBeUndefined();
    expect((await audit(untouched.id))[0]).toMatchObject({ action: 'webhook.deleted', actor: { type: 'masthead' } });
    pass(20 * day);
    await sweep();
    expect(await record(touched.id)).toBeDefined();
    pass(1);
    await sweep();
    expect(await record(touched.id)).toBeUndefined();
    expect(await record(enabled.id)).toMatchObject({ status: 'available' });
    await discard(enabled.id);
  });
});

describe('a replay', () => {
  it.each([
    ['is still to begin', 'cancelled', []],
    ['is running', 'finished', ['held', 'held']],
  ])('that %s sends nothing after a 410', async (when, state, replayed) => {
    const { id } = await declined('post.published', {}, 200);
    await deliver('post.published');
    const since = new Date(Date.now() - day).toISOString();
    pass(1);
    const replays = [{ since, until: new Date(Date.now()).toISOString() }];
    const path = `/admin/webhooks/${id}/replays/`;
    const { body } = await stack.call('replays/create', { path, key: keys.integration, body: { replays } });
    if (when === 'is running') await stack.drain('replays');
    const messages = await stack.take('slow-deliveries');
    pass(1);
    status = 410;
    await deliver('post.published');
    const before = receiver.deliveries.length;
    pass(1);
    await stack.drain('replays');
    for (const { body: message } of messages) await stack.work('slow-deliveries', [message]);
    await stack.drain('slow-deliveries');
    expect(receiver.deliveries).toHaveLength(before);
    const read = await stack.call('replays/read', { path: `${path}${body.replays[0].id}/`, key: keys.integration });
    expect(read.body.replays[0].state).toBe(state);
    const made = (await rows(id)).filter(({ trigger }) => trigger === 'replay');
    expect(made.map((one) => one.status)).toEqual(replayed);
    await discard(id);
  });
});
