import { expect, it } from 'vitest';
import { receiveWebhooks } from '../support/parts-receiver.ts';

it('a new receiver never has the URL of a closed one, whose webhooks may still be in the table', async () => {
  const origins = [];
  for (let number = 0; number < 500; number++) {
    const receiver = await receiveWebhooks();
    origins.push(receiver.origin);
    receiver.close();
  }
  expect(new Set(origins).size).toBe(500);
});
