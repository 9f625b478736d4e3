/** Deliveries that wait for one of our own connections to a host: that is our time, and not the receiver's. */
import { expect, it } from 'vitest';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, record } = deliveryTools(stack, keys);

it('leaves 40 healthy webhooks of one host that answers in 300 ms in the normal lane', async () => {
  const receiver = await receiveWebhooks((response) => void setTimeout(() => response.end(), 300));
  const hooks = [];
  for (let number = 0; number < 40; number++) hooks.push((await webhook(`${receiver.origin}/${number}`)).id);
  for (const id of ['first', 'second']) {
    await publish('post.published', { id });
    const messages = (await stack.take('deliveries')).map(({ body }) => body);
    // One batch: four times as many requests as there are connections to a host.
    expect(messages.flatMap((body) => unpack(body))).toHaveLength(40);
    expect(await stack.work('deliveries', messages)).toEqual([]);
    expect(await stack.take('slow-deliveries')).toEqual([]);
  }
  const records = await Promise.all(hooks.map(record));
  expect(records.filter((one) => one?.health !== undefined)).toEqual([]);
  expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(80);
  receiver.close();
});
