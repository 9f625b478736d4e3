/** A delivery that is late or waits for days loses no attempt, and does not fail without one. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { day, hour, minute, second } from '../../shared/foundation/clock.ts';
import { type DeliveryBody, deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiversWith } from '../support/receiver-with.ts';
import { stopTime } from '../support/test-time.ts';

const stack = await freshStack({ deliveries: { keepDays: 1, disableAfterDays: 60 } });
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const receiverWith = receiversWith(tools);

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
const { pass, opened } = stopTime();
const started = async (status: number) => opened(await receiverWith(status));

/** Processes messages until none comes back within the maximum delay of the queue. */
const workThrough = async (messages: readonly { readonly body: DeliveryBody; readonly delaySeconds: number }[]) => {
  let waiting = [...messages];
  for (let round = 0; waiting.length > 0 && round < 50; round++) {
    pass(Math.max(...waiting.map(({ delaySeconds }) => delaySeconds)) * second);
    await stack.work(
      'slow-deliveries',
      waiting.map(({ body }) => body),
    );
    waiting = [...(await stack.take('slow-deliveries'))];
  }
};

describe('dead letters that are moved back after five days', () => {
  it('are all delivered, even if the first response is a 429 with Retry-After', async () => {
    const receiver = await started(200);
    const messages = await receiver.messages(20);
    pass(5 * day);
    Object.assign(receiver.behaviour, { status: 429, headers: { 'Retry-After': '1' } });
    await stack.work('slow-deliveries', messages.slice(0, 1));
    Object.assign(receiver.behaviour, { status: 200, headers: {} });
    const retry = await stack.take('slow-deliveries');
    await stack.work('slow-deliveries', messages.slice(1));
    await workThrough([...retry, ...(await stack.take('slow-deliveries'))]);
    const rows = await tools.rows(await receiver.hook());
    expect(rows.map(({ status }) => status)).toEqual(Array(20).fill('delivered'));
    expect(receiver.arrived()).toHaveLength(21);
  });
});

describe('Retry-After', () => {
  it('extends the retry schedule, whose ten attempts all take place if they fit into seven days', async () => {
    const receiver = await started(500);
    receiver.behaviour.headers = { 'Retry-After': String((12 * hour) / second) };
    const message = await receiver.message();
    const rowNow = async () => (await tools.rows(message.webhook_id)).find(({ id }) => id === message.delivery_id);
    const next = async () => {
      const { next_attempt_at } = (await rowNow()) ?? {};
      if (next_attempt_at != null) {
        pass(Date.parse(next_attempt_at) - Date.now());
        return tools.next(message);
      }
      // It waits for its webhook, and is the next probe because it is the oldest delivery.
      pass(15 * minute);
      await stack.work('replays', [{ waiting: message.webhook_id }]);
      const [probe] = await stack.take('slow-deliveries');
      return probe?.body;
    };
    await stack.work('slow-deliveries', [message]);
    for (let round = 0; round < 60 && (await rowNow())?.status === 'retrying'; round++) {
      await stack.take('slow-deliveries');
      const body = await next();
      // Every other time, a later delivery has just found the receiver still down.
      if (round % 2 === 1) await stack.work('slow-deliveries', [await receiver.message()]);
      await stack.work('slow-deliveries', [body]);
    }
    expect(await rowNow()).toMatchObject({ status: 'failed', attempts: 10 });
  });
});

describe('a delivery that waits for its webhook', () => {
  it('waits for longer than its schedule takes, and arrives when the receiver is back', async () => {
    const receiver = await started(500);
    const messages = await receiver.messages(6);
    const last = messages.pop();
    const rowNow = async () => (await tools.rows(last?.webhook_id ?? '')).find(({ id }) => id === last?.delivery_id);
    await stack.work('slow-deliveries', messages);
    await stack.work('slow-deliveries', [last]);
    pass(4 * day);
    await stack.work('slow-deliveries', [await receiver.message()]);
    expect(await rowNow()).toMatchObject({
      status: 'pending',
      attempts: 0,
      waiting_for: { reason: 'circuit_breaker' },
    });
    receiver.behaviour.status = 200;
    await stack.take('slow-deliveries');
    for (let step = 0; step < 5 && (await rowNow())?.status === 'pending'; step++) {
      pass(15 * minute);
      await stack.work('replays', [{ waiting: last?.webhook_id }]);
      await stack.drain('slow-deliveries');
    }
    expect(await rowNow()).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});

describe('the record of a delivery', () => {
  it('expires long after its latest change, so that no delivery is deleted while it is retried', async () => {
    const receiver = await started(500);
    const message = await receiver.message();
    pass(6 * day);
    await stack.work('slow-deliveries', [message]);
    await stack.take('slow-deliveries');
    const { status, expires_at } = await tools.row(message.webhook_id);
    expect(status).toBe('retrying');
    expect(expires_at * second).toBeGreaterThan(Date.now() + 4 * day);
  });
});
