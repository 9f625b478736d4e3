/** The sweep sends due items whose wait was longer than a message can be delayed, and those whose message was lost. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, messagesFor, attempt, next, row, rows, tamper, put, items } = deliveryTools(stack, keys);

const second = 1000;
const minute = 60 * second;

const random = vi.spyOn(Math, 'random');
const open: { close(): unknown }[] = [];
let now = Date.now();
beforeEach(() => {
  random.mockReturnValue(0.5);
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  now = Date.now();
  vi.useRealTimers();
  for (const receiver of open.splice(0)) receiver.close();
});
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** Returns what the sweep sends for this webhook; webhooks of earlier tests are due too. */
const sweptFor = async (webhookId: string) => {
  await stack.invoke('due/sweep', {});
  return (await stack.take('slow-deliveries'))
    .map(({ body }) => body)
    .filter(({ webhook_id }) => webhook_id === webhookId);
};

const hook = async (...statuses: number[]) => {
  const receiver = await receiveWebhooks((response) => {
    response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200);
    response.end();
  });
  open.push(receiver);
  const { id } = await webhook(`${receiver.origin}/hook`);
  const message = (await messagesFor()).find((candidate) => candidate.webhook_id === id);
  if (message === undefined) throw new Error('The webhook has no message.');
  // What the sweep sends has ids only.
  const { payload: _payload, ...ids } = message;
  return { id, message: ids, origin: receiver.origin, arrived: receiver.deliveries };
};

describe('the sweep', () => {
  it('sends a retry once, when it is due, if its wait exceeds the maximum delay of a message', async () => {
    const { id, message, arrived } = await hook(500, 500, 500, 200);
    await attempt(message);
    pass(5 * second);
    await attempt(await next(message));
    pass(5 * minute);
    expect(await attempt(await next(message))).toBeUndefined();
    pass(30 * minute - 1);
    expect(await sweptFor(id)).toEqual([]);
    pass(1);
    const [due] = await sweptFor(id);
    expect(due).toEqual(await next(message));
    // The queue has the message, however long it waits there.
    expect(await row(id)).not.toHaveProperty('due_at');
    await attempt(due);
    expect(arrived).toHaveLength(4);
    expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 4 });
  });

  it('has nothing to do for a wait whose message the queue delays', async () => {
    const { id, message } = await hook(500);
    await attempt(message);
    pass(60 * minute);
    expect(await sweptFor(id)).toEqual([]);
  });

  it('restarts the release of waiting deliveries if its message was lost', async () => {
    const { id, message, arrived } = await hook(200);
    const key = webhookKey(id as WebhookId);
    await tamper(key, { health: { openings: 1, open_until: Date.now() + 10 * minute }, health_revision: 'r' });
    await attempt(message);
    // The write that closed the circuit breaker was carried out, and its environment was killed.
    const releasing = new Date(Date.now()).toISOString();
    const lost = { health: {}, backlog: true, releasing, due: 'DUE#2', due_at: new Date(Date.now()).toISOString() };
    await tamper(key, lost);
    await stack.take('replays');
    await stack.invoke('due/sweep', {});
    const sent = (await stack.take('replays')).map(({ body }) => body);
    expect(sent).toEqual([{ waiting: id, releasing, isLast: true }]);
    await stack.take('slow-deliveries');
    await stack.work('replays', sent);
    const [released] = await stack.take('slow-deliveries');
    await attempt(released?.body);
    expect(arrived).toHaveLength(1);
  });

  it('does not send finished deliveries', async () => {
    const { id, message } = await hook(500, 200);
    await attempt(message);
    pass(5 * second);
    await attempt(await next(message));
    pass(60 * minute);
    expect(await sweptFor(id)).toEqual([]);
    expect(await row(id)).not.toHaveProperty('due_at');
  });

  it('removes a finished delivery from the index of due items without sending it', async () => {
    const { id, message } = await hook(200);
    await attempt(message);
    const { pk, sk } = (await row(id)) as unknown as { pk: string; sk: string };
    await tamper({ pk, sk }, { due: 'DUE#3', due_at: new Date(Date.now() - minute).toISOString() });
    expect(await sweptFor(id)).toEqual([]);
    const [item] = (await items(pk)).filter((one) => one.sk === sk);
    expect(item).not.toHaveProperty('due_at');
  });

  it('sends hundreds of deliveries in one run', async () => {
    const { id, message } = await hook(500);
    await attempt(message);
    const known = (await row(id)) as unknown as { pk: string; sk: string };
    const due_at = new Date(Date.now() - minute).toISOString();
    await put(
      Array.from({ length: 450 }, (_, index) => {
        const id = index.toString(16).padStart(24, '0');
        return { ...known, sk: `DELIVERY#${id}`, id, due: `DUE#${index % 3}`, due_at };
      }),
    );
    expect(new Set((await sweptFor(id)).map(({ delivery_id }) => delivery_id)).size).toBe(450);
    expect(await rows(id)).toHaveLength(451);
  });
});
