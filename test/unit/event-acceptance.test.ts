/** Accepting events: what is sent and stored, repeated ids, large payloads and the rate limit of publishers. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewEvent } from '../../shared/events/schema.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { iso, now, second } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
const settings = {
  stage: 'test',
  publication: { name: 'Test', url: 'http://localhost' },
  mail: { from: 'desk@example.com' },
  publishing: { requestsPerCallerAndMinute: 2 },
};
Object.assign(process.env, { ...aws.environment, SETTINGS: JSON.stringify(settings) });
vi.mock('../../shared/aws/metrics.ts', () => ({ count: vi.fn() }));
vi.mock('../../shared/events/store.ts', async (original) => ({
  ...(await original<object>()),
  keepEventBody: () => Promise.reject(new Error('The event is not stored.')),
}));
const { publishEvents } = await import('../../shared/deliveries/publish/publish.ts');
const { maxPayload, storePayload, withPayloads } = await import('../../shared/events/parts.ts');
const { countPublication } = await import('../../shared/events/publisher-limit.ts');
const { bodyHash } = await import('../../shared/events/event.ts');
const { count } = await import('../../shared/aws/metrics.ts');
const { log } = await import('../../shared/aws/log.ts');

stopTime(now);
beforeEach(() => {
  vi.clearAllMocks();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const payload = { post: { current: { title: 'Hello' }, previous: {} } };
const input = (changes: Partial<NewEvent> = {}): NewEvent => ({
  id: undefined,
  event: 'post.published',
  payload,
  ...changes,
});
/** Publishes events; storing them fails here, so they go to the queue. */
const accept = (...items: NewEvent[]) => publishEvents('p', items, { keepDays: 40, retryAfterSeconds: [0] }, now);
/** Stores the body of an event of the publisher, as the fan-out does. */
const store = (id: string, changes: object = {}) =>
  aws.put(
    { pk: `EVENT_BODY#${bodyHash('p', id)}`, sk: 'EVENT' },
    {
      id,
      publisher: 'p',
      event: 'post.published',
      created_at: iso(now - 5000),
      payload: JSON.stringify(payload),
      owner: 'first',
      next_page: 'none',
      expires_at: now / second + 1,
      ...changes,
    },
  );

describe('accepted events', () => {
  it('go to the queue, in the group of their publisher, and are returned in the answer', async () => {
    const add = vi.spyOn(log, 'add');
    const accepted = await accept(input({ id: 'e1' }), input());
    expect(accepted).toEqual([
      { id: 'e1', event: 'post.published', created_at: iso(now) },
      { id: expect.stringMatching(/^[0-9a-f]{24}$/), event: 'post.published', created_at: iso(now) },
    ]);
    const body = {
      format: 1,
      kind: 'event',
      publisher: 'p',
      event: 'post.published',
      accepted_at: iso(now),
      payload,
      owner: expect.stringMatching(/^[0-9a-f]{24}$/),
    };
    const sent = aws.sent();
    expect(sent).toEqual(
      accepted.map(({ id }) => ({ queue: 'events', body: { ...body, id }, delaySeconds: undefined, group: 'p' })),
    );
    expect(new Set(sent.map(({ body: { owner } }) => owner)).size).toBe(2);
    expect(vi.mocked(count).mock.calls).toEqual([['EventsAccepted', 2]]);
    // Makes the logs searchable by event id.
    expect(add).toHaveBeenCalledWith({ event_ids: accepted.map(({ id }) => id) });
  });
});

describe('a repeated event id', () => {
  it.each([
    ['another payload', { payload: { post: { current: {}, previous: {} } } }],
    ['another event', { event: 'post.added' }],
  ])('with %s is logged and counted, and gets the answer for the original event', async (_, changes) => {
    const warn = vi.spyOn(log, 'warn');
    store('e1');
    expect(await accept(input({ id: 'e1', ...changes }))).toEqual([
      { id: 'e1', event: 'post.published', created_at: iso(now - 5000) },
    ]);
    expect(aws.sent()).toEqual([]);
    expect(warn).toHaveBeenCalledWith(expect.any(String), { event_id: 'e1' });
    expect(vi.mocked(count).mock.calls).toContainEqual(['EventIdsReused']);
  });
});

