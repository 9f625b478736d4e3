/** Replays in the table and the queues: requests, chunks and windows, and runs that compete or are killed. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { newReplayOf, type Replay } from '../../shared/deliveries/replays/replay.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { type ApiKeyId, type DeliveryId, idTime, type ReplayId, type StaffId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { deliverySettings, healthyWebhook, iso, minute, now, second } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { runReplay } = await import('../../shared/deliveries/replays/run.ts');
const { requestReplay } = await import('../../shared/deliveries/replays/request.ts');
const { log } = await import('../../shared/aws/log.ts');
const { replayOfKey } = await import('../../shared/deliveries/replays/store.ts');

stopTime(now);
afterEach(() => {
  vi.restoreAllMocks();
});

const webhook = healthyWebhook;
const integrationKey = { pk: `INTEGRATION#${webhook.integration_id}`, sk: 'INTEGRATION' };
const id = '1'.repeat(24) as ReplayId;
const replayKey = { pk: `REPLAY#${id}`, sk: 'REPLAY' };
const hour = 60 * minute;
const range = { since: now - hour, until: now, status: null };
const stored = () => aws.read(replayKey);
const running = () => aws.read(webhookKey(webhook.id))?.running_replay;

/** The id of a delivery begins with the time of its event: one event per second, starting an hour ago. */
const idOf = (number: number) => `${idTime(now - hour + number * second)}${'0'.repeat(12)}` as DeliveryId;
const deliveryKey = (delivery: string) => ({ pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${delivery}` });
const delivery = (number: number, changes: Partial<Delivery> = {}): Delivery => ({
  id: idOf(number),
  webhook_id: webhook.id,
  event: webhook.event,
  event_id: `e${number}`,
  body_hash: `hash-${number}`,
  status: 'failed',
  trigger: 'event',
  attempts: 4,
  waits: 0,
  created_at: iso(now - hour + number * second),
  last_attempt_at: iso(now),
  next_attempt_at: null,
  last_status: '500',
  last_error: 'status',
  waiting_for: null,
  log: [],
  expires_at: now / second + 86_400,
  ...changes,
});
/** Stores a webhook with failed deliveries, and its running replay. */
const given = (deliveries: number, changes: Partial<Replay> = {}): Replay => {
  aws.put(integrationKey, { id: webhook.integration_id });
  aws.put(webhookKey(webhook.id), { ...webhook, running_replay: id });
  for (let number = 0; number < deliveries; number++) {
    const one = delivery(number);
    aws.put(deliveryKey(one.id), one);
  }
  const replay: Replay = { ...newReplayOf(id, webhook.id, range, now), ...changes };
  aws.put(replayKey, { ...replay, due: 'DUE#1', due_at: iso(now) });
  return replay;
};
/** Runs the replay and returns the messages that it sent, by queue. */
const run = async () => {
  await runReplay({ replay_id: id }, deliverySettings);
  const sent = aws.sent();
  return {
    deliveries: sent.filter(({ queue }) => queue === 'slow-deliveries'),
    next: sent.filter(({ queue }) => queue === 'replays'),
    sent,
  };
};
/** Stores deliveries that wait for their first attempt, outside of the range of the replay; returns their ids. */
const putInLane = (count: number): DeliveryId[] =>
  Array.from({ length: count }, (_, number) => {
    const one = delivery(4000 + number, { status: 'pending', attempts: 0 });
    aws.put(deliveryKey(one.id), one);
    return one.id;
  });
/** Records a first attempt for new deliveries in the lane. */
const attempted = (ids: readonly string[]) => {
  for (const one of ids) aws.change(deliveryKey(one), { status: 'retrying', attempts: 1 });
};

describe('a run of a replay', () => {
  it('sends a new delivery for each delivery of its range, through the slow lane', async () => {
    const replay = given(2);
    aws.put(deliveryKey(idOf(3600)), delivery(3600));
    const { deliveries, sent } = await run();
    expect(sent).toHaveLength(2);
    expect(deliveries).toMatchObject([
      {
        body: {
          webhook_id: webhook.id,
          body_hash: 'hash-0',
          event: webhook.event,
          event_id: 'e0',
          attempt: 1,
          trigger: 'replay',
          created_at: replay.created_at,
        },
        group: webhook.id,
        delaySeconds: undefined,
      },
      { body: { event_id: 'e1' } },
    ]);
    const ids = deliveries.map(({ body }) => String(body.delivery_id));
    expect(ids[0]).toMatch(new RegExp(`^${idTime(now)}`));
    expect(aws.read(deliveryKey(ids[0] ?? ''))).toMatchObject({
      status: 'pending',
      trigger: 'replay',
      attempts: 0,
      expires_at: now / second + 30 * 86_400,
    });
    expect(aws.read(deliveryKey(idOf(0)))).toEqual(delivery(0));
    expect(stored()).toMatchObject({
      state: 'finished',
      cursor: idOf(1),
      checked: 2,
      replayed: 2,
      in_lane: ids,
      window: 50,
      run_until: 0,
      updated_at: iso(now),
    });
    expect(stored()).not.toHaveProperty('span');
  });

  it('makes the webhook free for another replay once it ends, and is no longer due', async () => {
    given(1);
    await run();
    expect(running()).toBeUndefined();
    for (const attribute of ['due', 'due_at']) expect(stored()).not.toHaveProperty(attribute);
  });

  it('does not release the webhook if another replay of it has begun', async () => {
    given(1);
    aws.change(webhookKey(webhook.id), { running_replay: 'other' });
    await run();
    expect(running()).toBe('other');
  });

  it('sends a message for the next run if more remains; the sweep replaces a lost one', async () => {
    given(51);
    vi.setSystemTime(now + minute);
    const { deliveries, next } = await run();
    expect(deliveries).toHaveLength(50);
    expect(next).toEqual([{ queue: 'replays', body: { format: 1, replay_id: id }, delaySeconds: 1, group: undefined }]);
    expect(stored()).toMatchObject({
      state: 'running',
      cursor: idOf(49),
      span: [idOf(0), idOf(50)],
      checked: 50,
      due_at: iso(now + minute + second + 2 * minute),
      updated_at: iso(now + minute),
    });
    expect(running()).toBe(id);
  });

  it('resumes after the cursor, with a doubled window if the lane is empty', async () => {
    given(160);
    const { deliveries } = await run();
    attempted(deliveries.map(({ body }) => String(body.delivery_id)));
    aws.put(deliveryKey(idOf(3599)), delivery(3599));
    const further = await run();
    expect(further.deliveries.map(({ body }) => body.event_id)).toEqual(
      Array.from({ length: 100 }, (_, number) => `e${50 + number}`),
    );
    expect(stored()).toMatchObject({ window: 100, checked: 150, replayed: 150, span: [idOf(0), idOf(159)] });
    attempted(further.deliveries.map(({ body }) => String(body.delivery_id)));
    await run();
    // At most 200.
    expect(stored()).toMatchObject({ window: 200, checked: 161, state: 'finished' });
  });

  it('gives each chunk its own time, so that a replay sends everything even if it takes longer than attempts may last', async () => {
    given(51);
    const first = await run();
    vi.setSystemTime(now + 8 * 24 * hour);
    // Still waiting for the first chunk.
    expect((await run()).deliveries).toEqual([]);
    attempted(first.deliveries.map(({ body }) => String(body.delivery_id)));
    vi.setSystemTime(now + 8 * 24 * hour + minute);
    const { deliveries } = await run();
    expect(deliveries).toMatchObject([{ body: { event_id: 'e50', created_at: iso(now + 8 * 24 * hour) } }]);
  });

  it('has a window of at most 200', async () => {
    given(250, { window: 150, checked: 1 });
    expect((await run()).deliveries).toHaveLength(200);
    expect(stored()).toMatchObject({ window: 200 });
  });

  it('fills its window again if half of it is still in the lane', async () => {
    const lane = putInLane(26);
    given(60, { in_lane: lane, checked: 1, cursor: idOf(0) });
    // One of them has had its first attempt.
    aws.change(deliveryKey(lane[0] ?? ''), { status: 'retrying', attempts: 1 });
    const { deliveries } = await run();
    expect(deliveries).toHaveLength(25);
    expect(stored()).toMatchObject({ window: 50, checked: 26 });
    expect(stored().in_lane).toEqual([...lane.slice(1), ...deliveries.map(({ body }) => body.delivery_id)]);
  });

  it.each([
    ['two seconds at first', 1, 2],
    ['as long as nothing has moved', 7.5, 8],
    ['a minute at most', 90, 60],
  ])('waits if more than half of its window is still in the lane: %s', async (_, idle, wait) => {
    const lane = putInLane(26);
    const replay = given(60, { in_lane: [...lane, idOf(9999)], checked: 1 });
    vi.setSystemTime(now + idle * second);
    const { sent } = await run();
    expect(sent).toMatchObject([{ queue: 'replays', delaySeconds: wait }]);
    expect(stored()).toMatchObject({
      state: 'running',
      window: 25,
      in_lane: lane,
      checked: 1,
      updated_at: replay.updated_at,
      due_at: iso(now + idle * second + wait * second + 2 * minute),
    });
  });

  it('has a window of at least ten', async () => {
    const lane = putInLane(8);
    given(60, { in_lane: lane, checked: 1, window: 15 });
    await run();
    expect(stored()).toMatchObject({ window: 10 });
  });

  it('counts but does not send a delivery that is unfinished, a replay, or for another event', async () => {
    given(1);
    const others = [
      delivery(1, { event: 'post.added' }),
      delivery(2, { status: 'retrying' }),
      delivery(3, { trigger: 'replay' }),
    ];
    for (const one of others) aws.put(deliveryKey(one.id), one);
    expect((await run()).deliveries).toHaveLength(1);
    expect(stored()).toMatchObject({ checked: 4, replayed: 1, cursor: idOf(3) });
  });

  it('finishes at once if its range is empty', async () => {
    given(0, { cursor: idOf(5) });
    expect((await run()).sent).toEqual([]);
    expect(stored()).toMatchObject({ state: 'finished', checked: 0, cursor: idOf(5) });
  });

  it.each([
    ['webhook was deleted', () => aws.erase(webhookKey(webhook.id))],
    ['integration is being deleted', () => aws.change(integrationKey, { deleting_since: iso(now) })],
  ])('is cancelled if its %s', async (_, remove) => {
    given(2);
    remove();
    vi.setSystemTime(now + second);
    expect((await run()).sent).toEqual([]);
    expect(stored()).toMatchObject({ state: 'cancelled', checked: 0, updated_at: iso(now + second) });
    expect(stored()).not.toHaveProperty('due');
  });
});

describe('two runs of a replay', () => {
  it('never work at the same time, unless the lease of the first has expired', async () => {
    given(2);
    aws.change(replayKey, { run: 'other', run_until: now });
    expect((await run()).sent).toEqual([]);
    vi.setSystemTime(now + 1);
    expect((await run()).deliveries).toHaveLength(2);
    expect((await run()).sent).toEqual([]);
  });

  it('have a lease of 40 seconds; two minutes after it, the sweep starts another run', async () => {
    given(2);
    const claims: unknown[] = [];
    aws.before('QueryCommand', () => claims.push([stored().run_until, stored().due_at]), 1);
    await run();
    expect(claims).toEqual([[now + 40 * second, iso(now + 40 * second + 2 * minute)]]);
  });

  it('create the same deliveries if the first was killed, and send only unfinished ones', async () => {
    const replay = given(2);
    const first = await run();
    const [one] = first.deliveries;
    aws.put(replayKey, replay);
    aws.change(deliveryKey(String(one?.body.delivery_id)), { status: 'delivered', attempts: 1 });
    const again = await run();
    expect(again.deliveries.map(({ body }) => body)).toEqual([first.deliveries[1]?.body]);
    expect(stored()).toMatchObject({ replayed: 2, in_lane: [first.deliveries[1]?.body.delivery_id] });
  });

  it('do not interfere: after a takeover, the first run saves nothing and sends no further run', async () => {
    given(51);
    aws.before('QueryCommand', () => aws.change(replayKey, { run: 'other' }), 1);
    expect((await run()).next).toEqual([]);
    expect(stored()).toMatchObject({ checked: 0, run: 'other' });
  });

  it('release the webhook only once: in the run that records the end', async () => {
    given(1);
    aws.before('QueryCommand', () => aws.change(replayKey, { run: 'other' }), 1);
    await run();
    expect(running()).toBe(id);
  });

  it.each(['finished', 'cancelled'] as const)('do not begin if the replay is already %s', async (state) => {
    given(2, { state });
    expect((await run()).sent).toEqual([]);
    expect(stored()).not.toHaveProperty('run');
  });
});

describe('the key of a due item', () => {
  it('is recognised if it belongs to a replay', () => {
    expect(replayOfKey(replayKey)).toBe(id);
  });
});

describe('a request for a replay', () => {
  const keyId = 'c'.repeat(24) as ApiKeyId;
  const staffId = 'd'.repeat(24) as StaffId;
  const caller: Caller = { kind: 'staff', keyId, staffId, role: 'Owner', name: 'Olive', email: 'olive@example.com' };
  const request = (rules = deliverySettings) => requestReplay(webhook.id, range, caller, rules);
  const free = () => aws.put(webhookKey(webhook.id), webhook);
  const keyOf = (replay: string) => ({ pk: `REPLAY#${replay}`, sk: 'REPLAY' });

  it('is stored as the running replay of the webhook, and queued', async () => {
    free();
    const replay = await request();
    expect(replay).toMatchObject({ webhook_id: webhook.id, state: 'running', created_at: iso(now) });
    expect(aws.read(keyOf(replay.id))).toMatchObject({
      ...replay,
      due: expect.stringMatching(/^DUE#\d+$/),
      due_at: iso(now + 2 * minute),
    });
    expect(running()).toBe(replay.id);
    expect(aws.sent()).toMatchObject([{ queue: 'replays', body: { replay_id: replay.id } }]);
  });

  it('is accepted even if the queue fails, because the sweep sends the message later', async () => {
    const warn = vi.spyOn(log, 'warn');
    free();
    aws.fail('SendMessageBatchCommand');
    const replay = await request();
    expect(replay).toMatchObject({ state: 'running' });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(replay.id), expect.anything());
  });

  it('fails with 503 after twenty lost races', async () => {
    free();
    let other = 0;
    aws.before('TransactWriteCommand', () =>
      aws.change(webhookKey(webhook.id), { running_replay: `other ${other++}` }),
    );
    await expect(request()).rejects.toMatchObject({
      status: 503,
      cause: { message: expect.stringContaining(webhook.id) },
    });
  });

  it('is refused while another replay of the webhook is running', async () => {
    free();
    const { id: other } = await request();
    await expect(request()).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(other),
      context: expect.stringContaining('one running replay'),
      help: expect.stringContaining(`/admin/webhooks/${webhook.id}/replays/${other}/`),
      details: [{ index: 0, field: 'webhook_id', rule: 'one_running_replay', limit: 1, received: other }],
    });
    expect(running()).toBe(other);
  });

  it('succeeds if the previous replay releases the webhook between its two tries', async () => {
    given(0, { state: 'finished' });
    // The first try finds a replay that has ended but not released the webhook; the second finds the webhook free.
    let tries = 0;
    aws.before('TransactWriteCommand', () => {
      tries += 1;
      if (tries === 2) aws.change(webhookKey(webhook.id), { running_replay: undefined });
    });
    const replay = await request();
    expect(running()).toBe(replay.id);
    expect(tries).toBe(2);
  });

  it.each([
    ['finished', { state: 'finished' }],
    ['no longer stored', undefined],
  ])('succeeds if a killed run left the webhook with a replay that is %s', async (_, ended) => {
    aws.put(webhookKey(webhook.id), { ...webhook, running_replay: id });
    if (ended !== undefined) aws.put(replayKey, ended);
    const replay = await request();
    expect(running()).toBe(replay.id);
  });

  it('is refused if another replay begins during its two tries', async () => {
    aws.put(webhookKey(webhook.id), { ...webhook, running_replay: id });
    aws.put(replayKey, { state: 'finished' });
    const rival = '9'.repeat(24);
    let requests = 0;
    aws.before('TransactWriteCommand', () => {
      requests++;
      if (requests !== 2) return;
      aws.put(keyOf(rival), { state: 'running' });
      aws.change(webhookKey(webhook.id), { running_replay: rival });
    });
    await expect(request()).rejects.toMatchObject({ status: 422 });
    expect(running()).toBe(rival);
  });

  it('returns 404 if the webhook does not exist or is deleted during the request', async () => {
    await expect(request()).rejects.toMatchObject({ status: 404 });
    free();
    aws.before('TransactWriteCommand', () => aws.erase(webhookKey(webhook.id)), 1);
    await expect(request()).rejects.toMatchObject({ status: 404 });
    expect(aws.read(webhookKey(webhook.id))).toBeUndefined();
    expect(aws.sent()).toEqual([]);
  });

  it('succeeds if only the answer of its write is lost, and returns 503 if nothing was stored', async () => {
    free();
    aws.fail('TransactWriteCommand', { after: true });
    const replay = await request();
    expect(running()).toBe(replay.id);
    free();
    aws.fail('TransactWriteCommand');
    await expect(request()).rejects.toMatchObject({ status: 503 });
  });

  it('counts towards the hourly limit of its caller', async () => {
    free();
    const rules = { ...deliverySettings, replaysPerCallerAndHour: 1, redeliveriesPerCallerAndHour: 5 };
    await request(rules);
    free();
    await expect(request(rules)).rejects.toMatchObject({ status: 429 });
    vi.setSystemTime(now + hour);
    await request(rules);
  });
});
