/** Runs of a fan-out: their messages, their pages and leases, and repeated events. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AcceptedEvent, EventBody, EventMessage, LargeEvent } from '../../shared/events/event.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { iso, now, second } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
vi.mock('../../shared/stats/count.ts', () => ({ countOutcome: vi.fn(), countLatency: vi.fn() }));
vi.mock('../../shared/aws/metrics.ts', () => ({ count: vi.fn() }));
const { fanOut } = await import('../../shared/deliveries/fan-out/fan-out.ts');
const { countOutcome } = await import('../../shared/stats/count.ts');
const { count } = await import('../../shared/aws/metrics.ts');
const { log } = await import('../../shared/aws/log.ts');
const { bodyHash } = await import('../../shared/events/event.ts');

const rules = { keepDays: 30, retryAfterSeconds: [0, 5] };

stopTime(now);
beforeEach(() => {
  vi.clearAllMocks();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const payload = { post: { current: { title: 'Hello' }, previous: {} } };
const accepted: AcceptedEvent = {
  kind: 'event',
  id: 'e1',
  publisher: 'p',
  event: 'post.published',
  accepted_at: iso(now - 100),
  payload,
  owner: 'request',
};
const hash = bodyHash('p', 'e1');
const bodyKey = { pk: `EVENT_BODY#${hash}`, sk: 'EVENT' };
const body = (): EventBody => aws.read(bodyKey);
/** The id of a webhook in a group of its own. */
const idOf = (number: number) => `${number.toString(16).padStart(22, '0')}00` as WebhookId;

/** Subscribes webhooks to an event, numbered from 0. */
const given = (subscribers: number, event = 'post.published') => {
  for (let number = 0; number < subscribers; number++)
    aws.put(subscriberKey(event, idOf(number)), { webhook_id: idOf(number) });
};
/** Processes one message of the events queue, 30 seconds before the timeout. */
const run = (message: EventMessage, { messageId = 'm1', leftMs = 30 * second, ...other }: Partial<Run> = {}) =>
  fanOut({ body: message, messageId } as Parameters<typeof fanOut>[0], Date.now() + leftMs, { ...rules, ...other });
interface Run {
  readonly messageId: string;
  readonly leftMs: number;
  readonly retryAfterSeconds: number[];
}
const rest: EventMessage = { kind: 'continuation', body_hash: hash };
/** Returns the numbers of the webhooks with a delivery message. */
const webhooksOf = (sent = aws.sent()) =>
  sent
    .filter(({ queue }) => queue !== 'events')
    .map(({ body: { webhook_id } }) => Number.parseInt(String(webhook_id).slice(0, 22), 16));

