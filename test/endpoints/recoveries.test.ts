/** A recovery sends what did not reach its receivers again, over many webhooks, each by a replay of its own. */
import { afterAll, describe, expect, it } from 'vitest';
import { itemOf } from '../../shared/deliveries/records/row.ts';
import type { DeliveryId, IntegrationId } from '../../shared/foundation/ids.ts';
import { deliveryTools, type Row } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, deliver, rows, row, put, items } = deliveryTools(stack, keys);
const { existing, remove } = webhookCalls(stack);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());

const range = { since: '2026-11-01', until: '2026-11-02' };
const start = (recovery: object, key = keys.integration) =>
  stack.call('recoveries/create', { path: '/admin/recoveries/', body: { recoveries: [recovery] }, key });
const read = (id: string, key = keys.integration) =>
  stack.call('recoveries/read', { path: `/admin/recoveries/${id}/`, key });
/** Processes the replays queue until it is empty, like a lane that keeps up. */
const work = async (): Promise<void> => {
  for (let messages = await stack.take('replays'); messages.length > 0; messages = await stack.take('replays')) {
    for (const { body } of messages) expect(await stack.work('replays', [body])).toEqual([]);
    await stack.drain('slow-deliveries');
  }
};
const recovered = async (recovery: object, key = keys.integration) => {
  const answer = await start(recovery, key);
  expect(answer.status, answer.text).toBe(202);
  await work();
  return (await read(answer.body.recoveries[0].id, key)).body.recoveries[0];
};

let paths = 0;
/** Creates a webhook whose log has deliveries with these statuses, a second apart on 1 November, an event each. */
const hookWith = async (statuses: readonly Row['status'][], { event = 'post.published', from = 0 } = {}) => {
  const path = `/${paths++}`;
  const { id, integration_id } = await webhook(`${receiver.origin}${path}`, { event });
  await deliver(event);
  const real = await row(id);
  const [body] = await items(`EVENT_BODY#${real.body_hash}`);
  const first = Date.parse('2026-11-01T00:00:00Z') + from;
  const made = statuses.map((status, index) => {
    const at = first + index * 1000;
    const delivery = at.toString(16).padStart(12, '0') + (paths * 100_000 + index).toString(16).padStart(12, '0');
    const body_hash = (paths * 100_000 + index).toString(16).padStart(64, '0');
    const of = { body_hash, event_id: `${path}-${index}`, created_at: new Date(at).toISOString() };
    return [
      { ...body, pk: `EVENT_BODY#${body_hash}`, sk: 'EVENT', id: of.event_id },
      itemOf({ ...real, ...of, status, id: delivery as DeliveryId, integration_id: integration_id as IntegrationId }),
    ];
  });
  await put(made.flat() as never);
  const arrived = () =>
    receiver.deliveries.filter((one) => one.path === path && one.headers['masthead-trigger'] === 'replay').length;
  return { id, arrived };
};
const discard = async (...hooks: readonly { id: string }[]) => {
  for (const { id } of hooks) await remove(id, keys.integration);
};

