/** A fan-out to more subscribers than one page or one run can serve: it stops by the clock, resumes at its cursor, and reaches each subscriber once. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { takeLog } from '../support/log-lines.ts';
import { freshStack } from '../support/parts.ts';
import { addSubscribers } from '../support/subscribers.ts';

process.env.LOG_LEVEL = 'INFO';
const { lines } = takeLog();
const stack = await freshStack({ ownEvents: ['shop.order.paid'] });
const keys = await stack.seed();
const { publish } = deliveryTools(stack, keys);

/** Five pages. */
const subscribers = 2100;
/** How long a killed run holds its lease. */
const leaseMs = 6000;

await addSubscribers(stack, 'shop.order.paid', subscribers);

const accept = async (): Promise<object> => {
  await throughTheQueue(stack, () => publish('shop.order.paid'));
  const [message] = await stack.take('events');
  return message?.body;
};
const sent = async (): Promise<string[]> =>
  [...(await stack.take('deliveries')), ...(await stack.take('slow-deliveries'))].flatMap(({ body }) =>
    unpack(body).map(({ webhook_id }) => webhook_id),
  );
const timesMet = (ids: readonly string[]) => {
  const times = new Map<string, number>();
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  return { met: times.size, mostOften: Math.max(...times.values()) };
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  stack.faults.set({ faults: [] });
  await stack.take('events');
  await sent();
});

describe('a long fan-out', () => {
  it('hands the rest to another run well before its timeout, and reaches each subscriber once', async () => {
    const slowly = () => vi.setSystemTime(Date.now() + 200);
    subscribe('http.client.request.created', slowly);
    try {
      let messages: readonly unknown[] = [await accept()];
      for (let runs = 0; messages.length > 0; runs++) {
        expect(runs).toBeLessThan(10);
        const began = Date.now();
        expect(await stack.work('events', messages)).toEqual([]);
        expect(Date.now() - began).toBeLessThan(25_000);
        messages = (await stack.take('events')).map(({ body }) => body);
      }
    } finally {
      unsubscribe('http.client.request.created', slowly);
    }
    expect(timesMet(await sent())).toEqual({ met: subscribers, mostOften: 1 });
  });

  it('is not taken over after a kill while the first run could still be alive', async () => {
    const event = await accept();
    await stack.send('events', event);
    stack.faults.set({
      faults: [{ fault: 'kill', function: 'deliveries/fan-out', times: 1, action: 'UpdateItem', call: 2 }],
    });
    await stack.drain('events');
    await sent();
    expect(await stack.drain('events')).toEqual({ succeeded: 1, failed: 0 });
    expect(lines().map(({ level }) => level)).not.toContain('ERROR');
    expect(await sent()).toEqual([]);
    // The message waits in the queue for the end of the lease.
    const [waiting, ...others] = await stack.take('events');
    expect(others).toEqual([]);
    expect(waiting?.delaySeconds).toBeGreaterThan(4);
    expect(waiting?.delaySeconds).toBeLessThanOrEqual(6);
    vi.setSystemTime(Date.now() + leaseMs);
    await stack.work('events', [waiting?.body]);
    expect(timesMet(await sent())).toEqual({ met: subscribers - 550, mostOften: 1 });
  });

  it.each([
    ['while it sends its third page', { action: 'Query', call: 4 }],
    ['while it sends its second page', { action: 'SendMessageBatch', call: 4 }],
  ])('resumes after the last saved page if it was killed %s', async (_, where) => {
    await stack.send('events', await accept());
    stack.faults.set({ faults: [{ fault: 'kill', function: 'deliveries/fan-out', times: 1, ...where }] });
    expect(await stack.drain('events')).toEqual({ succeeded: 0, failed: 1 });
    const before = await sent();
    vi.setSystemTime(Date.now() + leaseMs);
    expect(await stack.drain('events')).toEqual({ succeeded: 1, failed: 0 });
    const after = await sent();
    expect(new Set([...before, ...after]).size).toBe(subscribers);
    // At most the page that was being sent is repeated.
    expect(before.filter((id) => after.includes(id)).length).toBeLessThanOrEqual(500);
  });

  it('runs once if two messages of the same event arrive at the same time', async () => {
    const event = await accept();
    const failures = await Promise.all([stack.work('events', [event]), stack.work('events', [event])]);
    expect(failures).toEqual([[], []]);
    expect(timesMet(await sent())).toEqual({ met: subscribers, mostOften: 1 });
  });

  it('does not run again, however late its message returns', async () => {
    const event = await accept();
    await stack.work('events', [event]);
    expect(await sent()).toHaveLength(subscribers);
    vi.setSystemTime(Date.now() + leaseMs);
    expect(await stack.work('events', [event])).toEqual([]);
    expect(await sent()).toEqual([]);
  });
});
