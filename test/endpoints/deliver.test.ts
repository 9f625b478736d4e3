/** One attempt of a delivery: the request that the receiver gets, and what is recorded. */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { eventual } from '../support/eventual.ts';
import { freshStack } from '../support/parts.ts';
import { type Delivery, receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';

const isMs = (value: unknown): boolean => {
  return value === null || typeof value === 'number';
};

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, messagesFor, attempt, deliver, row, record, tamper } = deliveryTools(stack, keys);
const { update, remove } = webhookCalls(stack);

let answers: Record<string, { status: number; headers?: Record<string, string>; body?: string }>;
const receiver = await receiveWebhooks((response, { path }) => {
  const { status, headers, body } = answers[path] ?? { status: 200 };
  response.writeHead(status, headers);
  response.end(body);
});
afterAll(() => receiver.close());
beforeEach(() => {
  answers = {};
});
afterEach(() => vi.useRealTimers());

let paths = 0;
const hook = async (fields: object = {}) => {
  const path = `/${paths++}`;
  const created = await webhook(`${receiver.origin}${path}`, fields);
  const arrived = (): readonly Delivery[] => receiver.deliveries.filter((delivery) => delivery.path === path);
  return { ...created, path, arrived };
};
const messageFor = async (id: string, event?: string) => {
  const found = (await messagesFor(event)).find((message) => message.webhook_id === id);
  if (found === undefined) throw new Error('The webhook has no message.');
  return found;
};

