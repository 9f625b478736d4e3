/** Webhooks that fail, ask for a pause or hang: their deliveries are deferred, none is lost, and others don't wait. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { day, minute, second } from '../../shared/foundation/clock.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { eventual } from '../support/eventual.ts';
import { freshStack } from '../support/parts.ts';
import { type ReceiverWith, receiversWith } from '../support/receiver-with.ts';
import { stopTime } from '../support/test-time.ts';

// The deadline is out of reach, so that a busy machine ends no attempt. `deliver-hangs.test.ts` tests the deadline.
const stack = await freshStack({ deliveries: { slowAfterMs: 10_000 } });
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const { messagesFor, attempt, row, rows, tamper, record } = tools;
const starting = receiversWith(tools);

const random = vi.spyOn(Math, 'random');
beforeEach(() => {
  random.mockReturnValue(0.5);
});
const { pass, opened } = stopTime();

const receiverWith = async (...args: Parameters<typeof starting>) => opened(await starting(...args));
/** Returns the health in the record of the webhook at a path. */
const healthOf = async (receiver: ReceiverWith, path?: string) =>
  ((await record(await receiver.hook(path)))?.health ?? {}) as Record<string, unknown>;
const setHealth = async (receiver: ReceiverWith, health: object) =>
  tamper(webhookKey((await receiver.hook()) as WebhookId), {
    health: { ...(await healthOf(receiver)), ...health },
    health_revision: 'another',
  });

type Message = Awaited<ReturnType<typeof messagesFor>>[number];
const rowOf = async ({ webhook_id, delivery_id }: Message) => {
  const found = (await rows(webhook_id)).find(({ id }) => id === delivery_id);
  if (found === undefined) throw new Error('The delivery has no row.');
  return found;
};
const waitOf = async (message: Message) => Date.parse(String((await rowOf(message)).next_attempt_at)) - Date.now();
const work = (...messages: Message[]) => stack.work('slow-deliveries', messages);

/** Starts a receiver with a webhook whose circuit breaker has just opened. */
const brokenReceiver = async () => {
  const receiver = await receiverWith(500);
  await work(...(await receiver.messages(5)));
  await stack.take('slow-deliveries');
  return receiver;
};

