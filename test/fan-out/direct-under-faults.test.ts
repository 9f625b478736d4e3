/** Direct fan-out on the stack reaches every subscriber, wherever the function is killed or a response is lost. */
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Faults } from '../../infra/emulator/proxy/faults.ts';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { InvocationKilled } from '../support/parts-proxy.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { addSubscribers } from '../support/subscribers.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, tamper } = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());

const many = 120;
await addSubscribers(stack, 'page.published', many);

await webhook(`${receiver.origin}/normal`);
const slow = await webhook(`${receiver.origin}/slow`);
await tamper(webhookKey(slow.id as WebhookId), { health: { slow_until: Date.now() + 3_600_000, slowings: 1 } });
for (const path of ['/first', '/second']) await webhook(`${receiver.origin}${path}`, { event: 'tag.added' });

beforeEach(() => {
  // The SDK can wait for seconds between its attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  stack.faults.set({ faults: [] });
  vi.restoreAllMocks();
});

type Fault = Parameters<Faults['set']>[0]['faults'][number];
const inject = (...faults: Fault[]) => stack.faults.set({ faults });
let published = 0;
const newTitle = () => `event-${published++}`;
/** Publishes an event like a publisher that repeats what was not accepted; returns how often it was sent. */
const insist = async (title: string, event = 'post.published'): Promise<number> => {
  for (let times = 1; times < 5; times++) {
    try {
      const { status, body } = await publish(event, { id: title, title });
      if (status === 202) {
        expect(body.events).toMatchObject([{ id: title, event }]);
        return times;
      }
      expect(status).toBe(503);
    } catch (error) {
      expect(error).toBeInstanceOf(InvocationKilled);
    }
  }
  throw new Error('The event was not accepted.');
};
const deliverAll = async () => {
  stack.faults.set({ faults: [] });
  await stack.drain('deliveries');
  await stack.drain('slow-deliveries');
  const bodies = (await stack.take('events')).map(({ body }) => body);
  if (bodies.length > 0) expect(await stack.work('events', bodies)).toEqual([]);
  await stack.drain('deliveries');
  await stack.drain('slow-deliveries');
  return bodies;
};
const receivedBy = (title: string) =>
  receiver.deliveries.flatMap(({ path, body }) => (body.includes(`"${title}"`) ? [path] : [])).toSorted();
const everyone = ['/normal', '/slow'];

it('an event reaches both lanes without a message in the events queue', async () => {
  const title = newTitle();
  expect(await insist(title)).toBe(1);
  expect(await deliverAll()).toEqual([]);
  expect(receivedBy(title)).toEqual(everyone);
});

it('an event without subscribers is stored', async () => {
  const { status } = await publish('member.deleted', { id: 'nothing' });
  expect(status).toBe(202);
  expect(await deliverAll()).toEqual([]);
  expect((await publish('member.deleted', { id: 'nothing' })).status).toBe(202);
  expect(await deliverAll()).toMatchObject([{ kind: 'page' }]);
  expect((await publish('member.deleted', { id: 'nothing' })).status).toBe(202);
  expect(await deliverAll()).toEqual([]);
});

describe('each subscriber gets the event once if the function is killed', () => {
  const kill = (call: number, after: boolean): Fault => ({
    fault: 'kill',
    function: 'events/publish',
    call,
    after,
    times: 1,
  });
  const rows = [1, 2, 3, 4, 5, 6, 7].flatMap((call) => [
    [call, 'before', false] as const,
    [call, 'after', true] as const,
  ]);

  it.each(rows)('at call %i, %s the call is carried out', async (call, _, after) => {
    const title = newTitle();
    inject(kill(call, after));
    await insist(title);
    await deliverAll();
    expect(receivedBy(title)).toEqual(everyone);
  });

  it('between storing the event and sending it', async () => {
    const title = newTitle();
    inject({ fault: 'kill', function: 'events/publish', action: 'PutItem', after: true, times: 1 });
    expect(await insist(title)).toBe(2);
    expect(receivedBy(title)).toEqual([]);
    expect(await deliverAll()).toMatchObject([{ kind: 'page' }]);
    expect(receivedBy(title)).toEqual(everyone);
  });
});

describe('each subscriber gets the event once, although', () => {
  const lost = (action: string, times: number): Fault => ({
    fault: 'reset',
    function: 'events/publish',
    action,
    after: true,
    times,
  });
  it.each([
    ['an answer of the table is lost', lost('PutItem', 1), []],
    ['all answers of the table are lost', lost('PutItem', 3), [{ kind: 'event' }]],
    ['the subscribers cannot be read', lost('Query', 3), [{ kind: 'event' }]],
    ['an answer of the lane is lost', lost('SendMessageBatch', 1), []],
    ['all answers of the lane are lost', lost('SendMessageBatch', 3), [{ kind: 'page' }]],
    [
      'the lane first accepts a part',
      { fault: 'partial', function: 'events/publish', action: 'SendMessageBatch', times: 1 } satisfies Fault,
      [],
    ],
  ])('%s', async (_, fault, queued) => {
    const title = newTitle();
    inject(fault);
    expect(await insist(title, 'tag.added')).toBe(1);
    expect(stack.faults.struck()).toMatchObject([{ times: fault.times }]);
    expect(await deliverAll()).toMatchObject(queued);
    expect(receivedBy(title)).toEqual(['/first', '/second']);
  });

  it('no queue accepts it at first and the publisher gets 503', async () => {
    const title = newTitle();
    inject({ fault: 'throttle', function: 'events/publish', action: 'SendMessageBatch', times: 9 });
    expect(await insist(title)).toBeGreaterThan(1);
    await deliverAll();
    expect(receivedBy(title)).toEqual(everyone);
  });
});

describe('each of many subscribers gets the event if', () => {
  const rows = [
    ...[1, 2, 3, 4].map((call) => ({ function: 'events/publish', call })),
    ...[1, 2, 3].map((call) => ({ function: 'deliveries/fan-out', call })),
  ].flatMap(({ function: name, call }) => [
    { function: name, call, time: 'before', after: false },
    { function: name, call, time: 'after', after: true },
  ]);
  it.each(rows)('$function is killed at call $call, $time the call is carried out', async (where) => {
    const title = newTitle();
    inject({ fault: 'kill', function: where.function, call: where.call, after: where.after, times: 1 });
    const times = await insist(title, 'page.published');
    const sent: string[] = [];
    for (let runs = 0; runs < 3; runs++) {
      const events = (await stack.take('events')).map(({ body }) => body);
      const failed = events.length > 0 ? await stack.work('events', events) : [];
      for (const position of failed) await stack.send('events', events[position]);
      const messages = await stack.take('deliveries');
      sent.push(...messages.flatMap(({ body }) => unpack(body).map(({ webhook_id }) => webhook_id)));
    }
    expect(await stack.take('events')).toEqual([]);
    expect(stack.faults.struck()).toMatchObject([{ times: 1 }]);
    expect(new Set(sent).size).toBe(many);
    // If the publisher sent the event only once, at most one page is sent again.
    if (times === 1) expect(sent.length).toBeLessThanOrEqual(many + 70);
  });
});
