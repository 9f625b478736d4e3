/** Retries of a failed delivery: each attempt of the schedule is made once, until one succeeds or none is left. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { day, hour, minute, second } from '../../shared/foundation/clock.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { defaultSettings } from '../support/default-settings.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { startRawReceiver } from '../support/loopback-receiver.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { stopTime } from '../support/test-time.ts';

// The deadline is out of reach, so that a busy machine ends no attempt. `deliver-hangs.test.ts` tests the deadline.
const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, messagesFor, attempt, next, row, tamper } = deliveryTools(stack, keys);
const schedule = defaultSettings.deliveries.retryAfterSeconds;
/** The seconds from the first failure to the second attempt. */
const [, firstWait = 0, secondWait = 0, thirdWait = 0] = schedule;

const random = vi.spyOn(Math, 'random');
beforeEach(() => {
  // The middle of the jitter: exactly the schedule.
  random.mockReturnValue(0.5);
});
const { pass, opened } = stopTime();

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** Creates a webhook with its own receiver, which returns these answers in order and then repeats the last one. */
const hookThatAnswers = async (...answers: readonly (Answer | number)[]) => {
  const left = [...answers];
  const receiver = await receiveWebhooks((response) => {
    const answer = left.length > 1 ? left.shift() : left[0];
    const { status, headers } = typeof answer === 'number' ? { status: answer } : (answer ?? { status: 200 });
    response.writeHead(status, headers);
    response.end();
  });
  opened(receiver);
  return { ...(await webhook(`${receiver.origin}/hook`)), arrived: receiver.deliveries };
};

const hookAtSocket = async (onConnection: (socket: Socket) => void) => {
  const receiver = opened(await startRawReceiver(onConnection));
  return { ...(await webhook(`http://127.0.0.1:${receiver.port}/hook`)), receiver };
};

const messageFor = async (id: string) => {
  const found = (await messagesFor()).find((message) => message.webhook_id === id);
  if (found === undefined) throw new Error('The webhook has no message.');
  return found;
};

/** Returns the milliseconds until the next attempt in the table. */
const wait = async (id: string) => Date.parse((await row(id)).next_attempt_at ?? '') - Date.now();

