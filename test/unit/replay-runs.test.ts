/** Replays in the table and the queues: windows, runs that compete or are killed, and requests under races. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { newReplayOf, type Replay } from '../../shared/deliveries/replays/replay.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { type ApiKeyId, type DeliveryId, idTime, type ReplayId, type StaffId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { deliverySettings, healthyWebhook, iso, minute, now, second } from '../support/deliver-in-memory.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
const { runReplay } = await import('../../shared/deliveries/replays/run.ts');
const { logOf } = await import('../../shared/deliveries/records/store.ts');
const { requestReplay } = await import('../../shared/deliveries/replays/request.ts');
const { log } = await import('../../shared/aws/log.ts');

const { pass } = stopTime(now);
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
  replayed_by: null,
  log: [],
  expires_at: now / second + 86_400,
  ...changes,
});
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
const run = async () => {
  await runReplay({ replay_id: id }, deliverySettings);
  const sent = aws.sent();
  return {
    deliveries: sent.filter(({ queue }) => queue === 'slow-deliveries'),
    next: sent.filter(({ queue }) => queue === 'replays'),
    sent,
  };
};
const putInLane = (count: number): DeliveryId[] =>
  Array.from({ length: count }, (_, number) => {
    const one = delivery(4000 + number, { status: 'pending', attempts: 0 });
    aws.put(deliveryKey(one.id), one);
    return one.id;
  });
const wholeLog = async () => {
  const all = { since: undefined, until: undefined, newestFirst: false, limit: 1000, after: undefined };
  return (await logOf(webhook.id)(all)).deliveries;
};
const attempted = (ids: readonly string[]) => {
  for (const one of ids) aws.change(deliveryKey(one), { status: 'retrying', attempts: 1 });
};

describe('a run of a replay', () => {
  it('does not release the webhook if another replay of it has begun', async () => {
    given(1);
    aws.change(webhookKey(webhook.id), { running_replay: 'other' });
    await run();
    expect(running()).toBe('other');
  });

  it('gives each chunk its own time, so that a replay sends all even if it outlasts the attempts', async () => {
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

  it('has a window of at least ten', async () => {
    const lane = putInLane(8);
    given(60, { in_lane: lane, checked: 1, window: 15 });
    await run();
    expect(stored()).toMatchObject({ window: 10 });
  });

  it('finishes at once if its range is empty', async () => {
    given(0, { cursor: idOf(5) });
    expect((await run()).sent).toEqual([]);
    expect(stored()).toMatchObject({ state: 'finished', checked: 0, cursor: idOf(5) });
  });
});

describe('two runs of a replay', () => {
  it('send the same messages if the first was killed, and keep what has been attempted in between', async () => {
    const replay = given(2);
    const first = await run();
    const [one] = first.deliveries.map(({ body }) => deliveryKey(String(body.delivery_id)));
    if (one === undefined) expect.fail();
    aws.put(replayKey, replay);
    aws.change(one, { status: 'delivered', attempts: 1 });
    const again = await run();
    expect(again.deliveries).toEqual(first.deliveries);
    expect(aws.read(one)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(stored()).toMatchObject({ replayed: 2 });
  });

  it('leave no delivery behind if earlier ones came into the range after the first was killed', async () => {
    given(60);
    aws.fail('SendMessageBatchCommand');
    await expect(run()).rejects.toThrow();
    // Those that were sent have no effect on the second.
    aws.sent();
    for (const number of [0.2, 0.4, 0.6]) {
      const late = delivery(number);
      aws.put(deliveryKey(late.id), late);
    }
    pass(minute);
    const sent = new Set<string>();
    for (let left = await run(); left.deliveries.length > 0; left = await run()) {
      const ids = left.deliveries.map(({ body }) => String(body.delivery_id));
      attempted(ids);
      for (const one of ids) sent.add(one);
      pass(second);
    }
    expect((await wholeLog()).filter(({ trigger }) => trigger === 'replay').map((one) => one.id)).toEqual(
      [...sent].toSorted(),
    );
    expect(sent.size).toBe(63);
  });

  describe.each([
    ['its webhook drops the event', () => aws.change(webhookKey(webhook.id), { event: 'tag.added' })],
    ['somebody redelivers one', () => aws.change(deliveryKey(idOf(0)), { replayed_by: idOf(4000) })],
  ])('leave no delivery pending without a message if %s between them', (_, act) => {
    it.each(['SendMessageBatchCommand', 'PutCommand', 'UpdateCommand'] as const)(
      'and the first was killed at its %s',
      async (command) => {
        given(2, { status: 'failed' });
        aws.fail(command);
        await expect(run()).rejects.toThrow();
        const sent = [...aws.sent()];
        act();
        sent.push(...(await run()).sent);
        const pending = (await wholeLog()).filter(({ status }) => status === 'pending').map((one) => one.id);
        expect(sent.map(({ body }) => body.delivery_id)).toEqual(expect.arrayContaining(pending));
      },
    );
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

describe('a request for a replay', () => {
  const keyId = 'c'.repeat(24) as ApiKeyId;
  const staffId = 'd'.repeat(24) as StaffId;
  const caller: Caller = { kind: 'staff', keyId, staffId, role: 'Owner', name: 'Olive', email: 'olive@example.com' };
  const request = (rules = deliverySettings) => requestReplay(webhook.id, range, caller, rules);
  const free = () => aws.put(webhookKey(webhook.id), webhook);
  const keyOf = (replay: string) => ({ pk: `REPLAY#${replay}`, sk: 'REPLAY' });

  it('is accepted even if the queue fails, because the sweep sends the message later', async () => {
    const warn = vi.spyOn(log, 'warn');
    free();
    aws.fail('SendMessageBatchCommand');
    const replay = await request();
    expect(replay).toMatchObject({ state: 'running' });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(replay.id), expect.anything());
  });

  it('fails with 429 after twenty lost races', async () => {
    free();
    let other = 0;
    aws.before('TransactWriteCommand', () =>
      aws.change(webhookKey(webhook.id), { running_replay: `other ${other++}` }),
    );
    await expect(request()).rejects.toMatchObject({
      status: 429,
      cause: { message: expect.stringContaining(webhook.id) },
    });
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
