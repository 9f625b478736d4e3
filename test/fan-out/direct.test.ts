/** The function that accepts an event sends its first page, and no event is lost if that fails or is killed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventBody, EventMessage } from '../../shared/events/event.ts';
import type { NewEvent } from '../../shared/events/schema.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { iso, minute, now, second } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
vi.mock('../../shared/stats/count.ts', () => ({ countOutcome: vi.fn(), countLatency: vi.fn(), writeCounts: vi.fn() }));
vi.mock('../../shared/aws/metrics.ts', () => ({ count: vi.fn() }));
const { unpack } = await import('../../shared/deliveries/records/messages.ts');
const { publishEvents } = await import('../../shared/deliveries/publish/publish.ts');
const { fanOut } = await import('../../shared/deliveries/fan-out/fan-out.ts');
const { countOutcome, writeCounts } = await import('../../shared/stats/count.ts');
const { count } = await import('../../shared/aws/metrics.ts');
const { log } = await import('../../shared/aws/log.ts');
const { bodyHash } = await import('../../shared/events/event.ts');

const day = 86_400 * second;
// With the seven days of attempts, payloads last as long as the memory of ids, and stay in the event's item.
const rules = { keepDays: 23, retryAfterSeconds: [0, 5] };

stopTime(now);
beforeEach(() => {
  vi.clearAllMocks();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const payload = { post: { current: { title: 'Hello' }, previous: {} } };
const hash = bodyHash('p', 'e1');
const bodyKey = { pk: `EVENT_BODY#${hash}`, sk: 'EVENT' };
const body = (): EventBody => aws.read(bodyKey);
/** The id of a webhook that was created so many ms after the tests' time. */
const idOf = (number: number, createdAt = -day) =>
  `${(now + createdAt).toString(16).padStart(12, '0')}${number.toString(16).padStart(10, '0')}00` as WebhookId;

const integration = 'b'.repeat(24);
let names = 0;
/** Subscribes webhooks, numbered from 0, to an event that the test has not used. */
const given = (subscribers: number, event = `post.test${names++}`): string => {
  for (let number = 0; number < subscribers; number++)
    aws.put(subscriberKey(event, idOf(number)), { webhook_id: idOf(number), integration_id: integration });
  return event;
};
const accept = (event: string, changes: Partial<NewEvent> = {}, { retryAfterSeconds = [0, 5] } = {}) =>
  publishEvents('p', [{ id: 'e1', event, payload, ...changes }], { ...rules, retryAfterSeconds }, Date.now());
/** Returns so many numbers, from the first one on. */
const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, position) => first + position);
const work = async (messages = aws.sent()) => {
  for (const { queue, body } of messages) if (queue === 'events') await fanOut(body as unknown as EventMessage, rules);
};
const webhooksOf = (sent = aws.sent()) =>
  sent
    .filter(({ queue }) => queue !== 'events')
    .flatMap(({ body }) => unpack(body as never))
    .map(({ webhook_id }) => Number.parseInt(webhook_id.slice(12, 22), 16));
const firstPage = (event: string) => ({ kind: 'page', body_hash: hash, place: { list: event } });
/** Accepts an event with a function that is killed after it has stored the event. */
const acceptAndKill = async (event: string) => {
  aws.fail('SendMessageBatchCommand');
  // A killed function does not send the event to the queue either.
  aws.fail('SendMessageBatchCommand');
  await expect(accept(event)).rejects.toThrow();
};