describe('a large payload', () => {
  /** A payload whose JSON has this many bytes. */
  const sized = (bytes: number) => {
    const empty = { post: { current: { title: '' }, previous: {} } };
    const rest = bytes - JSON.stringify(empty).length;
    const title = 'é'.repeat(Math.floor(rest / 2)) + 'x'.repeat(rest % 2);
    return { post: { current: { title }, previous: {} } };
  };

  it('of more than 4 KB is stored in the table before its event is sent', async () => {
    const [{ id = '' } = {}] = await accept(input({ payload: sized(4097) }));
    const hash = bodyHash('p', id);
    const [{ body } = { body: {} }] = aws.sent();
    expect(body).toEqual({
      format: 1,
      kind: 'event',
      id,
      publisher: 'p',
      event: 'post.published',
      accepted_at: iso(now),
      owner: expect.any(String),
      payload: {},
      parts: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), count: 1 },
    });
    const { parts } = body as { parts: { hash: string } };
    const part = aws.read({ pk: `EVENT_BODY#${hash}#${parts.hash}#0`, sk: 'PART' });
    // Long enough for the event's whole life, including seven days of attempts, even if its fan-out is late.
    expect(part).toMatchObject({ expires_at: now / second + (40 + 7 + 21) * 86_400 });
  });

  it.each([
    ['is in the message if it is small', payload, undefined],
    ['outlives the queues in parts if it is large', sized(4097), now / second + (30 + 21) * 86_400],
  ])('that ends before its id %s, when the event cannot be stored', async (_, own, expires_at) => {
    const short = { keepDays: 2, retryAfterSeconds: [0] };
    const [{ id = '' } = {}] = await publishEvents('p', [input({ payload: own })], short, now);
    const [{ body } = { body: {} }] = aws.sent();
    const { parts } = body as { parts?: { hash: string } };
    if (expires_at === undefined) return expect(body).toMatchObject({ payload: own });
    expect(aws.read({ pk: `EVENT_BODY#${bodyHash('p', id)}#${parts?.hash}#0`, sk: 'PART' })).toMatchObject({
      expires_at,
    });
  });

  it('of exactly 4 KB stays in the message', async () => {
    await accept(input({ payload: sized(4096) }));
    expect(aws.sent()).toMatchObject([{ body: { kind: 'event' } }]);
  });

  it('is split into as many parts as it needs, and read back in one request', async () => {
    // Random, so that compression does not make it shorter.
    const { randomBytes } = await import('node:crypto');
    const json = JSON.stringify({ text: randomBytes(600_000).toString('base64') });
    const stored = await storePayload('h1', json, now);
    expect(stored).toEqual({ payload: '', parts: { hash: expect.any(String), count: 2 } });
    const body = { ...bodyBase, ...stored };
    const small = { ...bodyBase, payload: '{}' };
    const read = await withPayloads(
      new Map([
        ['h1', body],
        ['h2', small],
      ]),
    );
    expect([...read.keys()]).toEqual(['h1', 'h2']);
    expect(read.get('h1')).toEqual({ ...body, payload: json });
    expect(read.get('h2')).toBe(small);
    expect(aws.requests('BatchGetCommand')).toHaveLength(1);
    aws.erase({ pk: `EVENT_BODY#h1#${stored.parts?.hash}#1`, sk: 'PART' });
    expect([...(await withPayloads(new Map([['h1', body]]))).keys()]).toEqual([]);
  });

  it('is refused if it decompresses to more than the maximum payload', async () => {
    const stored = await storePayload('h3', 'x'.repeat(maxPayload), now);
    const read = async (payload: object) =>
      (await withPayloads(new Map([['h3', { ...bodyBase, payload: '', ...payload }]]))).size;
    expect(await read(stored)).toBe(1);
    const larger = await storePayload('h3', 'x'.repeat(maxPayload + 1), now);
    await expect(read(larger)).rejects.toThrow(RangeError);
  });

  const bodyBase = {
    id: 'e1',
    publisher: 'p',
    event: 'post.published',
    created_at: iso(now),
    owner: 'o',
    expires_at: 1,
  };
});

describe('a publisher', () => {
  it('may send a limited number of requests per minute, whatever other publishers send', async () => {
    await countPublication('p', now);
    await countPublication('p', now + 59_999);
    await expect(countPublication('p', now + 59_000)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('2 requests a minute'),
      help: expect.stringContaining('Retry-After'),
      headers: { 'Retry-After': '1' },
    });
    await countPublication('q', now + 59_000);
    await countPublication('p', now + 60_000);
  });
});
