/** The endpoints of a webhook's log: list, filters, pages, attempts, redelivery, and who can use them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { itemOf } from '../../shared/deliveries/records/row.ts';
import { day } from '../../shared/foundation/clock.ts';
import type { DeliveryId, IntegrationId, WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { defaultSettings } from '../support/default-settings.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, deliver, rows, tamper, put, record } = deliveryTools(stack, keys);

let status = 200;
const answering = () =>
  receiveWebhooks((response) => {
    response.writeHead(status);
    response.end('thank you');
  });
const receiver = await answering();
afterAll(() => receiver.close());

const takeAll = async () => {
  await stack.take('deliveries');
  await stack.take('slow-deliveries');
};
const drain = async () => {
  await stack.drain('deliveries');
  await stack.drain('slow-deliveries');
};

const unknown = '0'.repeat(24);
let hook: string;
let other: string;
let owner: IntegrationId;
beforeAll(async () => {
  const created = await webhook(`${receiver.origin}/hook`);
  hook = created.id;
  owner = created.integration_id as IntegrationId;
  other = (await webhook(`${receiver.origin}/other`, { event: 'page.published' })).id;
});

const list = (id: string, query = '', key = keys.integration) =>
  stack.call('deliveries/list', { path: `/admin/webhooks/${id}/deliveries/${query}`, key });
const read = (id: string, delivery: string, key = keys.integration) =>
  stack.call('deliveries/read', { path: `/admin/webhooks/${id}/deliveries/${delivery}/`, key });
const redeliver = (id: string, delivery: string, key = keys.integration) =>
  stack.call('deliveries/redeliver', { path: `/admin/webhooks/${id}/deliveries/${delivery}/redeliver/`, key });

/** Puts copies of a real delivery, a minute apart, newest last; returns their ids in that order. */
const copies = async (
  id: string,
  changes: readonly Partial<Delivery>[],
  first = Date.parse('2026-11-01T12:00:00Z'),
) => {
  const real = (await rows(id)).at(-1);
  if (real === undefined) throw new Error('The webhook has no delivery to copy.');
  const made = changes.map((change, index) => {
    const at = first + index * 60_000;
    const id = `${at.toString(16).padStart(12, '0')}${index.toString(16).padStart(12, '0')}`;
    const created_at = new Date(at).toISOString();
    return { ...real, ...change, id: id as DeliveryId, created_at, integration_id: owner };
  });
  await put(made.map((delivery) => itemOf(delivery)));
  return made.map(({ id }) => id);
};
const idsOf = (body: { deliveries: readonly { id: string }[] }) => body.deliveries.map(({ id }) => id);

