/** Deliveries that wait for a free connection to a host: this time is ours, and does not count as the receiver's. */
import { expect, it } from 'vitest';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, record } = deliveryTools(stack, keys);

it('40 healthy webhooks of one host stay in the normal lane although they share ten connections', async () => {
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
