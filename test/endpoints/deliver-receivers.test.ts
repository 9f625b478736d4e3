/** Receivers that fail, ask for patience or hang: they are left alone, nothing of theirs is lost, and nobody else waits for them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack({ deliveries: { timeoutMs: 500 } });
const keys = await stack.seed();
const { webhook, publish, messagesFor, attempt, row, items, tamper } = deliveryTools(stack, keys);

const second = 1000;
const minute = 60 * second;

const random = vi.spyOn(Math, 'random');
const open: { close(): unknown }[] = [];
beforeEach(() => {
  random.mockReturnValue(0.5);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
  for (const receiver of open.splice(0)) receiver.close();
});
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

interface Behaviour {
  status: number | 'hang';
  headers: Record<string, string>;
}

/** A receiver that answers as its `behaviour` says just then; `release` lets all that hang go on. */
const receiverWith = async (status: Behaviour['status'] = 200) => {
  const behaviour: Behaviour = { status, headers: {} };
  const hanging: (() => void)[] = [];
  const { origin, deliveries, close } = await receiveWebhooks((response) => {
    if (behaviour.status === 'hang') {
      hanging.push(() => response.end());
      return;
    }
    response.writeHead(behaviour.status, behaviour.headers);
    response.end();
  });
  open.push({ close });
  const hooks = new Map<string, string>();
  /** A message of a new event for the webhook at this path, which is created where it is not there. */
  const message = async (path = '/hook') => {
    const id = hooks.get(path) ?? (await webhook(`${origin}${path}`)).id;
    hooks.set(path, id);
    const found = (await messagesFor()).find((candidate) => candidate.webhook_id === id);
    if (found === undefined) throw new Error('There is no message for this webhook.');
    return found;
  };
  return {
    origin,
    arrived: deliveries,
    behaviour,
    message,
    messages: async (count: number) => {
      const found = [];
      for (let number = 0; number < count; number++) found.push(await message());
      return found;
    },
    release: () => {
      for (const end of hanging.splice(0)) end();
    },
    /** What the table knows of it. */
    known: async () => (await items(`RECEIVER#${origin}`))[0] ?? {},
  };
};

type Message = Awaited<ReturnType<typeof messagesFor>>[number];
const rowOf = async ({ webhook_id, delivery_id }: Message) => {
  const found = (await items(`WEBHOOK#${webhook_id}`)).find(({ sk }) => sk === `DELIVERY#${delivery_id}`);
  if (found === undefined) throw new Error('The delivery has no row.');
  return found;
};
const waitOf = async (message: Message) => Date.parse(String((await rowOf(message)).next_attempt_at)) - Date.now();
const work = (...messages: Message[]) => stack.work('slow-deliveries', messages);

/** A receiver whose breaker has just opened. */
const brokenReceiver = async () => {
  const receiver = await receiverWith(500);
  await work(...(await receiver.messages(5)));
  await stack.take('slow-deliveries');
  return receiver;
};