describe('GET …/deliveries/', () => {
  it('returns an empty page for a webhook without deliveries', async () => {
    const answer = await list(hook);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ deliveries: [], meta: { pagination: { limit: 100, next: null } } });
  });

  it('returns each delivery with its 15 fields, newest first', async () => {
    const published = await publish();
    await stack.drain('events');
    await drain();
    status = 500;
    await deliver();
    status = 200;
    const answer = await list(hook);
    expect(answer.body.deliveries).toHaveLength(2);
    const [second, first] = answer.body.deliveries;
    const [{ id: event_id, created_at }] = published.body.events;
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      webhook_id: hook,
      event: 'post.published',
      event_id,
      status: 'delivered',
      trigger: 'event',
      attempts: 1,
      created_at,
      last_attempt_at: expect.stringMatching(/^\d{4}-.*Z$/),
      next_attempt_at: null,
      last_status: '200',
      last_error: null,
      waiting_for: null,
      replayed_by: null,
      superseded_by: null,
    });
    expect(second).toMatchObject({ status: 'retrying', last_status: '500', last_error: 'status' });
    expect(Object.keys(second)).toEqual(Object.keys(first));
    await takeAll();
  });

  it('pages with an opaque cursor', async () => {
    const ids = await copies(
      hook,
      Array.from({ length: 25 }, () => ({})),
      Date.parse('2026-10-01T00:00:00Z'),
    );
    const until = 'until=2026-10-02T00:00:00Z';
    const found: string[] = [];
    const pages: number[] = [];
    let next: string | null = null;
    do {
      const answer = await list(hook, `?${until}&limit=10${next === null ? '' : `&cursor=${next}`}`);
      pages.push(answer.body.deliveries.length);
      found.push(...idsOf(answer.body));
      next = answer.body.meta.pagination.next;
      expect(answer.body.meta.pagination.limit).toBe(10);
    } while (next !== null);
    expect(pages).toEqual([10, 10, 5]);
    expect(found).toEqual([...ids].reverse());
  });

  it('has no next page after a full last page', async () => {
    const answer = await list(hook, '?until=2026-10-02T00:00:00Z&limit=25');
    expect(answer.body.deliveries).toHaveLength(25);
    expect(answer.body.meta.pagination.next).toBeNull();
  });

  it('filters by status, event and time', async () => {
    const at = Date.parse('2026-09-01T00:00:00Z');
    const ids = await copies(
      hook,
      [{ status: 'failed' }, {}, { status: 'failed', event: 'tag.added' }, { status: 'held' }],
      at,
    );
    const range = 'since=2026-09-01&until=2026-09-02';
    expect(idsOf((await list(hook, `?${range}&status=failed`)).body)).toEqual([ids[2], ids[0]]);
    expect(idsOf((await list(hook, `?${range}&status=failed&event=tag.added`)).body)).toEqual([ids[2]]);
    expect(idsOf((await list(hook, `?${range}&status=blocked`)).body)).toEqual([]);
    expect(idsOf((await list(hook, `?${range}`)).body)).toEqual([...ids].reverse());
    // `since` is inclusive, `until` is exclusive, so that a range from a time to the same time is empty.
    expect(idsOf((await list(hook, '?since=2026-09-01T00:01:00Z&until=2026-09-01T00:01:00Z')).body)).toEqual([]);
    expect(idsOf((await list(hook, '?since=2026-09-01T00:01:00Z&until=2026-09-01T00:03:00.000Z')).body)).toEqual([
      ids[2],
      ids[1],
    ]);
    expect(idsOf((await list(hook, '?since=2026-09-01T02:01:00%2B02:00&until=2026-09-01T00:02:00Z')).body)).toEqual([
      ids[1],
    ]);
  });

  it('finds the matching deliveries among many others', async () => {
    const ids = await copies(
      hook,
      Array.from({ length: 250 }, (_, index) => (index % 100 === 0 ? { status: 'blocked' } : {})),
      Date.parse('2026-08-01T00:00:00Z'),
    );
    const answer = await list(hook, '?since=2026-08-01&until=2026-08-02&status=blocked');
    expect(idsOf(answer.body)).toEqual([ids[200], ids[100], ids[0]]);
  });

  it('omits expired deliveries that DynamoDB has not deleted yet', async () => {
    await copies(hook, [{ expires_at: Math.floor(Date.now() / 1000) - 1 }], Date.parse('2026-07-01T00:00:00Z'));
    expect((await list(hook, '?since=2026-07-01&until=2026-07-02')).body.deliveries).toEqual([]);
  });

  it.each([
    ['status', 'status=done'],
    ['since', 'since=yesterday'],
    ['since', 'since=2026-11-21T09:00:00'],
    ['until', 'until=21.11.2026'],
    ['until', 'since=2026-11-22&until=2026-11-21'],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=ten'],
    ['cursor', 'cursor=abc'],
    ['cursor', 'cursor='],
  ])('refuses an invalid %s (%s)', async (property, query) => {
    expectRefusal(await list(hook, `?${query}`), { status: 422, type: 'ValidationError', property });
  });

  it('accepts a cursor only with the webhook and the filters that it was made for', async () => {
    const { next } = (await list(hook, '?limit=1')).body.meta.pagination;
    expect((await list(hook, `?limit=5&cursor=${next}`)).status).toBe(200);
    const refusal = { status: 422, type: 'ValidationError', property: 'cursor' };
    expectRefusal(await list(other, `?cursor=${next}`), refusal);
    expectRefusal(await list(hook, `?status=failed&cursor=${next}`), refusal);
  });
});

