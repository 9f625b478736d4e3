/** The id of an event connects its log lines, from the request that published it to every attempt of its deliveries. */
import { afterAll, expect, it, vi } from 'vitest';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { takeLog } from '../support/log-lines.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

process.env.LOG_LEVEL = 'INFO';
const stack = await freshStack();
const { webhook, deliver, rows } = deliveryTools(stack, await stack.seed());
const receiver = await receiveWebhooks((response, { path }) => {
  response.writeHead(path === '/bad' ? 500 : 200, { 'Retry-After': '1800' });
  response.end();
});
afterAll(() => receiver.close());

const { text, lines } = takeLog();

it("the log lines of an event's request and attempts contain the event's id, but neither URL nor payload", async () => {
  const good = await webhook(`${receiver.origin}/good`);
  await webhook(`${receiver.origin}/bad`);

  const event = await deliver('post.published', { title: 'A title that no log contains' });

  const story = lines().filter((line) => JSON.stringify(line).includes(event));
  expect(story.map(({ message }) => message).sort()).toEqual(['answered', 'delivered', 'not delivered']);
  expect(story).toContainEqual(expect.objectContaining({ message: 'answered', event_ids: [event], deliveries: 2 }));
  expect(story).toContainEqual(
    expect.objectContaining({ message: 'not delivered', event_id: event, status: 'retrying', last_status: '500' }),
  );
  const [delivery] = await rows(good.id);
  expect(story).toContainEqual(
    expect.objectContaining({
      message: 'delivered',
      deliveries: [{ event_id: event, delivery_id: delivery?.id, webhook_id: good.id, attempts: 1 }],
    }),
  );
  expect(text()).not.toContain('title that no log contains');
  expect(text()).not.toContain(receiver.origin);
});

it("the log line of an event's fan-out contains the event's id if the event was queued", async () => {
  await webhook(`${receiver.origin}/good`, { event: 'page.added' });
  const event = await throughTheQueue(stack, () => deliver('page.added'));
  const story = lines().filter((line) => JSON.stringify(line).includes(event));
  expect(story.map(({ message }) => message).sort()).toEqual([
    'An event goes to the queue: it could not be stored',
    'answered',
    'delivered',
    'fanned out',
  ]);
  expect(story).toContainEqual(expect.objectContaining({ message: 'fanned out', event_id: event, deliveries: 1 }));
});

it('the log of the sweep has the number of due items that it checked', async () => {
  await webhook(`${receiver.origin}/bad`, { event: 'tag.added' });
  await deliver('tag.added');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  await stack.invoke('due/sweep', {});
  vi.useRealTimers();
  expect(lines()).toContainEqual(
    expect.objectContaining({ message: 'checked due items', checked: expect.any(Number) }),
  );
});
