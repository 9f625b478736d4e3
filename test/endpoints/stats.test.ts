/** `GET /admin/stats/`: what was accepted, delivered and not delivered, and how long deliveries took. */
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, messagesFor, deliver, items } = deliveryTools(stack, keys);

const statuses: Readonly<Record<string, number>> = { '/failing': 500, '/gone': 410 };
const receiver = await receiveWebhooks((response, { path }) => {
  response.writeHead(statuses[path] ?? 200);
  response.end();
});
afterAll(() => receiver.close());

/** 9:41 of tomorrow: the webhooks are created today. */
const begin = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + (9 * 60 + 41) * 60_000;
const at = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });
/** Each test has a week of its own. */
let weeks = 0;
const startOfTest = () => begin + weeks * 14 * 86_400_000;
beforeEach(() => {
  weeks++;
  at(startOfTest());
});
afterEach(async () => {
  await stack.take('slow-deliveries');
  vi.useRealTimers();
  stack.faults.set({ faults: [] });
});

const read = async (query = '?period=hour') => {
  const answer = await stack.call('stats/read', { path: `/admin/stats/${query}`, key: keys.owner });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.stats[0];
};

await webhook(`${receiver.origin}/healthy`, { event: 'post.added' });
await webhook(`${receiver.origin}/healthy`, { event: 'tag.added' });
await webhook(`${receiver.origin}/failing`, { event: 'tag.added' });

const none = { accepted: 0, delivered: 0, retrying: 0, failed: 0, held: 0 };
const noLatency = { p50_ms: null, p95_ms: null };