describe('GET …/deliveries/{delivery_id}/', () => {
  it('adds the attempts with their times, responses and errors', async () => {
    // A receiver without connections.
    const { origin, close } = await answering();
    const target = await webhook(`${origin}/log`, { event: 'tag.edited' });
    status = 500;
    await publish('tag.edited');
    await stack.drain('events');
    await drain();
    status = 200;
    const [{ id }] = (await list(target.id)).body.deliveries;
    const answer = await read(target.id, id);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['deliveries']);
    const [{ log, request: _, ...delivery }] = answer.body.deliveries;
    expect(delivery).toEqual((await list(target.id)).body.deliveries[0]);
    expect(log).toEqual([
      {
        number: 1,
        started_at: delivery.last_attempt_at,
        duration_ms: expect.any(Number),
        timings: { dns_ms: null, connect_ms: expect.any(Number), tls_ms: null, first_byte_ms: expect.any(Number) },
        status: '500',
        error: 'status',
        response: 'thank you',
      },
    ]);
    await takeAll();
    close();
  });

  it('adds the last request as the receiver got it, without the signatures', async () => {
    const target = await webhook(`${receiver.origin}/sent`, {
      event: 'member.added',
      secret: 'shh',
      api_version: 'v5',
    });
    const path = '/sent';
    const got = () => receiver.deliveries.filter((delivery) => delivery.path === path).at(-1) ?? expect.fail();
    status = 500;
    await publish('member.added', { title: 'Käse 🧀' });
    await stack.drain('events');
    await drain();
    status = 200;
    const [{ id }] = (await list(target.id)).body.deliveries;
    await stack.call('webhooks/rotate-secret', { path: `/admin/webhooks/${target.id}/secret/`, key: keys.integration });
    const answer = await read(target.id, id);
    const [{ request }] = answer.body.deliveries;
    expect(request.body).toBe(got().body);
    const { 'x-ghost-signature': ghost = '', 'webhook-signature': standard = '', ...others } = got().headers;
    const shown = Object.fromEntries(
      Object.entries<string>(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const { 'x-ghost-signature': shownGhost, 'webhook-signature': shownStandard, ...shownOthers } = shown;
    expect(others).toMatchObject(shownOthers);
    expect(shownOthers).toMatchObject({ 'content-version': 'v5.0', 'masthead-attempt': '1', 'webhook-id': id });
    expect(shownGhost).toBe(ghost.replace(/=[0-9a-f]{64}/, '=…'));
    expect(shownStandard).toMatch(/^v1,…( v1,…)*$/);
    for (const secret of [/[0-9a-f]{64}/.exec(ghost)?.[0] ?? '', standard.slice(3), 'shh', 'whsec_'])
      expect(answer.text).not.toContain(secret);
    await takeAll();
  });

  it('shows the body in the API version that was sent, even after the webhook’s version has changed', async () => {
    const target = await webhook(`${receiver.origin}/version`, { event: 'member.edited', api_version: 'v5' });
    await deliver('member.edited');
    await stack.call('webhooks/update', {
      path: `/admin/webhooks/${target.id}/`,
      key: keys.integration,
      body: { webhooks: [{ api_version: 'v6' }] },
    });
    const [{ id }] = (await list(target.id)).body.deliveries;
    const [{ request }] = (await read(target.id, id)).body.deliveries;
    expect(request.headers['Content-Version']).toBe('v5.0');
    expect(request.body).toBe(receiver.deliveries.find(({ path }) => path === '/version')?.body);
  });

  it('shows no request before the first attempt, or after the event has expired', async () => {
    const target = await webhook(`${receiver.origin}/gone`, { event: 'tag.edited' });
    await deliver('tag.edited');
    const [{ id }] = (await list(target.id)).body.deliveries;
    const requestOf = async (delivery: string) => (await read(target.id, delivery)).body.deliveries[0].request;
    expect(await requestOf(id)).not.toBeNull();
    const [again] = (await redeliver(target.id, id)).body.deliveries;
    expect(await requestOf(again.id)).toBeNull();
    const [row] = await rows(target.id);
    const body = { pk: `EVENT_BODY#${row?.body_hash}`, sk: 'EVENT' };
    await tamper(body, { expires_at: Math.floor(Date.now() / 1000) - 1 });
    expect(await requestOf(id)).toBeNull();
    await takeAll();
  });

  it('shows that an IP address was refused, but neither the time nor the reason', async () => {
    const target = await webhook(`${receiver.origin}/blocked`, { event: 'tag.deleted' });
    await tamper(webhookKey(target.id as WebhookId), { target_url: 'http://10.0.0.1:81/admin' });
    await deliver('tag.deleted');
    const [{ id }] = (await list(target.id)).body.deliveries;
    const [{ status: state, log }] = (await read(target.id, id)).body.deliveries;
    expect(state).toBe('blocked');
    expect(log).toEqual([
      {
        number: 1,
        started_at: expect.any(String),
        duration_ms: 0,
        timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null },
        status: null,
        error: 'blocked',
        response: null,
      },
    ]);
  });

  it('returns 404 for an unknown or expired delivery, and for a delivery of another webhook', async () => {
    const [{ id }] = (await list(hook, '?limit=1')).body.deliveries;
    const refusal = { status: 404, type: 'NotFoundError' };
    expectRefusal(await read(other, id), refusal);
    expectRefusal(await read(hook, unknown), refusal);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (defaultSettings.deliveries.keepDays + 10) * day });
    expectRefusal(await read(hook, id), refusal);
    vi.useRealTimers();
  });
});