describe('the circuit breaker', () => {
  it('opens for five seconds after five failures in a row, and the table stores that', async () => {
    const receiver = await receiverWith(500);
    await work(...(await receiver.messages(4)));
    expect(await healthOf(receiver)).toEqual({ failures: 4 });
    await work(await receiver.message());
    expect(await healthOf(receiver)).toMatchObject({ open_until: Date.now() + 5 * second, openings: 1 });
  });

  it('counts the failures that concurrent Lambda instances see', async () => {
    const receiver = await receiverWith(500);
    await work(...(await receiver.messages(2)));
    const message = await receiver.message();
    // Four concurrent environments, none of which has read the failures of the others.
    const rivals = await receiver.messages(3);
    await Promise.all([message, ...rivals].map((one) => work(one)));
    expect(await healthOf(receiver)).toMatchObject({ openings: 1, open_until: Date.now() + 5 * second });
  });

  it("counts a failure once if the table's response to the write is lost", async () => {
    const receiver = await receiverWith(500);
    const message = await receiver.message();
    stack.faults.set({
      faults: [{ fault: 'reset', function: 'deliveries/deliver', action: 'UpdateItem', after: true, times: 1 }],
    });
    await work(message);
    stack.faults.set({ faults: [] });
    expect(await healthOf(receiver)).toEqual({ failures: 1 });
    await stack.take('slow-deliveries');
  });

  it('stays closed if a success interrupts the failures', async () => {
    const receiver = await receiverWith(500);
    await work(...(await receiver.messages(4)));
    receiver.behaviour.status = 204;
    await work(await receiver.message());
    receiver.behaviour.status = 500;
    await work(...(await receiver.messages(4)));
    expect(await healthOf(receiver)).toEqual({ failures: 4 });
  });

  it.each([400, 404, 422, 429])('does not open for a %i, because such a receiver works', async (status) => {
    const receiver = await receiverWith(status);
    await work(...(await receiver.messages(6)));
    expect(await healthOf(receiver)).not.toHaveProperty('open_until');
  });

  it('makes deliveries wait while it is open: the log shows the reason, and no message is queued', async () => {
    const receiver = await brokenReceiver();
    const message = await receiver.message();
    expect(await attempt(message)).toBeUndefined();
    expect(receiver.arrived()).toHaveLength(5);
    expect(await rowOf(message)).toMatchObject({
      status: 'pending',
      attempts: 0,
      log: [],
      last_attempt_at: null,
      next_attempt_at: null,
      waiting_for: { reason: 'circuit_breaker', until: null },
    });
  });

  it('is separate for each webhook, even for two with the same receiver', async () => {
    const receiver = await brokenReceiver();
    await work(await receiver.message('/other'));
    expect(receiver.arrived('/other')).toHaveLength(1);
  });

  it('allows one probe after its wait, and a successful probe closes it for all deliveries', async () => {
    const receiver = await brokenReceiver();
    const messages = await receiver.messages(3);
    await work(...messages);
    receiver.behaviour.status = 200;
    const hook = await receiver.hook();
    const look = (await stack.take('replays')).find(({ body }) => body.waiting === hook);
    expect(look?.delaySeconds).toBe(5);
    pass(6 * second);
    await stack.work('replays', [look?.body]);
    const probe = await stack.take('slow-deliveries');
    expect(probe).toHaveLength(1);
    await work(...probe.map(({ body }) => body));
    expect(receiver.arrived()).toHaveLength(6);
    expect(await healthOf(receiver)).toEqual({});
    await stack.work(
      'replays',
      (await stack.take('replays')).map(({ body }) => body),
    );
    await work(...(await stack.take('slow-deliveries')).map(({ body }) => body));
    for (const message of messages) expect(await rowOf(message)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('allows one probe in total if two Lambda instances ask at the same time', async () => {
    const receiver = await brokenReceiver();
    const [one, other] = await receiver.messages(2);
    if (one === undefined || other === undefined) throw new Error('two messages');
    pass(6 * second);
    await Promise.all([work(one), work(other)]);
    expect(receiver.arrived()).toHaveLength(6);
    const states = await Promise.all([one, other].map(async (message) => (await rowOf(message)).waiting_for?.reason));
    expect(states.toSorted()).toEqual(['circuit_breaker', 'schedule']);
    await stack.take('slow-deliveries');
  });

  it('opens for twice as long after each failed probe, up to fifteen minutes', async () => {
    const receiver = await brokenReceiver();
    const waits: number[] = [];
    for (let probe = 0; probe < 10; probe++) {
      pass(Number((await healthOf(receiver)).open_until) - Date.now());
      await work(await receiver.message());
      waits.push((Number((await healthOf(receiver)).open_until) - Date.now()) / second);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
    expect(receiver.arrived()).toHaveLength(5 + 10);
    await stack.take('slow-deliveries');
  });

  it('allows the next delivery to probe if the first probe was killed', async () => {
    const receiver = await brokenReceiver();
    const message = await receiver.message();
    pass(6 * second);
    // Another environment has claimed the probe and was killed.
    await setHealth(receiver, { probe_until: Date.now() + 5.5 * second });
    await attempt(message);
    expect(receiver.arrived()).toHaveLength(5);
    await stack.take('replays');
    pass(6 * second);
    await stack.work('replays', [{ waiting: message.webhook_id }]);
    await work(...(await stack.take('slow-deliveries')).map(({ body }) => body));
    expect(receiver.arrived()).toHaveLength(6);
    await stack.take('slow-deliveries');
  });
});

describe('a webhook whose receiver requests a pause', () => {
  it.each([
    ['429 with Retry-After', 429, { 'Retry-After': '60' }, 60],
    ['503 with Retry-After', 503, { 'Retry-After': '60' }, 60],
    ['429 without it', 429, {}, 30],
  ])('receives nothing until the requested time: %s', async (_, status, headers, seconds) => {
    const receiver = await receiverWith(status);
    receiver.behaviour.headers = headers;
    await work(await receiver.message());
    expect(await healthOf(receiver)).toMatchObject({ not_before: Date.now() + seconds * second });
    receiver.behaviour.status = 200;
    await stack.take('slow-deliveries');
    const other = await receiver.message();
    const next = await attempt(other);
    expect(receiver.arrived()).toHaveLength(1);
    expect(await rowOf(other)).toMatchObject({
      status: 'pending',
      attempts: 0,
      waiting_for: { reason: 'retry_after', until: new Date(Date.now() + seconds * second).toISOString() },
    });
    expect(await waitOf(other)).toBeGreaterThanOrEqual(seconds * second);
    pass(await waitOf(other));
    await work(next?.body as Message);
    expect(await rowOf(other)).toMatchObject({ status: 'delivered', attempts: 1, waiting_for: null });
  });

  it('waits in the table if the pause exceeds the maximum delay of a message', async () => {
    const receiver = await receiverWith(503);
    receiver.behaviour.headers = { 'Retry-After': '7200' };
    const asked = await receiver.message();
    await work(asked);
    // Its next attempt is beyond the maximum delay of a queue: the sweep will send it.
    expect(await stack.take('slow-deliveries')).toEqual([]);
    expect((await rowOf(asked)).due_at).toBe((await rowOf(asked)).next_attempt_at);
    expect(await waitOf(asked)).toBeGreaterThanOrEqual(7200 * second);
    const other = await receiver.message();
    expect(await attempt(other)).toBeUndefined();
    expect((await rowOf(other)).due_at).toBe((await rowOf(other)).next_attempt_at);
    expect(await waitOf(other)).toBeGreaterThanOrEqual(15 * minute);
    expect(await waitOf(other)).toBeLessThan(7200 * second);
  });

  it.each([429, 503])(
    'pauses for at most 15 minutes after a %i, but the answered delivery waits up to a day',
    async (status) => {
      const receiver = await receiverWith(status);
      receiver.behaviour.headers = { 'Retry-After': '31536000' };
      const asked = await receiver.message();
      await work(asked);
      expect(await healthOf(receiver)).toMatchObject({ not_before: Date.now() + 15 * minute });
      // Jitter adds at most a tenth, and never shortens the wait.
      expect(await waitOf(asked)).toBeGreaterThanOrEqual(day);
      expect(await waitOf(asked)).toBeLessThanOrEqual(1.1 * day);

      receiver.behaviour.status = 200;
      pass(15 * minute);
      const other = await receiver.message();
      await work(other);
      expect(await rowOf(other)).toMatchObject({ status: 'delivered' });
      expect(await rowOf(asked)).toMatchObject({ status: 'retrying', attempts: 1 });
    },
  );
});

describe('a receiver that hangs', () => {
  it('does not delay what is recorded about other webhooks of its batch', async () => {
    const hanging = await receiverWith('hang');
    const well = await receiverWith(200);
    const failing = await receiverWith(500);
    const [stuck, done, failed] = [await hanging.message(), await well.message(), await failing.message()];
    let isOver = false;
    const batch = work(stuck, done, failed).then(() => {
      isOver = true;
    });
    await eventual(async () => {
      expect(await rowOf(done)).toMatchObject({ status: 'delivered' });
      expect(await rowOf(failed)).toMatchObject({ status: 'retrying' });
      expect(await healthOf(failing)).toMatchObject({ failures: 1 });
    });
    expect(isOver).toBe(false);
    hanging.release();
    await batch;
    expect(await rowOf(stuck)).toMatchObject({ status: 'delivered' });
    await stack.take('slow-deliveries');
  });
});

describe('internal errors', () => {
  it('make only their own message fail, so that it is received again', async () => {
    const receiver = await receiverWith();
    const [first, second_] = await receiver.messages(2);
    if (first === undefined || second_ === undefined) throw new Error('two messages');
    // An invalid time in the stored event can only be an internal error.
    await tamper({ pk: `EVENT_BODY#${second_.body_hash}`, sk: 'EVENT' }, { created_at: '\n' });
    expect(await work(first, second_)).toEqual([1]);
    expect(await row(first.webhook_id)).toMatchObject({ id: first.delivery_id, status: 'delivered' });
  });
});
