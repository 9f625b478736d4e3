/** A replay sends a webhook's deliveries of a time range again, in a job that survives every interruption. */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { itemOf } from '../../shared/deliveries/records/row.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools, type Row } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, deliver, rows, row, record, tamper, put, items } = deliveryTools(stack, keys);
const { remove } = webhookCalls(stack);

const receiver = await receiveWebhooks();
afterAll(() => receiver.close());
afterEach(() => vi.useRealTimers());

const unknown = '0'.repeat(24);
const start = (id: string, replay: object, key = keys.integration) =>
  stack.call('replays/create', { path: `/admin/webhooks/${id}/replays/`, body: { replays: [replay] }, key });
const read = (id: string, replay: string, key = keys.integration) =>
  stack.call('replays/read', { path: `/admin/webhooks/${id}/replays/${replay}/`, key });
const progress = async (id: string, replay: string) => (await read(id, replay)).body.replays[0];

/** Processes the replays queue until it is empty, and the deliveries in between, like a lane that keeps up. */
const work = async (deliverToo = false): Promise<void> => {
  for (let messages = await stack.take('replays'); messages.length > 0; messages = await stack.take('replays')) {
    for (const { body } of messages) expect(await stack.work('replays', [body])).toEqual([]);
    if (deliverToo) await stack.drain('slow-deliveries');
  }
};

let paths = 0;
const hookWithDelivery = async () => {
  const path = `/${paths++}`;
  const { id } = await webhook(`${receiver.origin}${path}`);
  await deliver();
  return { id, path, arrived: () => receiver.deliveries.filter((delivery) => delivery.path === path) };
};

/** Copies its delivery, a second apart, each with its own event and the changes; returns the ids. */
const copies = async (id: string, count: number, changes: (index: number) => object = () => ({})) => {
  const real = await row(id);
  const { integration_id } = (await record(id)) ?? {};
  const [body] = await items(`EVENT_BODY#${real.body_hash}`);
  const first = Date.parse('2026-11-01T00:00:00Z');
  const made = Array.from({ length: count }, (_, index) => {
    const at = first + index * 1000;
    const id = at.toString(16).padStart(12, '0') + index.toString(16).padStart(12, '0');
    const body_hash = index.toString(16).padStart(64, '0');
    const event = { ...body, pk: `EVENT_BODY#${body_hash}`, sk: 'EVENT', id: `e${index}` };
    const of = { body_hash, event_id: `e${index}`, created_at: new Date(at).toISOString() };
    return { id, event, copy: itemOf({ ...real, ...of, ...changes(index), integration_id, id } as Delivery) };
  });
  await put(made.flatMap(({ event, copy }) => [event, copy]));
  return made.map(({ id }) => id);
};
const november = { since: '2026-11-01', until: '2026-11-02' };

