/** The log never says "none" before its end: for each filter of 17,000 deliveries, and for events of any age. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { itemOf } from '../../shared/deliveries/records/row.ts';
import type { DeliveryState } from '../../shared/deliveries/resource.ts';
import { type DeliveryId, type IntegrationId, idTime, type WebhookId } from '../../shared/foundation/ids.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, deliver, publish, rows, put } = deliveryTools(stack, keys);
const { existing, remove } = webhookCalls(stack);
const receiver = await receiveWebhooks((response) => {
  response.writeHead(200);
  response.end();
});
afterAll(() => receiver.close());

type Body = {
  readonly deliveries: readonly {
    readonly id: string;
    readonly webhook_id: string;
    readonly event_id: string;
    readonly trigger: string;
    readonly created_at: string;
  }[];
  readonly meta: {
    readonly pagination: { readonly next: string | null; readonly searched_to?: string };
    readonly event?: Readonly<Record<string, unknown>>;
  };
};
const listAll = async (query: string, key = keys.owner): Promise<Body> =>
  (await stack.call('deliveries/list-all', { path: `/admin/deliveries/?${query}`, key })).body;
const listOf = async (id: string, query: string): Promise<Body> =>
  (await stack.call('deliveries/list', { path: `/admin/webhooks/${id}/deliveries/?${query}`, key: keys.integration }))
    .body;
const idsOf = ({ deliveries }: Body) => deliveries.map(({ id }) => id);

const total = 17_000;
/** The deliveries that differ from all others, by their number; a higher number is newer. */
const different: Readonly<Record<number, Partial<Delivery>>> = {
  ...Object.fromEntries([7, 4000, 9000, 12_001].map((number) => [number, { status: 'failed' }])),
  ...Object.fromEntries([8, 9, 16_000].map((number) => [number, { status: 'held' }])),
  10: { status: 'pending', attempts: 0 },
  11: { status: 'retrying' },
  12: { status: 'cancelled' },
  13: { status: 'blocked' },
  14: { event: 'post.deleted' },
};

let busy: { readonly id: string; readonly integration_id: string };
let quiet: string;
let old: string;
let made: readonly Delivery[];
beforeAll(async () => {
  busy = await webhook(`${receiver.origin}/busy`);
  quiet = (await webhook(`${receiver.origin}/quiet`)).id;
  await existing(keys.otherIntegration, { event: 'post.published', target_url: `${receiver.origin}/foreign` });
  old = await deliver();
  const [real] = await rows(busy.id);
  if (real === undefined) throw new Error('The event was not delivered.');
  const { pk: _pk, sk: _sk, ...delivered } = real as Delivery & { pk: string; sk: string };
  // All of them are newer than the delivery above.
  const first = Date.parse(delivered.created_at) + 1;
  made = Array.from({ length: total }, (_, number): Delivery => {
    const id = `${idTime(first + number)}${number.toString(16).padStart(12, '0')}` as DeliveryId;
    const changes = different[number];
    return {
      ...delivered,
      id,
      event_id: `made-${number}`,
      created_at: new Date(first + number).toISOString(),
      integration_id: busy.integration_id as IntegrationId,
      ...changes,
    };
  });
  await put(made.map((delivery) => itemOf(delivery)) as Parameters<typeof put>[0]);
  made = made.toReversed();
});

const those = (isWanted: (delivery: Delivery) => boolean): string[] => made.filter(isWanted).map(({ id }) => id);