describe('an event', () => {
  it("gets one delivery for each subscriber in the subscriber's lane, and the first delivery counts it", async () => {
    const info = vi.spyOn(log, 'info');
    given(2);
    aws.change(subscriberKey('post.published', idOf(1)), { lane: 'slow' });
    await run(accepted);
    const message = {
      format: 1,
      body_hash: hash,
      event: 'post.published',
      event_id: 'e1',
      created_at: iso(now - 100),
      attempt: 1,
      trigger: 'event',
      payload: JSON.stringify({ post: { current: { title: 'Hello' }, previous: {} } }),
      delivery_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    };
    expect(aws.sent()).toEqual([
      {
        queue: 'deliveries',
        body: { ...message, webhook_id: idOf(0), first: true },
        delaySeconds: undefined,
        group: idOf(0),
      },
      { queue: 'slow-deliveries', body: { ...message, webhook_id: idOf(1) }, delaySeconds: undefined, group: idOf(1) },
    ]);
    expect(countOutcome).not.toHaveBeenCalled();
    expect(info).toHaveBeenCalledWith('fanned out', { event_id: 'e1', deliveries: 2 });
  });

  it('is stored with its payload for as long as its deliveries need it', async () => {
    given(1);
    await run(accepted);
    expect(body()).toEqual({
      id: 'e1',
      publisher: 'p',
      event: 'post.published',
      created_at: iso(now - 100),
      payload: JSON.stringify(payload),
      owner: 'request',
      // The log is kept for 30 days after the last attempt, which starts within seven days of the event.
      expires_at: Math.floor((now + (30 + 7) * 86_400 * second) / second),
      fan_out_run: expect.stringMatching(/^m1 [0-9a-f]{24}$/),
      fan_out_until: now + 6 * second,
    });
    // One page: no further write.
    expect(aws.requests('UpdateCommand')).toEqual([]);
  });

  it('waits before its first attempt if the retry schedule begins with a delay', async () => {
    given(1);
    await run(accepted, { retryAfterSeconds: [7, 5] });
    expect(aws.sent()).toMatchObject([{ delaySeconds: 7 }]);
  });

  it('without subscribers is counted as accepted and needs no message', async () => {
    await run(accepted);
    expect(aws.sent()).toEqual([]);
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['accepted']]);
  });

  it('from the EventBridge bus with an invalid payload is a faulty message, which soon becomes a dead letter', async () => {
    given(1);
    await expect(run({ ...accepted, payload: {} })).rejects.toMatchObject({
      name: 'FormatError',
      message: expect.stringContaining('e1 of p'),
    });
    expect(body()).toBeUndefined();
    expect(aws.sent()).toEqual([]);
  });

  it('from the EventBridge bus is stored without payload keys that are not part of an event', async () => {
    await run({ ...accepted, payload: { ...payload, other: 1 } });
    expect(body()?.payload).toBe(JSON.stringify(payload));
  });

  it('is stored in parts if it is large, unless the publishing function has stored the parts already', async () => {
    const long = { post: { current: { title: 'x'.repeat(5000) }, previous: {} } };
    await run({ ...accepted, payload: long });
    expect(body()).toMatchObject({ payload: '', parts: { count: 1 } });
    const { payload: _payload, ...fields } = accepted;
    const large: LargeEvent = { ...fields, id: 'e2', kind: 'large_event', parts: { hash: 'p', count: 3 } };
    await run(large);
    expect(aws.read({ pk: `EVENT_BODY#${bodyHash('p', 'e2')}`, sk: 'EVENT' })).toMatchObject({
      payload: '',
      parts: { hash: 'p', count: 3 },
    });
  });
});

describe('an operational event', () => {
  const about = (event: string, subject: object): AcceptedEvent => ({ ...accepted, event, payload: subject as never });

  it.each([
    ['webhook.failing', { webhook: { current: { id: idOf(0) }, previous: {} } }],
    ['delivery.failed', { delivery: { current: { webhook_id: idOf(0) }, previous: {} } }],
  ])('is not delivered to the webhook that it reports on: %s', async (event, subject) => {
    given(2, event);
    await run(about(event, subject));
    const sent = aws.sent();
    expect(webhooksOf(sent)).toEqual([1]);
    expect(sent).toMatchObject([{ body: { first: true } }]);
  });

  it('is counted as accepted even if the webhook that it reports on is its only subscriber', async () => {
    given(1, 'webhook.failing');
    await run(about('webhook.failing', { webhook: { current: { id: idOf(0) }, previous: {} } }));
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['accepted']]);
  });

  it('is the only kind of event that leaves out a webhook', async () => {
    given(2);
    const subject = { current: { id: idOf(0) }, previous: {} };
    await run({ ...accepted, payload: { ...payload, webhook: subject } });
    expect(webhooksOf()).toEqual([0, 1]);
  });
});

