/** Receivers without a response before the deadline: what is recorded, how often they are asked, and the retries. */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { second } from '../../shared/foundation/clock.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { startRawReceiver } from '../support/loopback-receiver.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { receiversWith } from '../support/receiver-with.ts';
import { stopTime } from '../support/test-time.ts';

// These tests wait for deadlines, which are as short as a busy machine allows.
const stack = await freshStack({ deliveries: { timeoutMs: 2000, slowAfterMs: 1000 } });
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const { webhook, publish, messagesFor, attempt, next, row, rows, record } = tools;
const starting = receiversWith(tools);

const { pass, opened } = stopTime();

const hangingReceiver = async () => opened(await starting('hang'));

type Message = Awaited<ReturnType<typeof messagesFor>>[number];
const rowOf = async ({ webhook_id, delivery_id }: Message) => {
  const found = (await rows(webhook_id)).find(({ id }) => id === delivery_id);
  if (found === undefined) throw new Error('The delivery has no row.');
  return found;
};
const work = (...messages: Message[]) => stack.work('slow-deliveries', messages);

/** Creates a webhook whose receiver handles each connection with a function; returns the message of an event. */
const messageAtSocket = async (onConnection: (socket: Socket) => void) => {
  const receiver = opened(await startRawReceiver(onConnection));
  const { id } = await webhook(`http://127.0.0.1:${receiver.port}/hook`);
  const found = (await messagesFor()).find((message) => message.webhook_id === id);
  if (found === undefined) throw new Error('The webhook has no message.');
  return found;
};

describe('an attempt fails', () => {
  it('if no response arrives before the deadline', async () => {
    const message = await messageAtSocket(() => {});
    await attempt(message);
    const { log, ...delivery } = await row(message.webhook_id);
    expect(delivery).toMatchObject({ status: 'retrying', last_status: null, last_error: 'timeout' });
    expect(log[0]?.duration_ms).toBeGreaterThanOrEqual(1999);
  });

  it('if the headers of the response are incomplete at the deadline', async () => {
    const message = await messageAtSocket((socket) => {
      const drip = setInterval(() => socket.write('x'), 50);
      socket.once('close', () => clearInterval(drip));
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    });
    await attempt(message);
    expect(await row(message.webhook_id)).toMatchObject({ status: 'retrying', last_error: 'timeout' });
  });
});

describe('a receiver that hangs', () => {
  it('opens the circuit breaker at once', async () => {
    const receiver = await hangingReceiver();
    const message = await receiver.message();
    await work(message);
    expect((await record(message.webhook_id))?.health).toMatchObject({ openings: 1, slowings: 1 });
    await stack.take('slow-deliveries');
  });

  it('gets the whole deadline to respond, and its delivery is retried in the slow lane', async () => {
    const receiver = await hangingReceiver();
    const message = await receiver.message();
    await work(message);
    expect(await rowOf(message)).toMatchObject({ status: 'retrying', last_error: 'timeout', log: [{ number: 1 }] });
    expect((await rowOf(message)).log[0]?.duration_ms).toBeGreaterThanOrEqual(1999);
    receiver.behaviour.status = 200;
    pass(7 * second);
    await work(await next(message));
    expect(await rowOf(message)).toMatchObject({ status: 'delivered', attempts: 2 });
    await stack.take('slow-deliveries');
  });

  it('gets one probe at a time once it is known to hang, instead of one long wait for each message', async () => {
    const receiver = await hangingReceiver();
    await work(await receiver.message());
    expect(receiver.arrived()).toHaveLength(1);
    const messages = await receiver.messages(8);
    await work(...messages);
    expect(receiver.arrived()).toHaveLength(1);
    pass(13 * second);
    await work(...(await Promise.all(messages.map(next))));
    expect(receiver.arrived()).toHaveLength(2);
    await stack.take('slow-deliveries');
  });
});

describe('a receiver that hangs, for a webhook with headers, a format and a filter', () => {
  const options = {
    headers: { 'X-Team': 'news' },
    format: { type: 'template', template: { text: 'New: {{post.current.title}}' } },
    filter: { post: { current: { title: [{ prefix: 'He' }] } } },
  };

  /** Creates a webhook with these options and its own receiver, which hangs while `isHanging`. */
  const hangingWithOptions = async () => {
    const state = { isHanging: true };
    const receiver = opened(
      await receiveWebhooks((response) => {
        if (!state.isHanging) response.end();
      }),
    );
    const { id } = await webhook(`${receiver.origin}/hook`, { options });
    const message = async () => {
      const found = (await messagesFor()).find(({ webhook_id }) => webhook_id === id);
      if (found === undefined) throw new Error('The webhook has no message.');
      return found;
    };
    return { id, state, message, arrived: receiver.deliveries };
  };

  it('opens the circuit breaker, moves the webhook to the slow lane, and gets the same request again', async () => {
    const { id, state, message, arrived } = await hangingWithOptions();
    const first = await message();
    await work(first);
    expect((await record(id))?.health).toMatchObject({ openings: 1, slowings: 1 });
    expect(await rowOf(first)).toMatchObject({ status: 'retrying', last_error: 'timeout', attempts: 1 });
    state.isHanging = false;
    pass(7 * second);
    await work(await next(first));
    expect(await rowOf(first)).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(arrived.map(({ body, headers }) => [body, headers['x-team'], headers['masthead-attempt']])).toEqual([
      ['{"text":"New: Hello"}', 'news', '1'],
      ['{"text":"New: Hello"}', 'news', '2'],
    ]);
    expect(arrived.map(({ headers }) => headers['webhook-id'])).toEqual([first.delivery_id, first.delivery_id]);
    await stack.take('slow-deliveries');
  });

  it("gets the webhook's new options in the retry if they have changed meanwhile", async () => {
    const { id, state, message, arrived } = await hangingWithOptions();
    const first = await message();
    await work(first);
    state.isHanging = false;
    const changed = { headers: { 'X-Team': 'sport' }, format: { type: 'template', template: { text: 'Changed' } } };
    const answer = await stack.call('webhooks/update-options', {
      path: `/admin/webhooks/${id}/options/`,
      key: keys.integration,
      body: { options: [changed] },
    });
    expect(answer.status, answer.text).toBe(200);
    pass(7 * second);
    await work(await next(first));
    expect(arrived.map(({ body, headers }) => [body, headers['x-team']])).toEqual([
      ['{"text":"New: Hello"}', 'news'],
      ['{"text":"Changed"}', 'sport'],
    ]);
    await stack.take('slow-deliveries');
  });

  it('gets no request for an event that the filter excludes, and one probe for all other events', async () => {
    const { id, message, arrived } = await hangingWithOptions();
    await publish('post.published', { title: 'Other' });
    await stack.drain('events');
    const sent = (await stack.take('deliveries')).flatMap(({ body }) => unpack(body));
    const leftOut = sent.filter(({ webhook_id }) => webhook_id === id);
    expect(leftOut).toHaveLength(1);
    await stack.work('deliveries', leftOut);
    expect(arrived).toHaveLength(0);
    await work(await message());
    const messages = [await message(), await message(), await message()];
    await work(...messages);
    expect(arrived).toHaveLength(1);
    pass(13 * second);
    await work(...(await Promise.all(messages.map(next))));
    expect(arrived).toHaveLength(2);
    await stack.take('slow-deliveries');
  });
});