describe('the first page of a log with 17,000 deliveries', () => {
  it.each<DeliveryState>(['failed', 'held', 'pending', 'retrying', 'cancelled', 'blocked'])(
    'has all deliveries that are %s, and ends the list',
    async (status) => {
      const expected = those((delivery) => delivery.status === status);
      expect(expected).not.toEqual([]);
      for (const page of [await listAll(`status=${status}`), await listOf(busy.id, `status=${status}`)]) {
        expect(idsOf(page)).toEqual(expected);
        expect(page.meta.pagination).toEqual({ limit: 100, next: null });
      }
    },
  );

  it('has the oldest deliveries that match an event, with and without a status', async () => {
    const expected = those(({ event }) => event === 'post.deleted');
    for (const query of ['event=post.deleted', 'event=post.deleted&status=delivered']) {
      expect(idsOf(await listAll(query))).toEqual(expected);
      expect(idsOf(await listOf(busy.id, query))).toEqual(expected);
    }
    expect(idsOf(await listAll('event=post.deleted&status=failed'))).toEqual([]);
  });

  it('is within the time range, and pages of a status follow each other', async () => {
    const failed = those(({ status }) => status === 'failed');
    const [newest, second] = made.filter(({ status }) => status === 'failed');
    expect(idsOf(await listAll(`status=failed&since=${newest?.created_at}`))).toEqual(failed.slice(0, 1));
    expect(idsOf(await listAll(`status=failed&until=${second?.created_at}`))).toEqual(failed.slice(2));
    const found: string[] = [];
    let next: string | null = null;
    do {
      const page = await listAll(`status=failed&limit=3${next === null ? '' : `&cursor=${next}`}`);
      found.push(...idsOf(page));
      next = page.meta.pagination.next;
    } while (next !== null);
    expect(found).toEqual(failed);
  });

  it('shows an integration only what failed of its own webhooks', async () => {
    expect(idsOf(await listAll('status=failed', keys.integration))).toEqual(those(({ status }) => status === 'failed'));
    expect(idsOf(await listAll('status=failed', keys.otherIntegration))).toEqual([]);
    expect(idsOf(await listAll(`status=failed&webhook_id=${quiet}`))).toEqual([]);
  });
});