describe('a fan-out of several pages', () => {
  it('begins with a short page, so that the first deliveries go out early', async () => {
    given(549);
    await run(accepted);
    expect(aws.requests('QueryCommand').map(({ Limit }) => Limit)).toEqual([50, 500]);
    expect(webhooksOf()).toHaveLength(549);
    // One long page: no further write.
    expect(aws.requests('UpdateCommand')).toEqual([]);
  });

  it('saves its cursor after each long page and is marked as done at the end', async () => {
    given(1051);
    const cursors: unknown[] = [];
    aws.before('UpdateCommand', () => cursors.push([body().fan_out_after, body().fan_out_until]));
    await run(accepted);
    const sent = aws.sent();
    expect(webhooksOf(sent)).toEqual(Array.from({ length: 1051 }, (_, number) => number));
    expect(sent.filter(({ body: { first } }) => first === true)).toHaveLength(1);
    expect(cursors).toEqual([
      [undefined, now + 6 * second],
      [idOf(549), now + 6 * second],
      [idOf(1049), now + 6 * second],
    ]);
    expect(body().fan_out_done).toBe(true);
    expect(vi.mocked(countOutcome)).not.toHaveBeenCalled();
  });

  it('starts no page in the last 15 seconds of the run, and hands the rest to another run', async () => {
    given(501);
    await run(accepted, { leftMs: 15 * second });
    const sent = aws.sent();
    expect(webhooksOf(sent)).toHaveLength(50);
    expect(sent.at(-1)).toEqual({
      queue: 'events',
      body: { format: 1, ...rest },
      delaySeconds: 0,
      group: 'p',
    });
    expect(body()).toMatchObject({ fan_out_after: idOf(49), fan_out_until: 0 });
    const earlier = aws.requests('QueryCommand').length;
    await run(rest, { messageId: 'm2' });
    expect(aws.requests('QueryCommand')[earlier]).toMatchObject({ Limit: 500 });
    const others = aws.sent();
    expect(webhooksOf(others)).toEqual(Array.from({ length: 451 }, (_, number) => number + 50));
    expect(others[0]?.body).not.toHaveProperty('first');
    expect(body()).toMatchObject({ fan_out_done: true, fan_out_run: expect.stringMatching(/^m2 /) });
    await run(rest, { messageId: 'm2' });
    expect(aws.sent()).toEqual([]);
  });

  it('starts a page while more than 15 seconds are left', async () => {
    given(501);
    await run(accepted, { leftMs: 15 * second + 1 });
    expect(webhooksOf()).toHaveLength(501);
  });

  it.each([
    ['saves a page', 30 * second, 550],
    ['hands over', 15 * second, 50],
  ])('stops when it %s if another run has taken over', async (_, leftMs, count) => {
    given(1051);
    aws.before('UpdateCommand', () => aws.change(bodyKey, { fan_out_run: 'm9 other' }), 1);
    await run(accepted, { leftMs });
    const sent = aws.sent();
    expect(webhooksOf(sent)).toHaveLength(count);
    expect(sent).toHaveLength(count);
    expect(body()).toMatchObject({ fan_out_run: 'm9 other' });
    expect(body()).not.toHaveProperty('fan_out_after');
  });
});

