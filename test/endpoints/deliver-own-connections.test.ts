/** Deliveries that wait for a free connection to a host: this time is ours, and does not count as the receiver's. */
import { expect, it } from 'vitest';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { eventual } from '../support/eventual.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, record, rows } = deliveryTools(stack, keys);

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

it('the log shows that a delivery waits for its turn while ten others use all connections to its host', async () => {
  const answer = Promise.withResolvers<void>();
  const receiver = await receiveWebhooks((response) => void answer.promise.then(() => response.end()));
  const hooks: string[] = [];
  for (let number = 0; number < 11; number++)
    hooks.push((await webhook(`${receiver.origin}/${number}`, { event: 'post.added' })).id);
  await publish('post.added');
  const messages = (await stack.take('deliveries')).map(({ body }) => body);
  const working = stack.work('deliveries', messages);
  const reasons = async () => (await Promise.all(hooks.map(rows))).flat().map(({ waiting_for }) => waiting_for?.reason);
  await eventual(async () => expect((await reasons()).toSorted()).toEqual([...Array(10).fill('answer'), 'turn']));
  answer.resolve();
  expect(await working).toEqual([]);
  expect(await reasons()).toEqual(Array(11).fill(undefined));
  expect(receiver.deliveries).toHaveLength(11);
  receiver.close();
});
