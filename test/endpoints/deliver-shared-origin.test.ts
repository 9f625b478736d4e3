/** Webhooks of different customers at the same host: one must not delay another. */
import { describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { type Behaviour, receiversWith } from '../support/receiver-with.ts';
import { stopTime } from '../support/test-time.ts';

const stack = await freshStack({ deliveries: { timeoutMs: 2000 } });
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const receiverWith = receiversWith(tools);

const { opened } = stopTime();

describe('a healthy webhook', () => {
  it.each<[string, Partial<Behaviour>]>([
    ['fails', { status: 500 }],
    ['hangs', { status: 'hang' }],
    ['answers 429 with Retry-After', { status: 429, headers: { 'Retry-After': '900' } }],
  ])('receives its events at once while another webhook at the same host %s', async (_, bad) => {
    const receiver = opened(await receiverWith(200));
    receiver.behave('/bad', bad);
    await receiver.hook('/good');
    await stack.work('slow-deliveries', await receiver.messages(6, '/bad'));
    await stack.take('slow-deliveries');
    const events = await receiver.messages(3, '/good');
    await stack.work('deliveries', events);
    const [after, ...others] = await stack.take('slow-deliveries');
    // If the whole host were in the slow lane, these deliveries would be handed over to it.
    if (after !== undefined)
      await stack.work(
        'slow-deliveries',
        [after, ...others].map(({ body }) => body),
      );
    expect(receiver.arrived('/good')).toHaveLength(3);
    const rows = await tools.rows(await receiver.hook('/good'));
    expect(rows.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(Array(3).fill('delivered 1'));
  });
});