describe('a recovery', () => {
  it('sends what did not arrive to all webhooks, once, and repeats nothing that was delivered', async () => {
    const mixed = await hookWith(['failed', 'delivered', 'held', 'cancelled', 'retrying', 'blocked']);
    const whole = await hookWith(['delivered', 'delivered']);
    const answer = await start(range);
    expect(answer.status).toBe(202);
    const [begun] = answer.body.recoveries;
    expect(begun).toMatchObject({ state: 'running', status: null, event: null, matched: null, webhooks: 2 });
    await work();
    expect((await read(begun.id)).body.recoveries).toEqual([
      { ...begun, state: 'finished', matched: 3, progress: { checked: 8, replayed: 3, percent: 100 } },
    ]);
    expect([mixed.arrived(), whole.arrived()]).toEqual([3, 0]);
    const again = await recovered(range);
    expect(again).toMatchObject({ matched: 0 });
    expect(mixed.arrived()).toBe(3);
    await discard(mixed, whole);
  });

  it('sends again what was not delivered by an earlier one', async () => {
    const hook = await hookWith(['held']);
    await recovered(range);
    const sent = (await rows(hook.id)).find(({ trigger }) => trigger === 'replay');
    await put([itemOf({ ...(sent ?? expect.fail()), status: 'failed' })]);
    expect(await recovered({ since: '2026-11-01' })).toMatchObject({ matched: 1 });
    expect(hook.arrived()).toBe(2);
    await discard(hook);
  });

  it.each([
    ['a status', { status: 'delivered' }, [1, 0]],
    ['an event', { event: 'tag.*' }, [0, 2]],
    ['a time', { since: '2026-11-01T00:00:02Z' }, [1, 0]],
  ])('can be limited to %s', async (_, limits, expected) => {
    const posts = await hookWith(['failed', 'delivered', 'failed']);
    const tags = await hookWith(['failed', 'held'], { event: 'tag.added' });
    await recovered({ ...range, ...limits });
    expect([posts.arrived(), tags.arrived()]).toEqual(expected);
    await discard(posts, tags);
  });

  it('can be limited to webhooks', async () => {
    const [wanted, other] = [await hookWith(['failed']), await hookWith(['failed'])];
    expect(await recovered({ ...range, webhook_ids: [wanted.id] })).toMatchObject({ matched: 1, webhooks: 1 });
    expect([wanted.arrived(), other.arrived()]).toEqual([1, 0]);
    await discard(wanted, other);
  });

  it('leaves out a webhook of which a replay is running, and says so', async () => {
    const [busy, free] = [await hookWith(['failed']), await hookWith(['failed'])];
    const path = `/admin/webhooks/${busy.id}/replays/`;
    await stack.call('replays/create', { path, key: keys.integration, body: { replays: [range] } });
    const [begun] = (await start(range)).body.recoveries;
    expect(begun).toMatchObject({ webhooks: 1, skipped_webhook_ids: [busy.id] });
    await work();
    expect([busy.arrived(), free.arrived()]).toEqual([1, 1]);
    await discard(busy, free);
  });

  it('does not wait for a receiver that keeps its lane full', async () => {
    const [slow, quick] = [await hookWith(Array(60).fill('failed')), await hookWith(['failed'])];
    const [{ id }] = (await start(range)).body.recoveries;
    for (let runs = 0; runs < 3; runs++)
      for (const { body } of await stack.take('replays')) await stack.work('replays', [body]);
    const messages = (await stack.take('slow-deliveries')).map(({ body }) => body);
    await stack.work('slow-deliveries', messages.filter((body) => JSON.stringify(body).includes(quick.id)) as never);
    expect([slow.arrived(), quick.arrived()]).toEqual([0, 1]);
    expect((await read(id)).body.recoveries).toMatchObject([{ state: 'running', matched: null }]);
    await discard(slow, quick);
  });

  it('is for the webhooks of the caller only', async () => {
    const own = await hookWith(['failed']);
    const foreign = await existing(keys.otherIntegration);
    const none = { status: 404, type: 'NotFoundError' } as const;
    const notYours = { status: 403, type: 'NoPermissionError' } as const;
    expectRefusal(await start({ ...range, webhook_ids: [own.id, foreign.id] }), notYours);
    expectRefusal(await start({ ...range, webhook_ids: ['0'.repeat(24)] }), none);
    const { id } = await recovered(range);
    expectRefusal(await read(id, keys.otherIntegration), notYours);
    expectRefusal(await read('0'.repeat(24)), none);
    expect((await read(id, keys.owner)).body.recoveries).toMatchObject([{ id, matched: 1 }]);
    expect(await recovered(range, keys.owner)).toMatchObject({ matched: 0 });
    await discard(own);
    await remove(foreign.id, keys.otherIntegration);
  });

  it.each([
    ['since', { until: '2026-11-01' }],
    ['webhook_ids', { ...range, webhook_ids: [] }],
    ['webhook_ids', { ...range, webhook_ids: Array(101).fill('0'.repeat(24)) }],
    ['event', { ...range, event: 'post.adde' }],
    ['status', { ...range, status: 'pending' }],
  ])('is refused for a wrong `%s`', async (property, recovery) => {
    expectRefusal(await start(recovery), { status: 422, type: 'ValidationError', property });
  });
});

it('recoveries count towards the hourly limit of replays, and so do those that only count', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 31; count++)
    statuses.push((await start({ ...range, dry_run: count % 2 === 0 }, keys.otherIntegration)).status);
  expect(statuses).toEqual([...Array(30).fill(202), 429]);
});

describe('a dry run', () => {
  it('counts what a recovery would send, and sends and stores nothing', async () => {
    const hook = await hookWith(['failed', 'delivered', 'held']);
    const before = await items(`WEBHOOK#${hook.id}`);
    const [counted] = (await start({ ...range, dry_run: true })).body.recoveries;
    expect(counted).toMatchObject({
      id: null,
      state: 'finished',
      matched: 2,
      searched_to: null,
      webhooks: 0,
      progress: { checked: 2, replayed: 0, percent: 100 },
    });
    expect(await items(`WEBHOOK#${hook.id}`)).toEqual(before);
    expect(await stack.take('replays')).toEqual([]);
    await discard(hook);
  });

  it('says up to when it has counted if there are more deliveries than it reads', async () => {
    const hook = await hookWith(Array(5100).fill('failed'));
    const [counted] = (await start({ ...range, dry_run: true })).body.recoveries;
    expect(counted.matched).toBe(5000);
    // The newest 5,000 of one a second.
    expect(counted.searched_to).toBe('2026-11-01T00:01:40.000Z');
    await discard(hook);
  });
});
