/** The two lanes: the normal one for most webhooks, the slow one for webhooks with slow receivers. */
import { afterEach, describe, expect, it } from 'vitest';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { hour, second } from '../../shared/foundation/clock.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { eventual } from '../support/eventual.ts';
import { freshStack } from '../support/parts.ts';
import { receiversWith } from '../support/receiver-with.ts';
import { stopTime } from '../support/test-time.ts';

const stack = await freshStack({ deliveries: { timeoutMs: 11_000 } });
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const receiverWith = receiversWith(tools);

const { pass, opened } = stopTime();
afterEach(async () => {
  await stack.take('slow-deliveries');
  await stack.take('deliveries');
});
const started = async (...args: Parameters<typeof receiverWith>) => opened(await receiverWith(...args));
/** Returns the queue of the webhook's next event. */
const laneOf = async (webhook: string) => {
  await tools.publish();
  await stack.drain('events');
  const lanes = new Map<string, string>();
  for (const queue of ['deliveries', 'slow-deliveries'] as const)
    for (const { body } of await stack.take(queue))
      for (const { webhook_id } of unpack(body)) lanes.set(webhook_id, queue);
  return lanes.get(webhook);
};

describe('the normal lane', () => {
  it('serves a webhook that never had a delivery', async () => {
    const receiver = await started();
    expect(await laneOf(await receiver.hook())).toBe('deliveries');
  });

  it('serves a webhook that had no delivery for hours', async () => {
    const receiver = await started();
    await stack.work('deliveries', await receiver.messages(1));
    pass(5 * hour);
    expect(await laneOf(await receiver.hook())).toBe('deliveries');
  });

  it('waits for a response that takes far longer than usual, and sends the request once', async () => {
    const receiver = await started();
    for (let event = 0; event < 10; event++) await stack.work('slow-deliveries', [await receiver.message()]);
    receiver.behaviour.status = 'hang';
    const message = await receiver.message();
    const delivering = stack.work('deliveries', [message]);
    // The response is late: the webhook moves to the slow lane, and the attempt continues.
    await eventual(async () => {
      expect(receiver.arrived()).toHaveLength(11);
      expect(await tools.record(message.webhook_id)).toMatchObject({ health: { lane: 'slow' } });
    });
    receiver.release();
    await delivering;
    const row = (await tools.rows(message.webhook_id)).find(({ id }) => id === message.delivery_id);
    expect(row).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(receiver.arrived()).toHaveLength(11);
  });
});

describe('in the slow lane', () => {
  it.each([
    ['two at a time while other webhooks wait', { others: 11, posted: 2, afterMs: 10 * second }],
    ['eight at a time while no other webhook waits', { others: 0, posted: 8, afterMs: 60 * second }],
  ])('the deliveries of one webhook take turns: %s', async (_, { others, posted, afterMs }) => {
    const receiver = await started();
    await stack.work('deliveries', [await receiver.message()]);
    // The length of the lane is read again after a while.
    pass(afterMs);
    // The receiver of this webhook usually takes ten seconds.
    const health = { lane: 'slow', slow_since: Date.now(), usual_ms: 10 * second };
    await tools.tamper(webhookKey((await receiver.hook()) as WebhookId), { health, health_revision: 'another' });
    const before = receiver.arrived().length;
    const messages = await receiver.messages(10);
    for (let other = 0; other < others; other++) await stack.send('slow-deliveries', messages[0]);
    receiver.behaviour.status = 'hang';
    let over = 0;
    const batches = messages.map(async (message) => {
      await stack.work('slow-deliveries', [message]);
      over += 1;
    });
    // The batches without a turn end at once.
    await eventual(() => expect(over).toBe(10 - posted));
    receiver.behaviour.status = 200;
    receiver.release();
    await Promise.all(batches);
    // Deliveries without a turn come back later.
    expect(receiver.arrived().length - before).toBe(posted);
    const waiting = (await stack.messages('slow-deliveries')).slice(others);
    expect(waiting).toHaveLength(10 - posted);
    for (const { delaySeconds } of waiting) expect(delaySeconds).toBeGreaterThan(0);
  });
});
