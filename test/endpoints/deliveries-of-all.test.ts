/** The deliveries of all webhooks in one log: their order, the filters, and which deliveries a caller sees. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, deliver, publish } = deliveryTools(stack, keys);
const { existing } = webhookCalls(stack);

let status = 200;
const receiver = await receiveWebhooks((response) => {
  response.writeHead(status);
  response.end();
});
afterAll(() => receiver.close());

const list = (query = '', key = keys.owner) =>
  stack.call('deliveries/list-all', { path: `/admin/deliveries/${query}`, key });
const idsOf = (body: { deliveries: readonly { id: string }[] }) => body.deliveries.map(({ id }) => id);

let first: string;
let second: string;
let foreign: string;
let failing: string;
const events: string[] = [];
beforeAll(async () => {
  expect((await list()).body).toEqual({ deliveries: [], meta: { pagination: { limit: 100, next: null } } });
  first = (await webhook(`${receiver.origin}/first`)).id;
  second = (await webhook(`${receiver.origin}/second`)).id;
  foreign = (
    await existing(keys.otherIntegration, { event: 'post.published', target_url: `${receiver.origin}/foreign` })
  ).id;
  for (let number = 0; number < 5; number++) events.push(await deliver());
  failing = (await webhook(`${receiver.origin}/failing`, { event: 'tag.added' })).id;
  status = 500;
  events.push(await deliver('tag.added'));
  status = 200;
});

describe('GET /admin/deliveries/', () => {
  it("shows staff the deliveries of all webhooks, newest first, with the fields of one webhook's log", async () => {
    const { deliveries, meta } = (await list()).body;
    expect(deliveries).toHaveLength(3 * 5 + 1);
    expect(meta).toEqual({ pagination: { limit: 100, next: null } });
    expect(idsOf({ deliveries })).toEqual(idsOf({ deliveries }).toSorted().reverse());
    for (const id of [first, second, foreign, failing]) {
      const own = await stack.call('deliveries/list', { path: `/admin/webhooks/${id}/deliveries/`, key: keys.owner });
      expect(deliveries.filter(({ webhook_id }: { webhook_id: string }) => webhook_id === id)).toEqual(
        own.body.deliveries,
      );
    }
  });

  it('shows an integration only the deliveries of its own webhooks', async () => {
    const hooks = async (key: string) =>
      new Set((await list('', key)).body.deliveries.map(({ webhook_id }: { webhook_id: string }) => webhook_id));
    expect(await hooks(keys.integration)).toEqual(new Set([first, second, failing]));
    expect(await hooks(keys.otherIntegration)).toEqual(new Set([foreign]));
  });

  it('pages through all deliveries with a cursor that works only with the same filters', async () => {
    const all = idsOf((await list('?event=post.published')).body);
    const found: string[] = [];
    let next: string | null = null;
    do {
      const { body } = await list(`?event=post.published&limit=4${next === null ? '' : `&cursor=${next}`}`);
      found.push(...idsOf(body));
      next = body.meta.pagination.next;
      if (next !== null)
        expectRefusal(await list(`?limit=4&cursor=${next}`), {
          status: 422,
          type: 'ValidationError',
          property: 'cursor',
        });
    } while (next !== null);
    expect(found).toEqual(all);
    expect(all).toHaveLength(15);
  });

  it('filters by webhook, event, event id, status and time', async () => {
    const { deliveries } = (await list()).body;
    const those = (isWanted: (delivery: Record<string, unknown>) => boolean) => deliveries.filter(isWanted);
    const shown = async (query: string) => (await list(query)).body.deliveries;
    expect(await shown(`?webhook_id=${second}`)).toEqual(those(({ webhook_id }) => webhook_id === second));
    expect(await shown('?event=tag.added')).toEqual(those(({ event }) => event === 'tag.added'));
    expect(await shown('?event=tag.*')).toEqual(those(({ event }) => event === 'tag.added'));
    expect(await shown('?event=post.*&status=delivered')).toHaveLength(15);
    expect(await shown('?event=*')).toEqual(deliveries);
    expect(await shown('?event=po.*')).toEqual([]);
    expect(await shown(`?event_id=${events[2]}`)).toEqual(those(({ event_id }) => event_id === events[2]));
    expect(await shown(`?event_id=${events[2]}`)).toHaveLength(3);
    expect(await shown('?status=retrying')).toEqual(those(({ webhook_id }) => webhook_id === failing));
    const at = deliveries[6].created_at;
    expect(await shown(`?since=${at}`)).toEqual(those(({ created_at }) => String(created_at) >= at));
    expect(await shown(`?until=${at}`)).toEqual(those(({ created_at }) => String(created_at) < at));
  });

  it('finds a delivery by its id together with other filters, for callers who may see it', async () => {
    const [{ id, webhook_id }] = (await list(`?webhook_id=${second}`)).body.deliveries;
    const shown = async (query: string, key?: string) => idsOf((await list(query, key)).body);
    expect(await shown(`?delivery_id=${id}`)).toEqual([id]);
    expect(await shown(`?delivery_id=${id}&webhook_id=${webhook_id}`)).toEqual([id]);
    expect(await shown(`?delivery_id=${id}&webhook_id=${first}`)).toEqual([]);
    expect(await shown(`?delivery_id=${id}`, keys.otherIntegration)).toEqual([]);
    expect(await shown(`?delivery_id=${'f'.repeat(24)}`)).toEqual([]);
    expectRefusal(await list('?delivery_id=mine'), { status: 422, type: 'ValidationError', property: 'delivery_id' });
  });

  it('refuses the webhook of another integration, an unknown webhook and a malformed id', async () => {
    expectRefusal(await list(`?webhook_id=${foreign}`, keys.integration), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await list(`?webhook_id=${'f'.repeat(24)}`), { status: 404, type: 'NotFoundError' });
    expectRefusal(await list('?webhook_id=mine'), { status: 422, type: 'ValidationError', property: 'webhook_id' });
  });

  it.each(['status=done', 'since=yesterday', 'until=then', 'limit=0', 'cursor=abc'])('refuses %s', async (query) => {
    const property = query.split('=')[0] ?? '';
    expectRefusal(await list(`?${query}`), { status: 422, type: 'ValidationError', property });
  });

  it('is open to the Owner, Administrators and integrations', async () => {
    for (const [role, key] of Object.entries(keys.staff))
      expect((await list('', key)).status, role).toBe(role === 'Owner' || role === 'Administrator' ? 200 : 403);
  });
});

describe('an event whose deliveries wait in the queue', () => {
  const event = 'page.published';
  const hooks: string[] = [];
  let id: string;
  const shown = async (query = '', key?: string) => (await list(`?event_id=${id}${query}`, key)).body.deliveries;
  const webhooksOf = (deliveries: readonly { webhook_id: string }[]) =>
    deliveries.map(({ webhook_id }) => webhook_id).toSorted();

  beforeAll(async () => {
    for (const path of ['one', 'two', 'three'])
      hooks.push((await webhook(`${receiver.origin}/page/${path}`, { event })).id);
    const [, , filtered = ''] = hooks;
    const filter = { page: { current: { title: ['Another title'] } } };
    const path = `/admin/webhooks/${filtered}/options/`;
    const answer = await stack.call('webhooks/update-options', {
      path,
      key: keys.integration,
      body: { options: [{ filter }] },
    });
    expect(answer.status, answer.text).toBe(200);
    const published = await publish(event);
    id = published.body.events[0].id;
    await webhook(`${receiver.origin}/page/later`, { event });
  });

  it('has all these deliveries in the log before the first attempt, except what a filter leaves out', async () => {
    const waiting = await shown('', keys.integration);
    expect(webhooksOf(waiting)).toEqual(hooks.slice(0, 2).toSorted());
    for (const delivery of waiting)
      expect(delivery).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        event,
        event_id: id,
        status: 'pending',
        trigger: 'event',
        attempts: 0,
        waiting_for: null,
        replayed_by: null,
      });
    expect(await shown('&status=pending', keys.integration)).toEqual(waiting);
    expect(await shown('&status=delivered', keys.integration)).toEqual([]);
    expect(webhooksOf(await shown(`&webhook_id=${hooks[1]}`, keys.integration))).toEqual([hooks[1]]);
    expect(await shown('', keys.otherIntegration)).toEqual([]);
    // Staff see what integrations have published.
    expect(await shown()).toEqual(waiting);
    const { body } = await list(`?event_id=${id}&limit=1`);
    expect(body.deliveries).toEqual(waiting.slice(0, 1));
    const further = await list(`?event_id=${id}&limit=1&cursor=${body.meta.pagination.next}`);
    expect(further.body.deliveries).toEqual(waiting.slice(1));
  });

  it('has each delivery in the log once after the attempts, with the same id', async () => {
    const ids = idsOf({ deliveries: await shown() });
    await stack.drain('deliveries');
    const after = await shown();
    expect(idsOf({ deliveries: after })).toEqual(ids);
    for (const delivery of after) expect(delivery).toMatchObject({ status: 'delivered', waiting_for: null });
  });
});