describe('POST …/redeliver/', () => {
  it('uses the slow lane if the webhook is in it', async () => {
    const target = await webhook(`${receiver.origin}/slow`, { event: 'tag.added' });
    await deliver('tag.added');
    const [first] = (await list(target.id)).body.deliveries;
    await tamper(webhookKey(target.id as WebhookId), { health: { slow_until: Date.now() + 60_000, slowings: 1 } });
    await takeAll();
    const [again] = (await redeliver(target.id, first.id)).body.deliveries;
    const waiting = (await stack.take('slow-deliveries')).map(({ body }) => body.delivery_id);
    expect([await stack.take('deliveries'), waiting]).toEqual([[], [again.id]]);
  });

  it('sends the same event as a new delivery with the trigger of a redelivery', async () => {
    const target = await webhook(`${receiver.origin}/again`, { event: 'member.added' });
    await deliver('member.added');
    const [first] = (await list(target.id)).body.deliveries;
    const answer = await redeliver(target.id, first.id);
    expect(answer.status).toBe(202);
    const [again] = answer.body.deliveries;
    expect(again).toEqual({
      ...first,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      status: 'pending',
      trigger: 'redelivery',
      attempts: 0,
      created_at: again.created_at,
      last_attempt_at: null,
      last_status: null,
    });
    expect(again.id).not.toBe(first.id);
    expect(idsOf((await list(target.id)).body)).toEqual([again.id, first.id]);
    await drain();
    expect((await list(target.id)).body.deliveries[0]).toMatchObject({
      id: again.id,
      status: 'delivered',
      attempts: 1,
    });
    const [one, two] = receiver.deliveries.filter(({ path }) => path === '/again');
    expect(two?.body).toBe(one?.body);
    expect(two?.headers['webhook-id']).toBe(again.id);
  });

  it('does not change the health of the webhook', async () => {
    const target = await webhook(`${receiver.origin}/health`, { event: 'member.edited' });
    await deliver('member.edited');
    const { accepts: _, changed_by: __, ...before } = (await record(target.id)) ?? {};
    const [{ id }] = (await list(target.id)).body.deliveries;
    status = 400;
    await redeliver(target.id, id);
    await drain();
    status = 200;
    expect((await list(target.id)).body.deliveries[0]).toMatchObject({ trigger: 'redelivery', last_status: '400' });
    const after = await record(target.id);
    expect(after).toMatchObject(before);
    expect(after).not.toHaveProperty('health');
    await takeAll();
  });

  it('returns 404 if the event is no longer stored', async () => {
    const [id] = await copies(hook, [{ body_hash: 'e'.repeat(64) }], Date.parse('2026-06-01T00:00:00Z'));
    const error = expectRefusal(await redeliver(hook, id ?? ''), { status: 404, type: 'NotFoundError' });
    expect(error.message).toContain('no longer stored');
  });
});

describe('whoever can manage the webhook', () => {
  const calls = [
    ['list', (id: string, key: string) => list(id, '', key)],
    ['read', (id: string, key: string) => read(id, unknown, key)],
    ['redeliver', (id: string, key: string) => redeliver(id, unknown, key)],
  ] as const;

  it.each(calls)('can %s; another integration cannot, and an unknown webhook returns 404', async (_, call) => {
    for (const key of [keys.integration, keys.owner, keys.staff.Administrator ?? ''])
      expect((await call(hook, key)).status).not.toBe(403);
    expectRefusal(await call(hook, keys.otherIntegration), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await call(hook, keys.staff.Editor ?? ''), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await call(unknown, keys.otherIntegration), { status: 404, type: 'NotFoundError' });
    expectRefusal(await call('nonsense', keys.owner), { status: 422, type: 'ValidationError', property: 'id' });
  });
});