describe('the deliveries of an event', () => {
  it('are found by its id behind 17,000 newer ones, by staff and by an integration', async () => {
    const page = await listAll(`event_id=${old}`);
    expect(page.deliveries).toHaveLength(3);
    expect(page.meta.pagination).toEqual({ limit: 100, next: null });
    expect(page.meta.event).toEqual({
      id: old,
      event: 'post.published',
      created_at: page.deliveries[0]?.created_at,
      title: 'Post published: Hello',
      resource_id: null,
      left_out: [],
      changed: [],
      later: [],
      removed: 0,
    });
    expect((await listAll(`event_id=${old}`, keys.integration)).deliveries).toHaveLength(2);
    expect((await listAll(`event_id=${old}&webhook_id=${quiet}`)).deliveries).toHaveLength(1);
    expect((await listAll(`event_id=${old}&status=failed`)).deliveries).toEqual([]);
  });

  it('include the redeliveries and pings of the event', async () => {
    const [{ id = '' } = {}] = (await listAll(`event_id=${old}&webhook_id=${quiet}`)).deliveries;
    const path = `/admin/webhooks/${quiet}/deliveries/${id}/redeliver/`;
    await stack.call('deliveries/redeliver', { path, key: keys.integration });
    await stack.drain('deliveries');
    const { deliveries } = await listAll(`event_id=${old}&webhook_id=${quiet}`);
    expect(deliveries.map(({ trigger }) => trigger)).toEqual(['redelivery', 'event']);
    const body = { pings: [{ example: true }] };
    const { body: answer } = await stack.call('webhooks/ping', {
      path: `/admin/webhooks/${quiet}/ping/`,
      key: keys.integration,
      body,
    });
    const [{ delivery_id }] = answer.pings;
    const [pinged] = (await listAll(`delivery_id=${delivery_id}`)).deliveries;
    expect(idsOf(await listAll(`event_id=${pinged?.event_id}`))).toEqual([delivery_id]);
  });

  it('come with the number of webhooks that were deleted since, for those who could see them', async () => {
    const other = await webhook(`${receiver.origin}/removed`, { event: 'page.added' });
    const stays = await webhook(`${receiver.origin}/stays`, { event: 'page.added' });
    const id = await deliver('page.added');
    const later = await webhook(`${receiver.origin}/later`, { event: 'page.added' });
    for (const gone of [other, later]) await remove(gone.id, keys.integration);
    const page = await listAll(`event_id=${id}`);
    expect(page.deliveries.map(({ webhook_id }) => webhook_id)).toEqual([stays.id]);
    expect(page.meta.event?.removed).toBe(1);
    expect((await listAll(`event_id=${id}`, keys.integration)).meta.event?.removed).toBe(1);
    expect((await listAll(`event_id=${id}`, keys.otherIntegration)).meta.event?.removed).toBe(0);
  });

  it('come with the webhooks that a filter left out, and with those that were changed or created later', async () => {
    const filtered = await webhook(`${receiver.origin}/filtered`, { event: 'tag.added' });
    const options = [{ filter: { tag: { current: { title: ['Another title'] } } } }];
    const path = `/admin/webhooks/${filtered.id}/options/`;
    await stack.call('webhooks/update-options', { path, key: keys.integration, body: { options } });
    const gets = await webhook(`${receiver.origin}/gets`, { event: 'tag.added' });
    const id = await deliver('tag.added');
    const page = await listAll(`event_id=${id}`);
    expect(page.deliveries.map(({ webhook_id }) => webhook_id)).toEqual([gets.id]);
    const leftOut = { webhook_id: filtered.id, part: 'tag.current.title: ["Another title"]' };
    expect(page.meta.event).toMatchObject({ left_out: [leftOut], later: [] });
    const moved = await webhook(`${receiver.origin}/moved`, { event: 'tag.edited' });
    const published = await deliver('tag.added');
    await stack.call('webhooks/update', {
      path: `/admin/webhooks/${moved.id}/`,
      key: keys.integration,
      body: { webhooks: [{ event: 'tag.edited,tag.added' }] },
    });
    expect((await listAll(`event_id=${published}`)).meta.event).toMatchObject({ changed: [moved.id] });
    const hour = 3_600_000;
    const later = `${idTime(Date.now() + hour)}${'a'.repeat(12)}`;
    const [record, pointer] = [`WEBHOOK#${later}`, `INTEGRATION#${gets.integration_id}`];
    await put([
      { ...gets, id: later, pk: record, sk: record, format: 1 } as Parameters<typeof put>[0][number],
      { pk: pointer, sk: `WEBHOOK#${later}`, webhook_id: later, format: 1 } as Parameters<typeof put>[0][number],
    ]);
    expect((await listAll(`event_id=${id}`)).meta.event).toMatchObject({ left_out: [leftOut], later: [later] });
  });

  it('are found for an event that another member published', async () => {
    const published = await publish('post.published', { key: keys.staff.Administrator ?? '' });
    await stack.drain('deliveries');
    expect((await listAll(`event_id=${published.body.events[0].id}`)).deliveries).toHaveLength(3);
  });

  it('are searched for if nobody who could have published it is known, up to where the answer says', async () => {
    const page = await listAll('event_id=made-20');
    expect(idsOf(page)).toEqual(those(({ event_id }) => event_id === 'made-20'));
    expect(page.meta.pagination.next).toBeNull();
  });
});

describe('a preview of an event that is behind thousands of others at many webhooks', () => {
  const preview = (event_id: string, more = {}) =>
    stack.call('webhooks/preview', {
      path: '/admin/webhooks/preview/',
      key: keys.owner,
      body: { previews: [{ event: 'post.published', event_id, target_url: receiver.origin, ...more }] },
    });

  it('says how far it was searched for instead of denying it, and finds it at a webhook that is named', async () => {
    const others = Array.from({ length: 65 }, (_, number) => `${'e'.repeat(22)}${number + 10}` as WebhookId);
    const pointers = others.map((webhook_id) => ({
      pk: `INTEGRATION#${busy.integration_id}`,
      sk: `WEBHOOK#${webhook_id}`,
      webhook_id,
      format: 1,
    }));
    await put(pointers);
    const newer = made.slice(0, 125);
    const rows = others.flatMap((webhook_id) => newer.map((one) => itemOf({ ...one, webhook_id })));
    await put(rows as Parameters<typeof put>[0]);
    const refused = await preview('made-5');
    expect(refused.status).toBe(404);
    expect(refused.body.errors[0].message).toMatch(/has had the `post.published` with the id `.+` since 20.+Z\.$/);
    expect((await preview('made-5', { webhook_id: busy.id })).status).toBe(200);
  });
});
