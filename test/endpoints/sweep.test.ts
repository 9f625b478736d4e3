/** The sweep sends due items whose message was lost or whose wait was longer than a message can be delayed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, messagesFor, attempt, row, rows, tamper, put, items } = deliveryTools(stack, keys);

const second = 1000;
const minute = 60 * second;

const random = vi.spyOn(Math, 'random');
const open: { close(): unknown }[] = [];
// Time must not go back between tests, because the sweep remembers when the lane was short.
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

/** Creates a webhook whose receiver returns this answer, and the message of an event. */
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
  it('sends a retry whose message was lost, three minutes after the retry was due', async () => {
    const { id, message, arrived } = await hook(500, 200);
    // Killed between the record of the attempt and the message for the next one: `attempt` removes that message.
    await attempt(message);
    pass(5 * second + 3 * minute - 1);
    expect(await sweptFor(id)).toEqual([]);
    pass(1);
    const found = await sweptFor(id);
    expect(found).toEqual([{ ...message, first: undefined, attempt: 2 }]);
    await attempt(found[0]);
    expect(arrived).toHaveLength(2);
    expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('sends a retry when it is due if its wait exceeds the maximum delay of a message', async () => {
    const { id, message } = await hook(500, 500, 500, 200);
    await attempt(message);
    pass(5 * second);
    await attempt({ ...message, attempt: 2 });
    pass(5 * minute);
    await attempt({ ...message, attempt: 3 });
    pass(30 * minute - 1);
    expect(await sweptFor(id)).toEqual([]);
    pass(1);
    const [next] = await sweptFor(id);
    expect(next).toEqual({ ...message, first: undefined, attempt: 4 });
    await attempt(next);
    expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 4 });
  });

  it('sends a delivery that waits for a circuit breaker before its first attempt', async () => {
    const { id, message } = await hook(200);
    const health = { openings: 1, open_until: Date.now() + minute };
    await tamper(webhookKey(id as WebhookId), { health, health_revision: 'r' });
    await attempt(message);
    expect(await row(id)).toMatchObject({ status: 'pending', attempts: 0 });
    pass(10 * minute);
    const [next] = await sweptFor(id);
    expect(next).toEqual(message);
    await attempt(next);
    expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('sends an item again some minutes later, in case that message is lost too', async () => {
    const { id, message } = await hook(500);
    await attempt(message);
    pass(5 * minute);
    expect(await sweptFor(id)).toHaveLength(1);
    expect(await sweptFor(id)).toEqual([]);
    pass(minute);
    expect(await sweptFor(id)).toEqual([]);
    pass(5 * minute);
    expect(await sweptFor(id)).toEqual([{ ...message, attempt: 2 }]);
  });

  describe('while the slow lane has a backlog', () => {
    /** Due retries of a webhook, whose messages are lost; returns their ids. */
    const retries = async (count: number) => {
      const { id, message } = await hook(500);
      await attempt(message);
      const known = (await row(id)) as unknown as { pk: string; sk: string };
      const ids = Array.from({ length: count }, (_, index) => index.toString(16).padStart(24, '0'));
      await put(ids.map((id) => ({ ...known, sk: `DELIVERY#${id}`, id })));
      return { id, ids: [...ids, message.delivery_id] };
    };
    const waiting = async (id: string): Promise<string[]> => {
      const messages = await stack.messages('slow-deliveries');
      return messages.flatMap(({ body }) => (body.webhook_id === id ? [body.delivery_id] : []));
    };
    /** Sweeps every minute for so long. */
    const sweepFor = async (minutes: number) => {
      for (let passed = 0; passed < minutes; passed++) {
        await stack.invoke('due/sweep', {});
        pass(minute);
      }
    };
    beforeEach(() => stack.take('slow-deliveries'));

    it('sends each delivery once, however long its message waits in the lane', async () => {
      const { id, ids } = await retries(110);
      pass(4 * minute);
      await sweepFor(20);
      expect((await waiting(id)).toSorted()).toEqual(ids.toSorted());
    });

    it('sends no second message for a delivery that a worker has queued', async () => {
      const { id } = await retries(3);
      await Promise.all(Array.from({ length: 101 }, () => stack.send('slow-deliveries', { webhook_id: 'other' })));
      pass(4 * minute);
      await sweepFor(20);
      expect(await waiting(id)).toEqual([]);
    });

    it('sends a lost delivery within seven minutes after the backlog is gone', async () => {
      const { id, ids } = await retries(110);
      pass(4 * minute);
      await sweepFor(14);
      await stack.take('slow-deliveries');
      await sweepFor(7);
      expect((await waiting(id)).toSorted()).toEqual(ids.toSorted());
    });

    it('sends a delivery once more after it has waited for six hours', async () => {
      const { id, ids } = await retries(110);
      pass(4 * minute);
      await sweepFor(8);
      pass(6 * 60 * minute);
      await sweepFor(14);
      expect((await waiting(id)).toSorted()).toEqual([...ids, ...ids].toSorted());
    });
  });

  it('restarts the release of waiting deliveries if its message was lost', async () => {
    const { id, message, arrived } = await hook(200);
    const key = webhookKey(id as WebhookId);
    await tamper(key, { health: { openings: 1, open_until: Date.now() + 10 * minute }, health_revision: 'r' });
    await attempt(message);
    // The write that closed the circuit breaker was carried out, and its environment was killed.
    const recovering = new Date(Date.now()).toISOString();
    const lost = { health: {}, backlog: true, recovering, due: 'DUE#2', due_at: new Date(Date.now()).toISOString() };
    await tamper(key, lost);
    await stack.take('replays');
    await stack.invoke('due/sweep', {});
    const sent = (await stack.take('replays')).map(({ body }) => body);
    expect(sent).toEqual([{ recovered: id, recovered_at: Date.parse(recovering) }]);
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
    await attempt({ ...message, attempt: 2 });
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
    expect(Date.parse(String(item?.due_at))).toBe(Date.now() + 6 * minute);
  });

  it('sends hundreds of deliveries in one run', async () => {
    const { id, message } = await hook(500);
    await attempt(message);
    const known = (await row(id)) as unknown as { pk: string; sk: string };
    await put(
      Array.from({ length: 450 }, (_, index) => {
        const id = index.toString(16).padStart(24, '0');
        return { ...known, sk: `DELIVERY#${id}`, id, due: `DUE#${index % 3}` };
      }),
    );
    pass(10 * minute);
    expect(new Set((await sweptFor(id)).map(({ delivery_id }) => delivery_id)).size).toBe(451);
    expect(await rows(id)).toHaveLength(451);
  });
});
