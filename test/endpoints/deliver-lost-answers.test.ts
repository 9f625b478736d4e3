/** Lost responses of the table: the SDK repeats a write, whose first try must not count as another request's. */
import { afterEach, expect, it, vi } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiversWith } from '../support/receiver-with.ts';

const stack = await freshStack();
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const receiverWith = receiversWith(tools);

afterEach(() => {
  stack.faults.set({ faults: [] });
  vi.restoreAllMocks();
});

it("a retry is sent even if the table's response to the record of the attempt was lost", async () => {
  // Without jitter.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const receiver = await receiverWith(500);
  const message = await receiver.message();
  stack.faults.set({
    faults: [{ fault: 'reset', function: 'deliveries/deliver', action: 'PutItem', after: true, times: 1 }],
  });
  await stack.work('slow-deliveries', [message]);
  receiver.close();
  expect(await tools.row(message.webhook_id)).toMatchObject({ status: 'retrying', attempts: 1 });
  expect(await stack.take('slow-deliveries')).toMatchObject([{ body: { attempt: 2 } }]);
});