describe('an event with at most fifty subscribers', () => {
  it('is stored and sent to its subscribers, without a message in the events queue', async () => {
    const add = vi.spyOn(log, 'add');
    const event = given(2);
    expect(await accept(event)).toEqual([{ id: 'e1', event, created_at: iso(now) }]);
    const sent = aws.sent();
    expect(sent).toMatchObject([
      {
        queue: 'deliveries',
        group: integration,
        body: {
          format: 1,
          body_hash: hash,
          event,
          event_id: 'e1',
          created_at: iso(now),
        },
      },
    ]);
    expect(webhooksOf(sent)).toEqual([0, 1]);
    expect(body()).toEqual({
      id: 'e1',
      publisher: 'p',
      event,
      created_at: iso(now),
      payload: JSON.stringify(payload),
      owner: expect.stringMatching(/^[0-9a-f]{24}$/),
      // Publishers may repeat the id for 30 days.
      expires_at: Math.floor((now + 30 * day) / second),
    });
    expect(vi.mocked(count).mock.calls).toEqual([['EventsAccepted', 1]]);
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['accepted', 1, now]]);
    expect(add).toHaveBeenCalledWith({ deliveries: 2 });
    expect(add).toHaveBeenCalledWith({ event_ids: ['e1'] });
  });

  it('needs a single write', async () => {
    await accept(given(49));
    expect(aws.requests('PutCommand')).toHaveLength(1);
    expect(aws.requests('UpdateCommand')).toEqual([]);
    expect(webhooksOf()).toEqual(numbers(49));
  });

  it('is stored at the same time as its subscribers are read', async () => {
    const order: string[] = [];
    aws.before('QueryCommand', async () => {
      await new Promise(setImmediate);
      order.push('read');
    });
    aws.before('PutCommand', () => order.push('stored'));
    await accept(given(1));
    expect(order.slice(0, 2)).toEqual(['stored', 'read']);
  });

  it('waits before its first attempt if the retry schedule begins with a delay', async () => {
    await accept(given(1), {}, { retryAfterSeconds: [7, 5] });
    expect(aws.sent()).toMatchObject([{ queue: 'deliveries', delaySeconds: 7 }]);
  });

  it('is acknowledged only after the counts are written, because Lambda freezes the function then', async () => {
    const order: string[] = [];
    vi.mocked(writeCounts).mockImplementationOnce(async () => {
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
      order.push('counted');
    });
    await accept(given(1));
    order.push('acknowledged');
    expect(order).toEqual(['counted', 'acknowledged']);
  });

  it('is stored and counted as accepted even without subscribers', async () => {
    const add = vi.spyOn(log, 'add');
    await accept(given(0));
    expect(aws.sent()).toEqual([]);
    expect(body()).toMatchObject({ id: 'e1' });
    expect(countOutcome).toHaveBeenCalledTimes(1);
    expect(add.mock.calls).toEqual([[{ event_ids: ['e1'] }]]);
  });

  it('is not delivered to the webhook that it reports on, if it is an operational event', async () => {
    given(2, 'webhook.failing');
    const current = { id: idOf(0), integration_id: integration };
    await accept('webhook.failing', { payload: { webhook: { current, previous: {} } } });
    expect(webhooksOf()).toEqual([1]);
  });

  it('is sent at once also if its payload is stored in parts', async () => {
    const large = { post: { current: { title: 'x'.repeat(5000) }, previous: {} } };
    const event = given(1);
    const items = [payload, large].map((payload) => ({ id: undefined, event, payload }));
    const [one, other] = await publishEvents('p', items, rules, now);
    const sent = aws.sent();
    expect(sent).toMatchObject([
      { queue: 'deliveries', body: { event_id: one?.id } },
      { queue: 'deliveries', body: { event_id: other?.id, body_hash: bodyHash('p', other?.id ?? '') } },
    ]);
    expect(sent[1]?.body).not.toHaveProperty('payload');
    expect(aws.read({ pk: `EVENT_BODY#${bodyHash('p', other?.id ?? '')}`, sk: 'EVENT' })).toMatchObject({
      payload: '',
      parts: { count: 1 },
    });
    expect(vi.mocked(count).mock.calls).toEqual([['EventsAccepted', 2]]);
  });
});

describe('an event with more than fifty subscribers', () => {
  it('is sent to the first fifty directly and to the rest through the events queue', async () => {
    const event = given(120);
    await accept(event);
    const sent = aws.sent();
    expect(webhooksOf(sent)).toEqual(numbers(50));
    expect(sent.at(-1)).toEqual({
      queue: 'events',
      body: { format: 1, kind: 'page', body_hash: hash, place: { list: event, after: idOf(49) } },
      delaySeconds: undefined,
      group: 'p',
    });
    await work(sent);
    expect(webhooksOf()).toEqual(numbers(70, 50));
    expect(body()).toMatchObject({ next_page: 'none' });
  });

  it('counts as one event', async () => {
    await accept(given(120));
    await work(aws.sent());
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['accepted', 1, now]]);
  });

  it('is refused if the queue does not take the rest, and reaches everyone when published again', async () => {
    const event = given(60);
    // Logged when the first deliveries are sent.
    vi.spyOn(log, 'add').mockImplementation((fields) => {
      if ('deliveries' in fields) aws.fail('SendMessageBatchCommand');
    });
    await expect(accept(event)).rejects.toMatchObject({ status: 503 });
    aws.sent();
    await accept(event);
    await work();
    const again = aws.sent();
    await work(again);
    expect(webhooksOf([...again, ...aws.sent()])).toEqual(numbers(60));
  });
});

describe('the events queue', () => {
  it.each([
    ['the subscribers cannot be read', 'QueryCommand', false],
    ['the event cannot be stored', 'PutCommand', false],
    ['the answer of the table is lost', 'PutCommand', true],
  ] as const)("gets an event if %s, and the queue's worker sends it to the subscribers", async (_, request, after) => {
    const warn = vi.spyOn(log, 'warn');
    aws.fail(request, { after });
    const event = given(2);
    await accept(event);
    expect(warn).toHaveBeenCalledWith(expect.any(String), expect.objectContaining({ error: expect.any(Error) }));
    const sent = aws.sent();
    expect(sent).toMatchObject([{ queue: 'events', body: { kind: 'event', id: 'e1', event }, group: 'p' }]);
    await work(sent);
    expect(webhooksOf()).toEqual([0, 1]);
  });

  it('gets the first pages of a request that the lane does not take, except those without subscribers', async () => {
    aws.fail('SendMessageBatchCommand');
    const events = [given(60), given(0)];
    const items = events.map((event) => ({ id: undefined, event, payload }));
    await publishEvents('p', items, rules, now);
    const sent = aws.sent();
    expect(sent).toMatchObject([{ queue: 'events', group: 'p', body: { kind: 'page', place: { list: events[0] } } }]);
    await work(sent);
    expect(webhooksOf()).toEqual(numbers(50));
  });
});

