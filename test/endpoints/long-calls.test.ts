/** How soon the messages of a killed function are visible again if the function runs for a long time. */
import { expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { eventual } from '../support/eventual.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const { webhook, publish } = deliveryTools(stack, await stack.seed());

it("a queue hides messages only until shortly after the function's own timeout", async () => {
  const answer = Promise.withResolvers<void>();
  const receiver = await receiveWebhooks((response) => void answer.promise.then(() => response.end()));
  await webhook(`${receiver.origin}/hook`);
  await publish();
  const drained = stack.drain('deliveries');
  // Lambda hides the message for 180 s. A second after the start, the function shortens that to its last 29 s plus ten.
  await eventual(async () => {
    const [hidden] = await stack.hiddenSeconds('deliveries');
    expect(hidden).toBeLessThanOrEqual(41);
  });
  answer.resolve();
  expect(await drained).toEqual({ succeeded: 1, failed: 0 });
  receiver.close();
});