describe('a replay', () => {
  it('is accepted, and has the state running until it is processed', async () => {
    const { id } = await hookWithDelivery();
    const answer = await start(id, { since: '2026-11-01T00:00:00Z', until: '2026-11-02T01:00:00+01:00' });
    expect(answer.status).toBe(202);
    const [replay] = answer.body.replays;
    expect(answer.body).toEqual({
      replays: [
        {
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          webhook_id: id,
          since: '2026-11-01T00:00:00.000Z',
          until: '2026-11-02T00:00:00.000Z',
          status: null,
          state: 'running',
          progress: { checked: 0, replayed: 0, percent: 0 },
          created_at: replay.created_at,
          updated_at: replay.created_at,
        },
      ],
    });
    expect(await progress(id, replay.id)).toEqual(replay);
    await work();
    expect(await progress(id, replay.id)).toMatchObject({ state: 'finished' });
  });

  it('sends all finished deliveries again, as new ones with the trigger replay, in the order of events', async () => {
    const { id, arrived } = await hookWithDelivery();
    const made = await copies(id, 4, (index) => ({ status: ['delivered', 'failed', 'retrying', 'held'][index] }));
    const [replay] = (await start(id, november)).body.replays;
    await work();
    expect(await progress(id, replay.id)).toMatchObject({ state: 'finished', progress: { checked: 4, replayed: 3 } });
    const sent = (await stack.messages('slow-deliveries')).map(({ body }) => body.event_id);
    expect(sent).toEqual(['e0', 'e1', 'e3']);
    await stack.drain('slow-deliveries');
    const replayed = (await rows(id)).filter(({ trigger }) => trigger === 'replay');
    expect(replayed.map(({ event_id }) => event_id).sort()).toEqual(['e0', 'e1', 'e3']);
    for (const delivery of replayed)
      expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, created_at: replay.created_at });
    expect(arrived()).toHaveLength(1 + 3);
    // The replayed deliveries are unchanged.
    expect((await rows(id)).filter((delivery) => made.includes(delivery.id)).map(({ status }) => status)).toEqual([
      'delivered',
      'failed',
      'retrying',
      'held',
    ]);
  });

  it('marks what it has sent: it keeps its status, but is not listed as held, nor sent by another replay', async () => {
    const { id } = await hookWithDelivery();
    const made = await copies(id, 3, () => ({ status: 'held' }));
    const held = { ...november, status: 'held' };
    const replayed = async (replay: object) => {
      const [{ id: started }] = (await start(id, replay, keys.owner)).body.replays;
      await work(true);
      return (await progress(id, started)).progress.replayed;
    };
    const listed = async (status: string) =>
      (
        await stack.call('deliveries/list', {
          path: `/admin/webhooks/${id}/deliveries/?status=${status}`,
          key: keys.integration,
        })
      ).body.deliveries.map((delivery: Row) => delivery.id);
    expect(await listed('held')).toEqual(made.toReversed());
    expect(await replayed(held)).toBe(3);
    const all = await rows(id);
    const sent = all.filter(({ trigger }) => trigger === 'replay');
    expect(all.filter((delivery) => made.includes(delivery.id))).toMatchObject(
      made.map((_, index) => ({
        status: 'held',
        replayed_by: sent.find(({ event_id }) => event_id === `e${index}`)?.id,
      })),
    );
    expect(sent.map(({ replayed_by }) => replayed_by)).toEqual([null, null, null]);
    expect(await listed('held')).toEqual([]);
    expect(await replayed(held)).toBe(0);
    // Without a status, all events are sent again.
    expect(await replayed(november)).toBe(3);
  });

  it('sends what an earlier replay or redelivery could not deliver, but not the deliveries of those', async () => {
    const { id } = await hookWithDelivery();
    const [first, second] = await copies(id, 2, () => ({ status: 'failed' }));
    const redelivered = await stack.call('deliveries/redeliver', {
      path: `/admin/webhooks/${id}/deliveries/${first}/redeliver/`,
      key: keys.integration,
    });
    const [{ id: again }] = redelivered.body.deliveries;
    await stack.drain('deliveries');
    const redelivery = (await rows(id)).find((delivery) => delivery.id === again) ?? expect.fail();
    await put([itemOf({ ...redelivery, status: 'failed' })]);
    const range = { since: '2026-11-01', until: '2100-01-01', status: 'failed' };
    const [replay] = (await start(id, range, keys.owner)).body.replays;
    await work(true);
    expect(await progress(id, replay.id)).toMatchObject({ progress: { replayed: 2 } });
    const marks = new Map((await rows(id)).map((delivery) => [delivery.id as string, delivery.replayed_by]));
    expect(marks.get(first ?? '')).toBe(again);
    for (const one of [second ?? '', again]) expect(marks.get(one)).toMatch(/^[0-9a-f]{24}$/);
  });

  it.each(['failed', 'held', 'blocked'])('can be limited to %s deliveries', async (status) => {
    const { id } = await hookWithDelivery();
    await copies(id, 4, (index) => ({ status: ['delivered', 'failed', 'blocked', 'held'][index] }));
    const [replay] = (await start(id, { ...november, status })).body.replays;
    expect(replay.status).toBe(status);
    await work();
    expect(await progress(id, replay.id)).toMatchObject({ progress: { checked: 4, replayed: 1 } });
    expect(await stack.take('slow-deliveries')).toHaveLength(1);
  });

  it('includes events that were accepted at `since`, and excludes those at `until`', async () => {
    const { id } = await hookWithDelivery();
    await copies(id, 5);
    await start(id, { since: '2026-11-01T00:00:01Z', until: '2026-11-01T00:00:03Z' });
    await work();
    expect((await stack.take('slow-deliveries')).map(({ body }) => body.event_id)).toEqual(['e1', 'e2']);
  });

  it('omits redeliveries, pings, and events to which the webhook no longer subscribes', async () => {
    const { id } = await hookWithDelivery();
    await copies(
      id,
      4,
      (index) => [{ trigger: 'redelivery' }, { trigger: 'ping' }, { event: 'tag.added' }, {}][index] ?? {},
    );
    await start(id, november);
    await work();
    expect((await stack.take('slow-deliveries')).map(({ body }) => body.event_id)).toEqual(['e3']);
  });

  it('ends at its own start time at the latest, so that it does not replay itself', async () => {
    const { id } = await hookWithDelivery();
    const [replay] = (await start(id, { since: '2020-01-01', until: '2099-01-01' })).body.replays;
    expect(replay.until).toBe(replay.created_at);
    await work(true);
    expect(await rows(id)).toHaveLength(2);
    expect(await progress(id, replay.id)).toMatchObject({ state: 'finished', progress: { checked: 1, replayed: 1 } });
  });

  it('sends hundreds of deliveries again, and finishes when all are sent', async () => {
    const { id, arrived } = await hookWithDelivery();
    await copies(id, 250);
    const [replay] = (await start(id, november)).body.replays;
    await work(true);
    expect(await progress(id, replay.id)).toMatchObject({
      state: 'finished',
      progress: { checked: 250, replayed: 250 },
    });
    expect(new Set(arrived().map(({ headers }) => headers['webhook-id'])).size).toBe(1 + 250);
    expect(arrived()).toHaveLength(1 + 250);
  });

  it('sends its next chunk only after most of the previous chunk was attempted', async () => {
    const { id } = await hookWithDelivery();
    await copies(id, 250);
    const [replay] = (await start(id, november)).body.replays;
    const run = async () => {
      for (const { body } of await stack.take('replays')) await stack.work('replays', [body]);
      return (await stack.messages('slow-deliveries')).length;
    };
    expect(await run()).toBe(50);
    expect(await run()).toBe(50);
    expect(await progress(id, replay.id)).toMatchObject({ state: 'running', progress: { checked: 50, replayed: 50 } });
    await stack.drain('slow-deliveries');
    const next = await run();
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(50);
    await work(true);
    expect(await progress(id, replay.id)).toMatchObject({ state: 'finished', progress: { replayed: 250 } });
  });

  it('sends up to 200 deliveries at a time while the lane is fast, and reports its progress', async () => {
    const { id } = await hookWithDelivery();
    await copies(id, 700);
    const [replay] = (await start(id, november)).body.replays;
    const sizes: number[] = [];
    const percents: number[] = [];
    for (let messages = await stack.take('replays'); messages.length > 0; messages = await stack.take('replays')) {
      await stack.work('replays', [messages[0]?.body]);
      sizes.push((await stack.messages('slow-deliveries')).length);
      await stack.drain('slow-deliveries');
      percents.push((await progress(id, replay.id)).progress.percent);
    }
    expect(sizes).toEqual([50, 100, 200, 200, 150]);
    // From the first delivery of the range to the last one; the deliveries are a second apart.
    expect(percents).toEqual([7, 21, 49, 78, 100]);
  });

  it('pauses longer and longer while the lane is busy, up to a minute', async () => {
    const { id } = await hookWithDelivery();
    await copies(id, 60);
    await start(id, november);
    const pauses: number[] = [];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    for (let looks = 0; looks < 12; looks++) {
      const [message] = await stack.take('replays');
      pauses.push(message?.delaySeconds ?? 0);
      vi.setSystemTime(Date.now() + (message?.delaySeconds ?? 0) * 1000);
      await stack.work('replays', [message?.body]);
    }
    expect(pauses.slice(0, 5)).toEqual([0, 1, 2, 3, 6]);
    expect(pauses.at(-1)).toBe(60);
    await work(true);
  });

  it('is cancelled if its integration is being deleted, even while the webhook still exists', async () => {
    const { id, arrived } = await hookWithDelivery();
    await copies(id, 3);
    const { integration_id } = (await record(id)) ?? {};
    const answer = await start(id, { since: '2026-11-01', until: '2026-11-02' });
    const [replay] = answer.body.replays;
    const before = arrived().length;
    const integration = { pk: `INTEGRATION#${integration_id}`, sk: 'INTEGRATION' };
    await tamper(integration, { deleting_since: '2026-11-22T00:00:00.000Z' });
    await work(true);
    await tamper(integration, { deleting_since: undefined });
    expect((await items(`REPLAY#${replay.id}`))[0]).toMatchObject({ state: 'cancelled' });
    expect(arrived()).toHaveLength(before);
  });

  it('is cancelled if the webhook is deleted meanwhile', async () => {
    const { id } = await hookWithDelivery();
    const [replay] = (await start(id, november)).body.replays;
    await remove(id, keys.integration);
    await work();
    expect((await items(`REPLAY#${replay.id}`))[0]).toMatchObject({ state: 'cancelled' });
  });
});