describe('beyond the first fifty subscribers', () => {
  it("messages are in the publisher's message group, in both lanes", async () => {
    given(60);
    aws.change(subscriberKey('post.published', idOf(55)), { lane: 'slow' });
    await run(accepted);
    const sent = aws.sent();
    expect(sent.slice(0, 50).map(({ group }) => group)).toEqual(Array.from({ length: 50 }, (_, at) => idOf(at)));
    expect(sent.slice(50).map(({ queue, group }) => `${queue} ${group}`)).toEqual([
      ...Array(9).fill('deliveries p'),
      'slow-deliveries p',
    ]);
  });

  it('a fan-out pauses while more than 500 messages wait in the lane, and then resumes', async () => {
    given(1600);
    aws.waiting('deliveries', 501);
    await run(accepted);
    const sent = aws.sent();
    expect(webhooksOf(sent)).toHaveLength(550);
    expect(sent.at(-1)).toEqual({ queue: 'events', body: { format: 1, ...rest }, delaySeconds: 1, group: 'p' });
    expect(body()).toMatchObject({ fan_out_after: idOf(549), fan_out_until: 0 });
    // Each run sends a page, so that a backlog of others does not stop it.
    await run(rest, { messageId: 'm2' });
    expect(webhooksOf()).toEqual(Array.from({ length: 500 }, (_, number) => number + 550));
    aws.waiting('deliveries', 500);
    await run(rest, { messageId: 'm3' });
    expect(webhooksOf()).toHaveLength(550);
    expect(body().fan_out_done).toBe(true);
  });

  it('a fan-out continues if the queue does not return how many messages wait', async () => {
    const warn = vi.spyOn(log, 'warn');
    given(1600);
    aws.waiting('deliveries', 501);
    aws.fail('GetQueueAttributesCommand');
    aws.fail('GetQueueAttributesCommand');
    await run(accepted);
    expect(webhooksOf()).toHaveLength(1550);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it("the message group is a hash if SQS does not allow the publisher's name", async () => {
    given(60);
    await run({ ...accepted, publisher: 'eventbridge:my shop' });
    expect(aws.sent().at(-1)?.group).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a message that is received again', () => {
  const killed = async () => {
    given(2);
    aws.fail('SendMessageBatchCommand');
    await expect(run(accepted)).rejects.toThrow();
    expect(aws.sent()).toEqual([]);
  };

  it('waits until the lease of the killed run has ended, and is then processed', async () => {
    await killed();
    await run(accepted);
    expect(aws.sent()).toMatchObject([{ queue: 'events', body: rest, delaySeconds: 6 }]);
    vi.setSystemTime(now + 6 * second);
    await run(rest, { messageId: 'm2' });
    expect(webhooksOf()).toEqual([0, 1]);
    expect(body()).toMatchObject({ fan_out_until: now + 12 * second });
    expect(body()).not.toHaveProperty('fan_out_done');
    expect(aws.requests('QueryCommand').map(({ Limit }) => Limit)).toEqual([50, 50, 50]);
  });

  it('is dropped while the lease lasts if it has another message id, and is processed afterwards', async () => {
    await killed();
    vi.setSystemTime(now + 6 * second - 1);
    await run(accepted, { messageId: 'm2' });
    expect(aws.sent()).toEqual([]);
    vi.setSystemTime(now + 6 * second);
    await run(accepted, { messageId: 'm2' });
    expect(webhooksOf()).toEqual([0, 1]);
  });

  it('is dropped if the stored event names no run', async () => {
    given(1);
    await run(accepted);
    aws.sent();
    aws.change(bodyKey, { fan_out_run: undefined, fan_out_until: undefined });
    await run(accepted);
    expect(aws.sent()).toEqual([]);
  });

  it('is dropped if the fan-out is done', async () => {
    given(1);
    await run(accepted);
    aws.sent();
    aws.change(bodyKey, { fan_out_done: true });
    await run(accepted);
    expect(aws.sent()).toEqual([]);
  });

  it("waits until the lease has ended, in its publisher's group, if it is for the rest of the subscribers", async () => {
    await killed();
    vi.setSystemTime(now + 2 * second);
    await run(rest, { messageId: 'm2' });
    expect(aws.sent()).toEqual([{ queue: 'events', body: { format: 1, ...rest }, delaySeconds: 4, group: 'p' }]);
  });

  it('is dropped if it is for the rest of the subscribers and the event is no longer stored', async () => {
    given(1);
    await run(rest);
    expect(aws.sent()).toEqual([]);
  });

  it('is left to a faster run if it is for the rest of the subscribers', async () => {
    await killed();
    vi.setSystemTime(now + 10 * second);
    aws.before('UpdateCommand', () => aws.change(bodyKey, { fan_out_run: 'm9 other' }), 1);
    await run(rest, { messageId: 'm2' });
    expect(aws.sent()).toEqual([]);
  });
});

describe('an event id that is used again', () => {
  it('for the same event is dropped without a log entry', async () => {
    const warn = vi.spyOn(log, 'warn');
    given(1);
    await run(accepted);
    aws.sent();
    await run({ ...accepted, owner: 'another request' }, { messageId: 'm2' });
    expect(aws.sent()).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    expect(count).not.toHaveBeenCalled();
  });

  it('is dropped even after the lease of the first run has ended', async () => {
    given(1);
    await run(accepted);
    aws.sent();
    vi.setSystemTime(now + 60 * second);
    await run({ ...accepted, owner: 'another request' }, { messageId: 'm2' });
    expect(aws.sent()).toEqual([]);
  });

  it('for a different event is logged and counted, because that event is not delivered', async () => {
    const warn = vi.spyOn(log, 'warn');
    given(1);
    await run(accepted);
    aws.sent();
    const other = { post: { current: { title: 'Other' }, previous: {} } };
    await run({ ...accepted, owner: 'another request', payload: other }, { messageId: 'm2' });
    expect(aws.sent()).toEqual([]);
    expect(warn).toHaveBeenCalledWith(expect.any(String), { event_id: 'e1' });
    expect(vi.mocked(count).mock.calls).toEqual([['EventIdsReused']]);
    expect(body()).toMatchObject({ payload: JSON.stringify(payload) });
  });
});