describe('the request to the receiver', () => {
  it('contains the event as JSON, with headers for its type, length, version, sender, id and time', async () => {
    const { id, arrived } = await hook();
    const message = await messageFor(id);
    await attempt(message);
    const [delivery, ...others] = arrived();
    expect(others).toEqual([]);
    const body = '{"event":"post.published","post":{"current":{"title":"Hello"},"previous":{}}}';
    expect(delivery?.body).toBe(body);
    const { started_at } = (await row(id)).log[0] ?? {};
    expect(delivery?.headers).toEqual({
      host: new URL(receiver.origin).host,
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: expect.any(String),
      'content-type': 'application/json',
      'content-length': String(body.length),
      'content-version': 'v6.0',
      'user-agent': expect.stringMatching(/^Masthead\//),
      'webhook-id': message.delivery_id,
      'webhook-timestamp': String(Math.floor(Date.parse(started_at ?? '') / 1000)),
      'masthead-event-id': expect.stringMatching(new RegExp(`^${message.event_id}\\.[0-9a-f]{12}$`)),
      'masthead-event-time': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      'masthead-attempt': '1',
      'masthead-trigger': 'event',
    });
  });

  it('names the event, its time and the trigger, also in redeliveries and replays', async () => {
    const { id, arrived } = await hook();
    const accepted = await publish();
    await stack.drain('events');
    await stack.drain('deliveries');
    await stack.drain('slow-deliveries');
    const call = { path: `/admin/webhooks/${id}/deliveries/${(await row(id)).id}/redeliver/`, key: keys.owner };
    await stack.call('deliveries/redeliver', call);
    await stack.drain('slow-deliveries');
    await stack.drain('deliveries');
    const [first, again, ...others] = arrived().map(({ headers }) => headers);
    expect(others).toEqual([]);
    const [{ id: event, created_at }] = accepted.body.events;
    expect(first?.['masthead-event-id']).toMatch(event);
    expect(again?.['masthead-event-id']).toBe(first?.['masthead-event-id']);
    for (const headers of [first, again]) expect(headers?.['masthead-event-time']).toBe(created_at);
    expect([first, again].map((headers) => headers?.['masthead-trigger'])).toEqual(['event', 'redelivery']);
  });

  it('percent-encodes an event id whose characters are not allowed in a header', async () => {
    const { arrived } = await hook();
    await deliver('post.published', { id: 'Größe 17\n😀' });
    expect(decodeURIComponent(arrived()[0]?.headers['masthead-event-id'] ?? '')).toContain('Größe 17\n😀.');
  });

  it("has the shape of the webhook's API version", async () => {
    const old = await hook({ api_version: 'v5.0' });
    const current = await hook({ api_version: 'v6' });
    await deliver();
    expect(old.arrived()[0]?.headers['content-version']).toBe('v5.0');
    expect(JSON.parse(old.arrived()[0]?.body ?? '')).not.toHaveProperty('event');
    expect(current.arrived()[0]?.headers['content-version']).toBe('v6.0');
    expect(JSON.parse(current.arrived()[0]?.body ?? '')).toHaveProperty('event');
  });

  it('has two signatures, which independent verifiers accept', async () => {
    const secret = `whsec_${Buffer.from('a secret of 24 bytes ....').toString('base64')}`;
    const { arrived } = await hook({ secret });
    await deliver();
    const [{ headers, body }] = arrived() as [Delivery];
    expect(new Webhook(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
    const [, hash, time] = /^sha256=([0-9a-f]{64}), t=(\d+)$/.exec(headers['x-ghost-signature'] ?? '') ?? [];
    expect(hash).toBe(createHmac('sha256', secret).update(`${body}${time}`).digest('hex'));
    expect(Math.floor(Number(time) / 1000)).toBe(Number(headers['webhook-timestamp']));
  });
});

describe('a 2xx response', () => {
  it.each([200, 201, 202, 204, 299])(
    'with the status %i ends the delivery as delivered, and the log has the attempt',
    async (status) => {
      const { id, path } = await hook();
      answers[path] = { status, ...(status !== 204 && { body: 'thank you' }) };
      await attempt(await messageFor(id));
      const { log, ...delivery } = await row(id);
      expect(delivery).toMatchObject({
        status: 'delivered',
        trigger: 'event',
        attempts: 1,
        last_status: String(status),
        last_error: null,
        next_attempt_at: null,
        last_attempt_at: log[0]?.started_at,
      });
      expect(delivery).not.toHaveProperty('due');
      expect(log).toEqual([
        {
          number: 1,
          started_at: expect.any(String),
          duration_ms: expect.any(Number),
          timings: {
            dns_ms: null,
            connect_ms: expect.toSatisfy(isMs),
            tls_ms: null,
            first_byte_ms: expect.any(Number),
          },
          status: String(status),
          error: null,
          response: status === 204 ? null : 'thank you',
        },
      ]);
    },
  );

  it('changes no webhook that has answered with success before, and appears in its log', async () => {
    const { id } = await hook();
    await attempt(await messageFor(id));
    const before = await record(id);
    expect(before).toMatchObject({ accepts: true });
    await attempt(await messageFor(id));
    expect(await record(id)).toEqual(before);
  });

  it('is stored only up to its first KiB', async () => {
    const { id, path } = await hook();
    answers[path] = { status: 200, body: 'x'.repeat(5000) };
    await attempt(await messageFor(id));
    expect((await row(id)).log[0]?.response).toBe('x'.repeat(1024));
  });

  it('prevents a second delivery if the message is received again', async () => {
    const { id, arrived } = await hook();
    const message = await messageFor(id);
    await attempt(message);
    await attempt(message);
    await stack.work('deliveries', [message, message]);
    expect(arrived()).toHaveLength(1);
  });

  it('prevents a second delivery if the batch contains the message twice', async () => {
    const { id, arrived } = await hook();
    const message = await messageFor(id);
    expect(await stack.work('slow-deliveries', [message, message])).toEqual([]);
    expect(arrived()).toHaveLength(1);
  });

  it('with `webhook-delivery: disable` ends the delivery as delivered, and disables the webhook', async () => {
    const { id, path } = await hook();
    answers[path] = { status: 200, headers: { 'webhook-delivery': ' Disable ' } };
    await attempt(await messageFor(id));
    expect(await row(id)).toMatchObject({ status: 'delivered' });
    expect(await record(id)).toMatchObject({ status: 'disabled' });
  });
});

describe('a delivery', () => {
  it('is cancelled without a request if the webhook was deleted', async () => {
    const { id, arrived } = await hook();
    const message = await messageFor(id);
    await remove(id, keys.integration);
    await attempt(message);
    expect(await row(id)).toMatchObject({ status: 'cancelled', attempts: 0 });
    expect(arrived()).toEqual([]);
  });

  it('is cancelled without a request if the webhook now subscribes to another event', async () => {
    const { id, arrived } = await hook();
    const message = await messageFor(id);
    await update(id, { event: 'page.published' }, keys.integration);
    await attempt(message);
    expect(await row(id)).toMatchObject({ status: 'cancelled', attempts: 0 });
    expect(arrived()).toEqual([]);
  });

  it('is sent to the new target if only the target has changed', async () => {
    const { id } = await hook();
    const message = await messageFor(id);
    const path = `/moved-${id}`;
    await update(id, { target_url: `${receiver.origin}${path}` }, keys.integration);
    await attempt(message);
    expect(receiver.deliveries.filter((delivery) => delivery.path === path)).toHaveLength(1);
  });
});

describe('a delivery that waits for one of the ten connections to its host', () => {
  /**
   * Processes an event for eleven webhooks of one host, changes the webhook whose request waits, and answers after two
   * seconds: the sender asks again only after a second.
   */
  const changedWhileItWaits = async (change: (id: string) => Promise<unknown>) => {
    const answer = Promise.withResolvers<void>();
    const slow = await receiveWebhooks((response) => void answer.promise.then(() => response.end()));
    try {
      const hooks = [];
      for (let number = 0; number < 11; number++)
        hooks.push({ path: `/${number}`, ...(await webhook(`${slow.origin}/${number}`, { event: 'tag.added' })) });
      const working = stack.work('deliveries', await messagesFor('tag.added'));
      await eventual(() => expect(slow.deliveries).toHaveLength(10));
      const sent = new Set(slow.deliveries.map(({ path }) => path));
      const waiting = hooks.find(({ path }) => !sent.has(path));
      if (waiting === undefined) throw new Error('All requests were sent at once.');
      await change(waiting.id);
      const now = performance.now.bind(performance);
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 2000);
      answer.resolve();
      await working;
      return { id: waiting.id, posts: slow.deliveries.filter(({ path }) => path === waiting.path).length };
    } finally {
      vi.restoreAllMocks();
      slow.close();
    }
  };

  it('is not sent if its webhook is deleted meanwhile', async () => {
    expect(await changedWhileItWaits((id) => remove(id, keys.integration))).toMatchObject({ posts: 0 });
  });

  it('is sent later, and to the new target, if the target changes meanwhile', async () => {
    const target_url = `${receiver.origin}/new-target`;
    const { id, posts } = await changedWhileItWaits((id) => update(id, { target_url }, keys.integration));
    const message = (await stack.take('slow-deliveries')).find(({ body }) => body.webhook_id === id);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 });
    await attempt(message?.body);
    expect([posts, receiver.deliveries.filter(({ path }) => path === '/new-target').length]).toEqual([0, 1]);
  });

  it('is sent later, if only an option changes meanwhile', async () => {
    const options = { headers: { 'X-Key': 'new' } };
    expect(await changedWhileItWaits((id) => update(id, { options }, keys.integration))).toMatchObject({ posts: 0 });
  });

  it('is sent if nothing has changed', async () => {
    expect(await changedWhileItWaits(async () => {})).toMatchObject({ posts: 1 });
  });
});

describe('a delivery that can never arrive', () => {
  it('is blocked if its IP address is not allowed, and the log does not show the address', async () => {
    const { id, path } = await hook();
    const message = await messageFor(id);
    // As if the host name had resolved to another IP address when the webhook was created.
    await tamper(webhookKey(id as WebhookId), { target_url: `http://169.254.169.254${path}` });
    await attempt(message);
    expect(await row(id)).toMatchObject({
      status: 'blocked',
      attempts: 1,
      last_error: 'blocked',
      next_attempt_at: null,
      log: [{ duration_ms: 0, status: null, error: 'blocked', response: null }],
    });
  });

  it('is cancelled without an attempt if its event is no longer stored', async () => {
    const { id } = await hook();
    const message = await messageFor(id);
    await attempt({ ...message, body_hash: 'f'.repeat(64) });
    expect(await row(id)).toMatchObject({ status: 'cancelled', attempts: 0, last_error: 'expired' });
  });
});
