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

  it('waits for a response that takes far longer than usual, and sends only this request meanwhile', async () => {
    const receiver = await started();
    for (let event = 0; event < 10; event++) await stack.work('slow-deliveries', [await receiver.message()]);
    receiver.behaviour.status = 'hang';
    const message = await receiver.message();
    const others = await receiver.messages(3);
    const delivering = stack.work('deliveries', [message]);
    // The response is late: the webhook moves to the slow lane, and the attempt continues.
    await eventual(async () => {
      expect(receiver.arrived()).toHaveLength(11);
      expect(await tools.record(message.webhook_id)).toMatchObject({ health: { slowings: 1 } });
    });
    // Meanwhile the others wait, in this lane and in the slow one.
    await stack.work('slow-deliveries', others);
    expect(receiver.arrived()).toHaveLength(11);
    receiver.release();
    await delivering;
    const row = (await tools.rows(message.webhook_id)).find(({ id }) => id === message.delivery_id);
    expect(row).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(receiver.arrived()).toHaveLength(11);
  });
});

describe('the slow lane', () => {
  it('gets the deliveries of a webhook that was late, until its time there is over', async () => {
    const receiver = await started();
    const health = { slow_until: Date.now() + 60 * second, slowings: 1 };
    await tools.tamper(webhookKey((await receiver.hook()) as WebhookId), { health, health_revision: 'one' });
    await stack.work('deliveries', [await receiver.message()]);
    expect(receiver.arrived()).toHaveLength(0);
    await stack.work(
      'slow-deliveries',
      (await stack.take('slow-deliveries')).map(({ body }) => body),
    );
    expect(receiver.arrived()).toHaveLength(1);
    pass(60 * second);
    await stack.work('deliveries', [await receiver.message()]);
    expect(receiver.arrived()).toHaveLength(2);
  });
});
