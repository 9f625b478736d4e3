/** The time limit of a delivery starts with its first attempt: no attempt is lost, and no delivery fails without one. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { day, hour, second } from '../../shared/foundation/clock.ts';
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
    for (let round = 0; round < 60; round++) {
      const { next_attempt_at } = (await rowNow()) ?? {};
      pass(next_attempt_at == null ? 0 : Date.parse(next_attempt_at) - Date.now());
      // Every other time, a later delivery has just found the receiver still down.
      if (round % 2 === 1) await stack.work('slow-deliveries', [await receiver.message()]);
      await stack.work('slow-deliveries', [round === 0 ? message : await tools.next(message)]);
      await stack.take('slow-deliveries');
      if ((await rowNow())?.status !== 'retrying') break;
    }
    expect(await rowNow()).toMatchObject({ status: 'failed', attempts: 10 });
  });
});

describe('a delivery whose time limit has passed', () => {
  it('is held if it had no attempt yet, so that a replay can send it', async () => {
    const receiver = await started(500);
    const messages = await receiver.messages(6);
    const last = messages.pop();
    await stack.work('slow-deliveries', messages);
    await stack.take('slow-deliveries');
    // The first deferral starts the time limit.
    await stack.work('slow-deliveries', [last]);
    await stack.take('slow-deliveries');
    pass(4 * day);
    // Another delivery finds the receiver still down.
    await stack.work('slow-deliveries', [await receiver.message()]);
    await stack.work('slow-deliveries', [await tools.next(last as DeliveryBody)]);
    await stack.take('slow-deliveries');
    const rows = await tools.rows(last?.webhook_id ?? '');
    const found = rows.find(({ id }) => id === last?.delivery_id);
    expect(found).toMatchObject({ status: 'held', attempts: 0, next_attempt_at: null });
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
