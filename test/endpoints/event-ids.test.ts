/** Publishers' event ids: a repeated request returns the first event, and another event with a known id is logged. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { takeLog } from '../support/log-lines.ts';
import { freshStack } from '../support/parts.ts';
import type { WaitingMessage } from '../support/parts-queues.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

process.env.LOG_LEVEL = 'INFO';
process.env.METRICS_NAMESPACE = 'Masthead';
const stack = await freshStack();
const keys = await stack.seed();
const log = takeLog();

const publish = (id: string, title: string, event = 'post.published') =>
  stack.call('events/publish', {
    path: '/admin/events/',
    key: keys.integration,
    body: { events: [{ id, event, payload: { post: { current: { title }, previous: {} } } }] },
  });
const reported = () => log.lines().filter(({ message }) => message?.startsWith('An event id was used again'));
/** Returns the messages of new events. */
const events = (messages: readonly WaitingMessage[]) => messages.filter(({ body }) => body.kind !== 'page');
const counted = () => log.lines().reduce((sum, { EventIdsReused = 0 }) => sum + EventIdsReused, 0);

it.each([
  ['in the queue', 'order-0', () => throughTheQueue(stack, () => publish('order-0', 'Hello'))],
  ['and sent', 'order-1', () => publish('order-1', 'Hello')],
])('publishing the same event again returns the first event, which was stored %s', async (_, id, publishFirst) => {
  const first = await publishFirst();
  await stack.drain('events');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
  const again = await publish(id, 'Hello');
  vi.useRealTimers();
  expect(again.status).toBe(202);
  expect(again.body).toEqual(first.body);
  expect(events(await stack.take('events'))).toEqual([]);
  expect(reported()).toEqual([]);
});

it.each([
  ['another payload', 'order-3', 'Goodbye', 'post.published'],
  ['another name', 'order-4', 'Hello', 'post.edited'],
])('publishing %s under a known id returns the first event, and is logged and counted', async (_, id, title, event) => {
  const first = await publish(id, 'Hello');
  await stack.drain('events');
  const other = await publish(id, title, event);
  expect(other.body).toEqual(first.body);
  expect(events(await stack.take('events'))).toEqual([]);
  expect(reported()).toEqual([expect.objectContaining({ level: 'WARN', event_id: id })]);
  expect(counted()).toBe(1);
});

it('publishing two events with one id is logged and counted, even before the first is fanned out', async () => {
  await throughTheQueue(stack, async () => {
    await publish('order-2', 'Hello');
    await publish('order-2', 'Goodbye');
  });
  await stack.drain('events');
  expect(reported()).toEqual([expect.objectContaining({ level: 'WARN', event_id: 'order-2' })]);
  expect(counted()).toBe(1);
});

describe('two publishers that give their events the same id', async () => {
  const { webhook, deliver } = deliveryTools(stack, keys);
  /** The titles of the events that the receiver has processed, by the id that it remembers. */
  const processed = new Map<string, string>();
  const receiver = await receiveWebhooks((response, { headers, body }) => {
    const id = headers['masthead-event-id'] ?? '';
    if (!processed.has(id)) processed.set(id, JSON.parse(body).post.current.title);
    response.end();
  });
  afterAll(() => receiver.close());
  const list = (event_id: string) =>
    stack.call('deliveries/list-all', {
      path: `/admin/deliveries/?${new URLSearchParams({ event_id })}`,
      key: keys.owner,
    });

  it('reach a receiver that processes each event once', async () => {
    await webhook(`${receiver.origin}/hook`);
    await deliver('post.published', { id: 'Größe 17', title: 'of an integration' });
    await deliver('post.published', { id: 'Größe 17', title: 'of the Owner', key: keys.owner });
    expect([...processed.values()]).toEqual(['of an integration', 'of the Owner']);
  });

  it('are found by their common id, and each by the id that the receiver has logged', async () => {
    const found = async (id: string) => (await list(id)).body.deliveries;
    const both = await found('Größe 17');
    expect(both.map(({ event_id }: { event_id: string }) => event_id)).toEqual(['Größe 17', 'Größe 17']);
    const [first, second] = [...processed.keys()];
    expect([...(await found(second ?? '')), ...(await found(first ?? ''))]).toEqual(both);
  });
});