describe('a delivery that fails', () => {
  it('is retried after the first delay of the schedule, by a message with the number of the attempt', async () => {
    const { id, arrived } = await hookThatAnswers(500, 200);
    const message = await messageFor(id);
    const retry = await attempt(message);
    expect(retry).toEqual({
      messageId: expect.any(String),
      body: {
        ...message,
        first: undefined,
        payload: undefined,
        attempt: 2,
        next_attempt_at: new Date(Date.now() + firstWait * second).toISOString(),
      },
      delaySeconds: firstWait,
    });
    expect(await row(id)).toMatchObject({ status: 'retrying', attempts: 1, last_status: '500', last_error: 'status' });
    expect(await wait(id)).toBe(firstWait * second);
    pass(firstWait * second);
    expect(await attempt(await next(message))).toBeUndefined();
    expect(arrived).toHaveLength(2);
    expect(await row(id)).toMatchObject({
      status: 'delivered',
      attempts: 2,
      last_status: '200',
      last_error: null,
      next_attempt_at: null,
      log: [
        { number: 1, status: '500', error: 'status' },
        { number: 2, status: '200', error: null },
      ],
    });
  });

  it('keeps its id in all attempts, and each attempt has a signature of its own', async () => {
    const { id, arrived } = await hookThatAnswers(500, 200);
    const message = await messageFor(id);
    await attempt(message);
    pass(firstWait * second);
    await attempt(await next(message));
    const [first, second_] = arrived.map(({ headers }) => headers);
    expect(second_?.['webhook-id']).toBe(first?.['webhook-id']);
    expect(Number(second_?.['webhook-timestamp'])).toBe(Number(first?.['webhook-timestamp']) + firstWait);
  });

  it('is in the index of due items once it waits for longer than a message can', async () => {
    const { id } = await hookThatAnswers(500);
    const message = await messageFor(id);
    await attempt(message);
    expect(await row(id)).not.toHaveProperty('due');
    pass(firstWait * second);
    await attempt(await next(message));
    pass(secondWait * second);
    // The third wait exceeds the maximum delay of a message.
    expect(await attempt(await next(message))).toBeUndefined();
    expect(await row(id)).toMatchObject({ attempts: 3, due: expect.stringMatching(/^DUE#\d+$/) });
    expect(Date.parse((await row(id)).due_at ?? '')).toBe(Date.now() + thirdWait * second);
  });

  it('fails after the last attempt of the schedule', async () => {
    const { id, arrived } = await hookThatAnswers(500);
    const message = await messageFor(id);
    const waits: number[] = [];
    const attempts = schedule.length;
    for (let number = 1; number <= attempts; number++) {
      await attempt(number === 1 ? message : await next(message));
      if (number === attempts) break;
      waits.push((await wait(id)) / second);
      pass(await wait(id));
    }
    expect(waits).toEqual(schedule.slice(1));
    const { log, ...delivery } = await row(id);
    expect(delivery).toMatchObject({ status: 'failed', attempts, next_attempt_at: null });
    expect(delivery).not.toHaveProperty('due');
    expect(log.map(({ number }) => number)).toEqual(schedule.map((_, position) => position + 1));
    expect(arrived).toHaveLength(attempts);
    expect(await attempt(await next(message))).toBeUndefined();
    expect(arrived).toHaveLength(attempts);
  });

  it('is retried up to a fifth earlier or later than the schedule says (jitter)', async () => {
    const waits: number[] = [];
    for (const drawn of [0, 0.999_999]) {
      random.mockReturnValue(drawn);
      const { id } = await hookThatAnswers(500);
      await attempt(await messageFor(id));
      waits.push(Math.round((await wait(id)) / 100) / 10);
    }
    expect(waits).toEqual([firstWait * 0.8, firstWait * 1.2]);
  });
});

describe('Retry-After', () => {
  it.each([
    ['in seconds is honoured', () => '120', 120],
    ['as a date is honoured', () => new Date(Date.now() + 7200 * second).toUTCString(), 7200],
    ['that is shorter than the schedule changes nothing', () => '1', firstWait],
    ['in the past changes nothing', () => new Date(Date.now() - 7200 * second).toUTCString(), firstWait],
    ['that is invalid changes nothing', () => 'soon, 5', firstWait],
    ['beyond a day is honoured up to a day', () => String((365 * day) / second), day / second],
    ['with too many digits for a number is honoured up to a day too', () => '9'.repeat(400), day / second],
  ])('%s', async (_, header, seconds) => {
    const { id } = await hookThatAnswers({ status: 500, headers: { 'Retry-After': header() } });
    await attempt(await messageFor(id));
    const waited = (await wait(id)) / second;
    expect(waited).toBeGreaterThanOrEqual(seconds - 1);
    // Jitter can add to the requested time, and never shortens it.
    expect(waited).toBeLessThanOrEqual(seconds * 1.1);
  });
});

describe('an attempt fails', () => {
  it.each([301, 302, 307, 400, 404, 429, 500, 503])('if the response has the status %i', async (status) => {
    const { id, arrived } = await hookThatAnswers({ status, headers: { Location: '/elsewhere' } });
    await attempt(await messageFor(id));
    expect(await row(id)).toMatchObject({ status: 'retrying', last_status: String(status), last_error: 'status' });
    expect(arrived.map(({ path }) => path)).toEqual(['/hook']);
  });

  it('if the connection is refused', async () => {
    const { id, receiver } = await hookAtSocket(() => {});
    await receiver.close();
    await attempt(await messageFor(id));
    expect(await row(id)).toMatchObject({ status: 'retrying', last_status: null, last_error: 'connect' });
  });

  it('if the connection is reset', async () => {
    const { id } = await hookAtSocket((socket) => socket.once('data', () => socket.destroy()));
    await attempt(await messageFor(id));
    expect(await row(id)).toMatchObject({ status: 'retrying', last_status: null, last_error: 'reset' });
  });

  it('if the response is not HTTP', async () => {
    const { id } = await hookAtSocket((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
    await attempt(await messageFor(id));
    expect(await row(id)).toMatchObject({ status: 'retrying', last_error: 'protocol' });
  });
});

describe('duplicate, early, late and unordered messages', () => {
  it('are skipped if their attempt was made already', async () => {
    const { id, arrived } = await hookThatAnswers(500);
    const message = await messageFor(id);
    await attempt(message);
    pass(hour);
    expect(await attempt(message)).toBeUndefined();
    expect(arrived).toHaveLength(1);
    expect(await row(id)).toMatchObject({ attempts: 1 });
  });

  it('lead to one retry if two of them are processed at the same time', async () => {
    const { id, arrived } = await hookThatAnswers(500);
    const message = await messageFor(id);
    await Promise.all([stack.work('slow-deliveries', [message]), stack.work('slow-deliveries', [message])]);
    const requests = arrived.length;
    const retries = (await stack.take('slow-deliveries')).map(({ body }) => body);
    pass(2 * firstWait * second);
    await stack.work('slow-deliveries', retries);
    expect(arrived).toHaveLength(requests + 1);
    expect(await row(id)).toMatchObject({ status: 'retrying', attempts: 2 });
    await stack.take('slow-deliveries');
  });

  it('do not overwrite a success that another message has recorded', async () => {
    // Answer only after both requests have arrived. If one was recorded earlier, the other would not be sent.
    const waiting: ServerResponse[] = [];
    const receiver = opened(
      await receiveWebhooks((response) => {
        waiting.push(response);
        if (waiting.length === 2)
          for (const [place, one] of waiting.entries()) one.writeHead(place === 0 ? 500 : 200).end();
      }),
    );
    const { deliveries: arrived } = receiver;
    const { id } = await webhook(`${receiver.origin}/hook`);
    const message = await messageFor(id);
    await Promise.all([stack.work('slow-deliveries', [message]), stack.work('slow-deliveries', [message])]);
    expect(arrived).toHaveLength(2);
    expect(await row(id)).toMatchObject({ status: 'delivered' });
    for (const { body } of await stack.take('slow-deliveries')) {
      pass(minute);
      await attempt(body);
    }
    expect(arrived).toHaveLength(2);
  });
});

describe('a message for several webhooks', () => {
  it('is received again if one delivery could not be recorded, and then sends only that delivery', async () => {
    const event = 'tag.deleted';
    const healthy = opened(await receiveWebhooks());
    const failing = opened(await receiveWebhooks((response) => response.writeHead(500).end()));
    for (const origin of [healthy.origin, failing.origin, `${healthy.origin}/other`]) {
      const { id } = await webhook(origin, { event });
      // So that nothing is written before the attempts.
      await tamper(webhookKey(id as WebhookId), { accepts: true });
    }
    await publish(event);
    await stack.drain('events');
    const [message, ...others] = await stack.take('deliveries');
    expect(message?.body.webhook_ids).toHaveLength(3);
    expect(others).toEqual([]);
    // The SDK makes three attempts.
    stack.faults.set({ faults: [{ fault: 'throttle', function: 'deliveries/deliver', action: 'PutItem', times: 3 }] });
    expect(await stack.work('deliveries', [message?.body])).toHaveLength(1);
    stack.faults.set({ faults: [] });
    expect(await stack.work('deliveries', [message?.body])).toEqual([]);
    expect(healthy.deliveries).toHaveLength(2);
    expect(failing.deliveries).toHaveLength(2);
    // The first run had sent the message too, before it could not record the attempt.
    for (const retry of await stack.take('slow-deliveries'))
      expect(retry).toMatchObject({ body: { attempt: 2 }, delaySeconds: firstWait });
  });
});