describe('a webhook with a running replay', () => {
  it('cannot have a second replay; the error names the first replay', async () => {
    const { id } = await hookWithDelivery();
    await copies(id, 60);
    const [replay] = (await start(id, november)).body.replays;
    const refused = await start(id, november);
    expectRefusal(refused, { status: 422, type: 'ValidationError' });
    expect(refused.body.errors[0].message).toContain(replay.id);
    expect(refused.body.errors[0].details).toEqual([
      { index: 0, field: 'webhook_id', rule: 'one_running_replay', limit: 1, received: replay.id },
    ]);
    await work(true);
    expect((await start(id, november)).status).toBe(202);
    await work(true);
  });

  it('cannot have two running replays, even after concurrent requests', async () => {
    const { id } = await hookWithDelivery();
    const answers = await Promise.all([start(id, november), start(id, november)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422]);
    await work();
  });

  it('can have another replay once the first has finished, even if a kill left it marked as busy', async () => {
    const { id } = await hookWithDelivery();
    const [replay] = (await start(id, november)).body.replays;
    await stack.take('replays');
    await tamper({ pk: `REPLAY#${replay.id}`, sk: 'REPLAY' }, { state: 'finished' });
    expect((await start(id, november)).status).toBe(202);
    await work();
  });

  it('does not prevent replays of other webhooks', async () => {
    const [one, other] = [await hookWithDelivery(), await hookWithDelivery()];
    expect([(await start(one.id, november)).status, (await start(other.id, november)).status]).toEqual([202, 202]);
    await work();
  });
});