describe('the breaker', () => {
  it('opens after five failures in a row, for ten seconds, in the table where all environments see it', async () => {
    const receiver = await receiverWith(500);
    await work(...(await receiver.messages(4)));
    expect(await receiver.known()).toMatchObject({ failures: 4 });
    expect((await receiver.known()).open_until ?? 0).toBe(0);
    await work(await receiver.message());
    expect(await receiver.known()).toMatchObject({ open_until: Date.now() + 10 * second, openings: 1 });
  });

  it('counts the failures of all environments together', async () => {
    const receiver = await receiverWith(500);
    await work(...(await receiver.messages(2)));
    // Another environment has seen two more, which this one has not heard of yet.
    await tamper({ pk: `RECEIVER#${receiver.origin}`, sk: 'RECEIVER' }, { failures: 4 });
    await work(await receiver.message());
    expect(await receiver.known()).toMatchObject({ failures: 5, open_until: Date.now() + 10 * second });
  });

  it('stays closed where a success comes between', async () => {
    const receiver = await receiverWith(500);
    await work(...(await receiver.messages(4)));
    receiver.behaviour.status = 204;
    await work(await receiver.message());
    receiver.behaviour.status = 500;
    await work(...(await receiver.messages(4)));
    expect(await receiver.known()).toMatchObject({ failures: 4 });
    expect((await receiver.known()).open_until ?? 0).toBe(0);
  });

  it.each([400, 404, 422, 429])('does not open for a %i, since whoever answers that is there', async (status) => {
    const receiver = await receiverWith(status);
    await work(...(await receiver.messages(6)));
    expect((await receiver.known()).open_until ?? 0).toBe(0);
  });

  it('keeps deliveries back while it is open: no attempt, a row that waits, a message that comes later', async () => {
    const receiver = await brokenReceiver();
    const message = await receiver.message();
    const next = await attempt(message);
    expect(receiver.arrived).toHaveLength(5);
    expect(await rowOf(message)).toMatchObject({ status: 'pending', attempts: 0, log: [], last_attempt_at: null });
    // Half of the spread of half the wait.
    expect(await waitOf(message)).toBe(12.5 * second);
    expect(next).toMatchObject({ body: message, delaySeconds: 13 });
  });

  it('is one for all webhooks of the receiver, and none for another port', async () => {
    const receiver = await brokenReceiver();
    const other = await receiverWith(200);
    const [elsewhere, here] = [await other.message(), await receiver.message('/other')];
    await work(elsewhere, here);
    expect(receiver.arrived).toHaveLength(5);
    expect(other.arrived).toHaveLength(1);
    await stack.take('slow-deliveries');
  });

  it('lets one probe through when its time is over, closes when that is answered, and all the others follow', async () => {
    const receiver = await brokenReceiver();
    const messages = await receiver.messages(3);
    await work(...messages);
    await stack.take('slow-deliveries');
    receiver.behaviour.status = 200;
    pass(13 * second);
    await work(...messages);
    expect(receiver.arrived).toHaveLength(6);
    expect(await receiver.known()).toMatchObject({ open_until: 0, openings: 0, failures: 0 });
    const waiting = await stack.take('slow-deliveries');
    expect(waiting).toHaveLength(2);
    pass(30 * second);
    await work(...waiting.map(({ body }) => body));
    expect(receiver.arrived).toHaveLength(8);
    for (const message of messages) expect(await rowOf(message)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('lets one probe through of two environments', async () => {
    const receiver = await brokenReceiver();
    const [one, other] = await receiver.messages(2);
    if (one === undefined || other === undefined) throw new Error('two messages');
    pass(11 * second);
    await Promise.all([work(one), work(other)]);
    expect(receiver.arrived).toHaveLength(6);
    expect(await stack.take('slow-deliveries')).toHaveLength(2);
  });

  it('opens for twice as long after each failed probe, up to fifteen minutes', async () => {
    const receiver = await brokenReceiver();
    const waits: number[] = [];
    for (let probe = 0; probe < 9; probe++) {
      pass(Number((await receiver.known()).open_until) - Date.now());
      await work(await receiver.message());
      waits.push((Number((await receiver.known()).open_until) - Date.now()) / second);
    }
    expect(waits).toEqual([20, 40, 80, 160, 320, 640, 900, 900, 900]);
    expect(receiver.arrived).toHaveLength(5 + 9);
    await stack.take('slow-deliveries');
  });

  it('lets the next one probe where the first was killed', async () => {
    const receiver = await brokenReceiver();
    const message = await receiver.message();
    // Somebody has won the right to probe, and was never heard of again.
    const { open_until } = await receiver.known();
    await tamper(
      { pk: `RECEIVER#${receiver.origin}`, sk: 'RECEIVER' },
      { open_until: Number(open_until) + 15 * second },
    );
    pass(26 * second);
    await work(message);
    expect(receiver.arrived).toHaveLength(6);
    await stack.take('slow-deliveries');
  });

  it('ends a delivery as failed that has waited for longer than the schedule lasts', async () => {
    const receiver = await brokenReceiver();
    const message = await receiver.message();
    pass(4 * 24 * 60 * minute);
    await tamper({ pk: `RECEIVER#${receiver.origin}`, sk: 'RECEIVER' }, { open_until: Date.now() + minute });
    expect(await attempt(message)).toBeUndefined();
    expect(await rowOf(message)).toMatchObject({
      status: 'failed',
      attempts: 0,
      last_error: 'unreachable',
      next_attempt_at: null,
    });
  });
});

describe('a receiver that says «slow down»', () => {
  it.each([
    ['429 with Retry-After', 429, { 'Retry-After': '60' }, 60],
    ['503 with Retry-After', 503, { 'Retry-After': '60' }, 60],
    ['429 without it', 429, {}, 30],
  ])('by a %s gets nothing at all until then', async (_, status, headers, seconds) => {
    const receiver = await receiverWith(status);
    receiver.behaviour.headers = headers;
    await work(await receiver.message('/one'));
    expect(await receiver.known()).toMatchObject({ slow_until: Date.now() + seconds * second });
    receiver.behaviour.status = 200;
    await stack.take('slow-deliveries');
    const other = await receiver.message('/other');
    const next = await attempt(other);
    expect(receiver.arrived).toHaveLength(1);
    expect(await rowOf(other)).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await waitOf(other)).toBeGreaterThanOrEqual(seconds * second);
    pass(await waitOf(other));
    await work(next?.body as Message);
    expect(await rowOf(other)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('for longer than a message can wait is waited for in the table', async () => {
    const receiver = await receiverWith(503);
    receiver.behaviour.headers = { 'Retry-After': '7200' };
    const asked = await receiver.message();
    await work(asked);
    // Its own attempt is beyond what a queue can hold back: the sweep will find it.
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
    'with a %i is left alone for a quarter of an hour at most, while the delivery that it answered waits for as long as it asked, up to the schedule’s end',
    async (status) => {
      const receiver = await receiverWith(status);
      receiver.behaviour.headers = { 'Retry-After': '31536000' };
      const asked = await receiver.message('/asks-for-a-year');
      await work(asked);
      expect(await receiver.known()).toMatchObject({ slow_until: Date.now() + 15 * minute });
      // What is left of the default schedule after its first attempt: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.
      expect(await waitOf(asked)).toBe(272_105 * second);

      receiver.behaviour.status = 200;
      pass(15 * minute);
      const other = await receiver.message('/other');
      await work(other);
      expect(await rowOf(other)).toMatchObject({ status: 'delivered' });
      expect(await rowOf(asked)).toMatchObject({ status: 'retrying', attempts: 1 });
    },
  );

  it('counts a wait that two messages record once', async () => {
    const receiver = await receiverWith(429);
    await work(await receiver.message());
    await stack.take('slow-deliveries');
    const message = await receiver.message();
    await Promise.all([work(message), work(message)]);
    expect(await stack.take('slow-deliveries')).toHaveLength(1);
  });
});

describe('the lanes', () => {
  const laneOf = async (origin: string) => {
    await publish();
    await stack.drain('events');
    for (const queue of ['deliveries', 'slow-deliveries'] as const)
      for (const { body } of await stack.take(queue)) lanes.set(body.webhook_id, queue);
    const hook = (await items('EVENT#post.published')).find(({ receiver }) => receiver === origin);
    return lanes.get(String(hook?.webhook_id));
  };
  const lanes = new Map<string, string>();

  it('are told apart by the last answers: slow at first, fast after five quick ones', async () => {
    const receiver = await receiverWith();
    const messages = await receiver.messages(5);
    expect(await laneOf(receiver.origin)).toBe('slow-deliveries');
    await work(...messages);
    pass(second);
    expect(await laneOf(receiver.origin)).toBe('deliveries');
  });

  it('are slow again after a failure', async () => {
    const receiver = await receiverWith();
    await work(...(await receiver.messages(5)));
    receiver.behaviour.status = 500;
    await work(await receiver.message());
    pass(3 * second);
    expect(await laneOf(receiver.origin)).toBe('slow-deliveries');
  });

  it('are slow again for whoever got nothing for ten minutes: it may have to start up first', async () => {
    const receiver = await receiverWith();
    await work(...(await receiver.messages(5)));
    pass(11 * minute);
    expect(await laneOf(receiver.origin)).toBe('slow-deliveries');
  });

  it('are written when they change, and not for each quick answer', async () => {
    const receiver = await receiverWith();
    await work(...(await receiver.messages(5)));
    const known = await receiver.known();
    pass(4 * minute);
    await work(...(await receiver.messages(5)));
    expect(await receiver.known()).toEqual(known);
    pass(2 * minute);
    await work(await receiver.message());
    expect(Number((await receiver.known()).fast_until)).toBe(Date.now() + 10 * minute);
  });

  it('give a delivery over to the slow one, without an attempt, where its receiver has lost the fast one', async () => {
    const receiver = await receiverWith();
    const message = await receiver.message();
    await stack.work('deliveries', [message]);
    expect(receiver.arrived).toEqual([]);
    expect((await stack.take('slow-deliveries')).map(({ body }) => body)).toEqual([message]);
    expect(await items(`WEBHOOK#${message.webhook_id}`)).toHaveLength(1);
  });
});

describe('a receiver that hangs', () => {
  it('in the fast lane is waited for as long as it usually takes a few times over, and tried again in the slow one', async () => {
    const receiver = await receiverWith();
    await work(...(await receiver.messages(5)));
    receiver.behaviour.status = 'hang';
    const message = await receiver.message();
    await stack.work('deliveries', [message]);
    expect(await rowOf(message)).toMatchObject({ status: 'retrying', last_error: 'timeout', log: [{ number: 1 }] });
    const [{ duration_ms }] = (await rowOf(message)).log as [{ duration_ms: number }];
    expect(duration_ms).toBeLessThan(1000);
    receiver.behaviour.status = 200;
    pass(5 * second);
    await work({ ...message, attempt: 2 });
    expect(await rowOf(message)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('keeps neither records nor lessons of the others in its batch waiting', async () => {
    const hanging = await receiverWith('hang');
    const well = await receiverWith(200);
    const failing = await receiverWith(500);
    const [stuck, done, failed] = [await hanging.message(), await well.message(), await failing.message()];
    let isOver = false;
    const batch = work(stuck, done, failed).then(() => {
      isOver = true;
    });
    await vi.waitFor(async () => {
      expect(await rowOf(done)).toMatchObject({ status: 'delivered' });
      expect(await rowOf(failed)).toMatchObject({ status: 'retrying' });
      expect(await failing.known()).toMatchObject({ failures: 1 });
    });
    expect(isOver).toBe(false);
    hanging.release();
    await batch;
    expect(await rowOf(stuck)).toMatchObject({ status: 'delivered' });
  });

  it('costs one probe, not one deadline for each message, once it is known', async () => {
    const receiver = await receiverWith('hang');
    await tamper({ pk: `RECEIVER#${receiver.origin}`, sk: 'RECEIVER' }, { origin: receiver.origin, failures: 4 });
    await work(await receiver.message());
    expect(receiver.arrived).toHaveLength(1);
    const messages = await receiver.messages(8);
    await work(...messages);
    expect(receiver.arrived).toHaveLength(1);
    pass(13 * second);
    await work(...messages);
    expect(receiver.arrived).toHaveLength(2);
    await stack.take('slow-deliveries');
  });
});

describe('our own faults', () => {
  it('fail the message, so that the queue shows it again; the others of its batch are done', async () => {
    const receiver = await receiverWith();
    const [first, second_] = await receiver.messages(2);
    if (first === undefined || second_ === undefined) throw new Error('two messages');
    // A body that is no JSON can be nothing but our own mistake.
    await tamper({ pk: `EVENT_BODY#${second_.body_hash}`, sk: 'EVENT' }, { payload: '{' });
    expect(await work(first, second_)).toEqual([1]);
    expect(await row(first.webhook_id)).toMatchObject({ id: first.delivery_id, status: 'delivered' });
  });
});