describe('GET /admin/stats/', () => {
  it('counts an event, its delivery and its failed attempt in the current bucket', async () => {
    const messages = await messagesFor('tag.added');
    at(startOfTest() + 1000);
    await stack.work('deliveries', messages);
    const { buckets, latency, ...stats } = await read();
    expect(stats).toEqual({
      ...{ ...none, accepted: 1, delivered: 1, retrying: 1 },
      period: 'hour',
      since: new Date(startOfTest() - 56 * 60_000).toISOString(),
      until: new Date(startOfTest() + 4 * 60_000).toISOString(),
    });
    expect(buckets).toHaveLength(12);
    expect(buckets.at(-1)).toMatchObject({ accepted: 1, delivered: 1, retrying: 1 });
    expect(buckets.at(-2)).toEqual({
      start: new Date(startOfTest() - 6 * 60_000).toISOString(),
      ...none,
      latency: noLatency,
    });
    // From the acceptance to the delivery it took one second.
    for (const ms of Object.values(latency)) expect(Math.abs(Number(ms) - 1000)).toBeLessThan(200);
  });

  it('stores the counts of a batch of deliveries in one write', async () => {
    await deliver('post.added');
    await Promise.all(Array.from({ length: 4 }, () => publish('post.added')));
    await stack.drain('events');
    const messages = (await stack.take('deliveries')).map(({ body }) => body);
    const calls = () => stack.counts().functions['deliveries/deliver']?.calls['dynamodb:UpdateItem'] ?? 0;
    const before = calls();
    await stack.work('deliveries', messages);
    // The deliveries themselves are put, not updated.
    expect(calls() - before).toBe(1);
    expect(await read()).toMatchObject({ accepted: 5, delivered: 5 });
  });

  it('counts once if an event is published again or a message is received again', async () => {
    await publish('post.added', { id: 'again' });
    const [event] = (await stack.take('events')).map(({ body }) => body);
    await stack.work('events', [event]);
    await stack.work('events', [event]);
    const messages = (await stack.take('deliveries')).map(({ body }) => body);
    await stack.work('deliveries', messages);
    await stack.work('deliveries', messages);
    expect(await read()).toMatchObject({ accepted: 1, delivered: 1 });
  });

  it('counts an event without subscribers', async () => {
    await publish('page.added');
    await stack.drain('events');
    expect(await read()).toMatchObject({ accepted: 1, delivered: 0 });
  });

  it('counts an event once even if its first delivery is retried', async () => {
    await webhook(`${receiver.origin}/failing`, { event: 'tag.edited' });
    const messages = await messagesFor('tag.edited');
    await stack.work('deliveries', messages);
    const [retry] = await stack.take('slow-deliveries');
    at(startOfTest() + 60_000);
    await stack.work('slow-deliveries', [retry?.body]);
    expect(await read()).toMatchObject({ accepted: 1, retrying: 2 });
  });

  it('counts failed and held deliveries', async () => {
    await webhook(`${receiver.origin}/gone`, { event: 'page.edited' });
    const messages = await messagesFor('page.edited');
    await stack.work('deliveries', messages);
    await stack.work(
      'deliveries',
      messages.map((message) => ({ ...message, delivery_id: 'f'.repeat(24), trigger: 'redelivery' })),
    );
    // The disabled webhook is an event of its own.
    await stack.drain('events');
    expect(await read()).toMatchObject({ failed: 1, held: 1 });
  });

  it('keeps counts whose write failed, and adds them to the counts of the next batch', async () => {
    await deliver('post.added');
    // Redeliveries are stored with PutItem, so UpdateItem is used by the counts only.
    const messages = (await messagesFor('post.added')).map((message) => ({ ...message, trigger: 'redelivery' }));
    // The SDK makes three attempts.
    stack.faults.set({
      faults: [{ fault: 'throttle', function: 'deliveries/deliver', action: 'UpdateItem', times: 3 }],
    });
    expect(await stack.work('deliveries', messages)).toEqual([]);
    expect(await read()).toMatchObject({ accepted: 2, delivered: 1 });
    stack.faults.set({ faults: [] });
    await stack.work('deliveries', await messagesFor('post.added'));
    expect(await read()).toMatchObject({ accepted: 3, delivered: 3 });
  });

  it('does not measure how long a redelivery, replay or ping took', async () => {
    const [message] = await messagesFor('post.added');
    await stack.work('deliveries', [{ ...message, trigger: 'replay' }]);
    expect(await read()).toMatchObject({ delivered: 1, latency: noLatency });
  });

  it('divides an hour, a day and a week into buckets, and omits older counts', async () => {
    await stack.work('deliveries', await messagesFor('post.added'));
    const counted = async (period: string) => {
      const { accepted, buckets } = await read(`?period=${period}`);
      const sum = buckets.reduce((total: number, bucket: { accepted: number }) => total + bucket.accepted, 0);
      expect(sum).toBe(accepted);
      return [buckets.length, accepted];
    };
    expect([await counted('hour'), await counted('day'), await counted('week')]).toEqual([
      [12, 1],
      [48, 1],
      [84, 1],
    ]);
    at(startOfTest() + 2 * 3_600_000);
    expect([await counted('hour'), await counted('day'), await counted('week')]).toEqual([
      [12, 0],
      [48, 1],
      [84, 1],
    ]);
    at(startOfTest() + 2 * 86_400_000);
    expect([await counted('hour'), await counted('day'), await counted('week')]).toEqual([
      [12, 0],
      [48, 0],
      [84, 1],
    ]);
  });

  it('includes dead letters if asked, for each queue that has some', async () => {
    expect(await read()).not.toHaveProperty('dead_letters');
    expect((await read('?include=dead_letters')).dead_letters).toEqual([]);
    await stack.sendDead('events', { id: 'lost' });
    await stack.sendDead('slow-deliveries', { id: 'lost' });
    await stack.sendDead('slow-deliveries', { id: 'lost, too' });
    expect((await read('?include=dead_letters')).dead_letters).toEqual([
      { queue: 'events', messages: 1 },
      { queue: 'slow-deliveries', messages: 2 },
    ]);
  });

  it('covers a day by default', async () => {
    expect(await read('')).toMatchObject({ period: 'day' });
  });

  it('returns 422 for an unknown period', async () => {
    const answer = await stack.call('stats/read', { path: '/admin/stats/?period=year', key: keys.owner });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'period' });
  });

  it('returns 403 to an integration and to an Author, because it covers all integrations', async () => {
    for (const key of [keys.integration, keys.staff.Author ?? ''])
      expect((await stack.call('stats/read', { path: '/admin/stats/', key })).status).toBe(403);
  });
});

it('counts are deleted after eight days', async () => {
  const messages = await messagesFor('post.added');
  await stack.work('deliveries', messages);
  const shards = await Promise.all(Array.from({ length: 32 }, (_, shard) => items(`STATS#${shard}`)));
  const newest = shards
    .flat()
    .map(({ expires_at }) => Number(expires_at))
    .sort()
    .at(-1);
  expect(newest).toBe(Math.floor((startOfTest() - 60_000) / 1000) + 8 * 86_400);
});