describe('a replay that was interrupted', () => {
  it('is resumed by the sweep if its message is lost', async () => {
    const { id } = await hookWithDelivery();
    await copies(id, 3);
    const [replay] = (await start(id, november)).body.replays;
    await stack.take('replays');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 60_000 });
    await stack.invoke('due/sweep', {});
    await work();
    vi.useRealTimers();
    expect(await progress(id, replay.id)).toMatchObject({ state: 'finished' });
    expect(await stack.take('slow-deliveries')).toHaveLength(3);
  });

  it('can repeat a page without creating second deliveries, and sends nothing that has arrived', async () => {
    const { id, arrived } = await hookWithDelivery();
    await copies(id, 3);
    const [replay] = (await start(id, november)).body.replays;
    await work();
    await stack.drain('slow-deliveries');
    // As if the run had been killed after the page was sent, before the cursor moved.
    await tamper(
      { pk: `REPLAY#${replay.id}`, sk: 'REPLAY' },
      { state: 'running', cursor: null, checked: 0, replayed: 0, in_lane: [], chunk_at: replay.created_at },
    );
    await stack.work('replays', [{ replay_id: replay.id }]);
    await stack.drain('slow-deliveries');
    expect(arrived()).toHaveLength(1 + 3);
    expect(await progress(id, replay.id)).toMatchObject({ state: 'finished', progress: { checked: 3, replayed: 3 } });
  });

  it('creates and counts each delivery once even if two runs process it at the same time', async () => {
    const { id } = await hookWithDelivery();
    await copies(id, 120);
    const [replay] = (await start(id, november)).body.replays;
    await stack.take('replays');
    const message = { replay_id: replay.id };
    await Promise.all([stack.work('replays', [message]), stack.work('replays', [message])]);
    await work(true);
    expect(await progress(id, replay.id)).toMatchObject({
      state: 'finished',
      progress: { checked: 120, replayed: 120 },
    });
    expect((await rows(id)).filter(({ trigger }) => trigger === 'replay')).toHaveLength(120);
    await stack.take('slow-deliveries');
  });

  it('is no longer watched by the sweep when it has finished', async () => {
    const { id } = await hookWithDelivery();
    const [replay] = (await start(id, november)).body.replays;
    expect((await items(`REPLAY#${replay.id}`))[0]).toHaveProperty('due_at');
    await work();
    expect((await items(`REPLAY#${replay.id}`))[0]).not.toHaveProperty('due_at');
  });
});

