/** Two Lambda instances process the same message at the same time: neither undoes what the other has recorded. */
import { afterAll, afterEach, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

// The deadline is out of reach: on a busy machine, the second instance may begin long after the first one.
const stack = await freshStack({ deliveries: { slowAfterMs: 10_000 } });
const keys = await stack.seed();
const { webhook, publish, row } = deliveryTools(stack, keys);

/** Ends the responses that wait, in the order of the requests. */
const waiting: ((body: string) => void)[] = [];
const receiver = await receiveWebhooks((response) => {
  waiting.push((body) => response.end(body));
});
afterAll(() => receiver.close());
afterEach(() => stack.faults.set({ faults: [] }));

const longResponse = 'x'.repeat(300);

it('a success stays recorded if the second instance is killed while it records a long response', async () => {
  // A host that has answered with success: at another one, the second request might have to wait for its turn.
  await webhook(`${receiver.origin}/first`, { event: 'tag.added' });
  await publish('tag.added');
  const welcome = stack.drain('deliveries');
  await receiver.received('/first', 1);
  waiting.shift()?.('ok');
  await welcome;

  const { id } = await webhook(`${receiver.origin}/hook`);
  expect((await publish()).status).toBe(202);
  const bodies = (await stack.take('deliveries')).map(({ body }) => body);
  const runs = [stack.work('deliveries', bodies), stack.work('deliveries', bodies)];
  await receiver.received('/hook', 2);
  const [first, second] = waiting.splice(0);
  first?.('ok');
  // The first one to end has recorded its success.
  expect(await Promise.race(runs)).toEqual([]);
  expect(await row(id)).toMatchObject({ status: 'delivered' });
  stack.faults.set({
    faults: [{ fault: 'kill', function: 'deliveries/deliver', action: 'BatchWriteItem', times: 1 }],
  });
  second?.(longResponse);
  await Promise.allSettled(runs);
  expect(stack.faults.struck()).toMatchObject([{ times: 1 }]);
  expect(await row(id)).toMatchObject({ status: 'delivered' });

  // The message of the killed instance is visible again.
  const again = stack.work('deliveries', bodies);
  await Promise.race([again, receiver.received('/hook', 3)]);
  expect(receiver.deliveries.filter(({ path }) => path === '/hook')).toHaveLength(2);
  expect(await again).toEqual([]);
});