it('publishing returns 503 if neither the lanes nor the events queue accept the event', async () => {
  const event = given(1);
  aws.fail('SendMessageBatchCommand');
  aws.fail('SendMessageBatchCommand');
  await expect(accept(event)).rejects.toMatchObject({ status: 503 });
  expect(count).not.toHaveBeenCalled();
  await accept(event);
  await work();
  expect(webhooksOf()).toEqual([0]);
});

describe('publishing an event id again', () => {
  it('delivers the first event if the function was killed before it sent that event', async () => {
    const event = given(2);
    await acceptAndKill(event);
    vi.setSystemTime(now + 3 * second);
    expect(await accept(event)).toEqual([{ id: 'e1', event, created_at: iso(now) }]);
    const sent = aws.sent();
    // Not before the request that stored it has ended.
    expect(sent).toEqual([{ queue: 'events', body: { format: 1, ...firstPage(event) }, delaySeconds: 7, group: 'p' }]);
    expect(vi.mocked(count).mock.calls).toEqual([['EventsAccepted', 0]]);
    await work(sent);
    expect(webhooksOf()).toEqual([0, 1]);
  });

  it('with another payload is logged and counted, and delivers the first event', async () => {
    const event = given(1);
    await acceptAndKill(event);
    await accept(event, { payload: { post: { current: {}, previous: {} } } });
    expect(vi.mocked(count).mock.calls).toEqual([['EventIdsReused'], ['EventsAccepted', 0]]);
    await work();
    expect(webhooksOf()).toEqual([0]);
    expect(body().payload).toBe(JSON.stringify(payload));
  });

  it('repeats the same messages once at most', async () => {
    const event = given(2);
    await accept(event);
    const first = aws.sent();
    vi.setSystemTime(now + 10 * second);
    await accept(event);
    const again = aws.sent();
    expect(again).toMatchObject([{ queue: 'events', delaySeconds: 0 }]);
    await work(again);
    expect(aws.sent()).toEqual(first);
    await work(again);
    await accept(event);
    expect(aws.sent()).toEqual([]);
  });

  it('does not deliver to webhooks that were created more than a minute after the first event', async () => {
    const event = given(1);
    await accept(event);
    aws.sent();
    for (const [number, createdAt] of [minute, minute + 1].entries())
      aws.put(subscriberKey(event, idOf(8 + number, createdAt)), {
        webhook_id: idOf(8 + number, createdAt),
        integration_id: integration,
      });
    vi.setSystemTime(now + day);
    await accept(event);
    await work();
    expect(webhooksOf()).toEqual([0, 8]);
  });

  it('sends nothing once the deliveries of the first event may have left the log', async () => {
    const event = given(1);
    await accept(event);
    aws.sent();
    vi.setSystemTime(now + rules.keepDays * day);
    expect(await accept(event)).toMatchObject([{ created_at: iso(now) }]);
    expect(aws.sent()).toEqual([]);
    vi.setSystemTime(now + rules.keepDays * day - 1);
    await accept(event);
    expect(aws.sent()).toMatchObject([{ body: { kind: 'page' } }]);
  });

  it('in two simultaneous requests makes one event, which is delivered even if one request is killed', async () => {
    const event = given(2);
    // Both requests have found no stored event. The other one stores its event and is then killed.
    aws.before(
      'PutCommand',
      async () => {
        aws.fail('SendMessageBatchCommand');
        aws.fail('SendMessageBatchCommand');
        await expect(publishEvents('p', [{ id: 'e1', event, payload }], rules, now - 5)).rejects.toThrow();
      },
      1,
    );
    expect(await accept(event)).toEqual([{ id: 'e1', event, created_at: iso(now - 5) }]);
    expect(vi.mocked(count).mock.calls).toEqual([['EventsAccepted', 0]]);
    const sent = aws.sent();
    expect(sent).toMatchObject([{ queue: 'events', body: { kind: 'page' } }]);
    await work(sent);
    expect(webhooksOf()).toEqual([0, 1]);
  });

  it('in two simultaneous requests with different payloads is logged and counted', async () => {
    const event = given(1);
    const other = { post: { current: {}, previous: {} } };
    aws.before('PutCommand', () => publishEvents('p', [{ id: 'e1', event, payload: other }], rules, now), 1);
    await accept(event);
    expect(vi.mocked(count).mock.calls).toContainEqual(['EventIdsReused']);
    expect(body().payload).toBe(JSON.stringify(other));
  });

  it('delivers the first event if that was queued and the function that stored it was killed', async () => {
    const event = given(2);
    await acceptAndKill(event);
    const accepted_at = iso(now);
    await fanOut({ kind: 'event', id: 'e1', publisher: 'p', event, accepted_at, payload, owner: 'another' }, rules);
    expect(webhooksOf()).toEqual([0, 1]);
  });
});