describe('a webhook that was disabled for a day', () => {
  it('is enabled, and then a replay delivers everything that was held', async () => {
    const { id, arrived } = await hookWithDelivery();
    await tamper(webhookKey(id as WebhookId), { status: 'disabled' });
    const missed: string[] = [];
    for (let hour = 0; hour < 3; hour++) {
      missed.push(await deliver('post.published', { title: `Hour ${hour}` }));
    }
    expect(arrived()).toHaveLength(1);
    const held = (await rows(id)).filter(({ status }) => status === 'held');
    expect(held.map(({ event_id }) => event_id).sort()).toEqual([...missed].sort());
    const path = `/admin/webhooks/${id}/enable/`;
    const enabled = await stack.call('webhooks/enable', { path, key: keys.integration });
    expect(enabled.body.webhooks[0].status).toBe('available');
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const [replay] = (await start(id, { since, until, status: 'held' })).body.replays;
    await work();
    await stack.drain('slow-deliveries');
    expect(await progress(id, replay.id)).toMatchObject({ state: 'finished', progress: { replayed: 3 } });
    const titles = arrived()
      .slice(1)
      .map(({ body }) => JSON.parse(body).post.current.title);
    expect(titles.sort()).toEqual(['Hour 0', 'Hour 1', 'Hour 2']);
  });
});

describe('a request about a replay', () => {
  it.each([
    ['since', { until: '2026-11-02' }],
    ['until', { since: '2026-11-01' }],
    ['since', { since: 'last week', until: '2026-11-02' }],
    ['since', { since: 1, until: '2026-11-02' }],
    ['since', { since: '2026-02-30', until: '2026-11-02' }],
    ['until', { since: '2026-11-02', until: '2026-11-01' }],
    ['until', { since: '2026-11-02', until: '2026-11-02' }],
    ['status', { ...november, status: 'lost' }],
    ['status', { ...november, status: 'pending' }],
  ])('is refused for an invalid %s', async (property, replay) => {
    const { id } = await webhook(`${receiver.origin}/wrong-${paths++}`);
    expectRefusal(await start(id, replay), { status: 422, type: 'ValidationError', property });
  });

  it('is refused for `until` before `since`, and the error names both with type and length', async () => {
    const { id } = await webhook(`${receiver.origin}/wrong-${paths++}`);
    const refused = await start(id, { since: '2026-11-02', until: '2026-11-01' });
    expect(refused.body.errors[0].message).toBe('`until` must be after `since`.');
    expect(refused.body.errors[0].details).toEqual([
      { index: 0, field: 'until', rule: 'after_since', limit: null, received: 'a string of 10 characters' },
    ]);
  });

  it('is refused if the caller cannot manage the webhook, or if the replay belongs to another webhook', async () => {
    const { id } = await hookWithDelivery();
    const { id: other } = await hookWithDelivery();
    const [replay] = (await start(id, november, keys.owner)).body.replays;
    expectRefusal(await start(id, november, keys.otherIntegration), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await start(unknown, november), { status: 404, type: 'NotFoundError' });
    expectRefusal(await read(id, replay.id, keys.otherIntegration), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await read(other, replay.id), { status: 404, type: 'NotFoundError' });
    expectRefusal(await read(id, unknown), { status: 404, type: 'NotFoundError' });
    expectRefusal(await read(id, 'x'), { status: 422, type: 'ValidationError', property: 'id' });
    await stack.take('replays');
  });
});
