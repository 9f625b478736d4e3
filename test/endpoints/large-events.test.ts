/** Events of up to 1 MiB are accepted, stored in parts, and delivered as they were sent. */
import { createHmac } from 'node:crypto';
import { DeleteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { randomNumbers } from '../../infra/emulator/proxy/random.ts';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { InvocationKilled } from '../support/parts-proxy.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());
afterEach(() => stack.faults.set({ faults: [] }));

const mebibyte = 1024 * 1024;
const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const random = randomNumbers(7);
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

const noise = (length: number): string => {
  const characters = new Uint8Array(length);
  for (let at = 0; at < length; at++) characters[at] = alphabet.charCodeAt(random() * alphabet.length);
  return Buffer.from(characters).toString('latin1');
};

/** A text without repetitions, for all events. */
const text = noise(mebibyte);
const html = (bytes: number): string => text.slice(0, bytes);

const eventOf = (event: string, current: object, id?: string) => ({
  ...(id !== undefined && { id }),
  event,
  payload: { [event.split('.')[0] ?? '']: { current, previous: { status: 'draft' } } },
});

/** Returns a request body of an exact size, with one event. */
const sized = (bytes: number, event = 'post.published'): string => {
  const body = (length: number) => JSON.stringify({ events: [eventOf(event, { html: html(length) })] });
  return body(bytes - body(0).length);
};

const post = (body: unknown) => stack.call('events/publish', { path: '/admin/events/', key: keys.integration, body });

let paths = 0;
const subscriber = async (event: string, fields: object = {}) => {
  const path = `/${paths++}`;
  const { id } = await tools.webhook(`${receiver.origin}${path}`, { event, secret, ...fields });
  return { id, path, arrivals: () => receiver.deliveries.filter((delivery) => delivery.path === path) };
};

const drain = async () => {
  for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const)
    expect((await stack.drain(queue)).failed, queue).toBe(0);
};

/** Returns the keys and expiry of the parts that are in the table. */
const parts = async () => {
  const pages = paginateScan(
    { client: stack.dynamodb },
    {
      TableName: stack.tableName,
      FilterExpression: 'sk = :part',
      ProjectionExpression: 'pk, expires_at',
      ExpressionAttributeValues: { ':part': { S: 'PART' } },
    },
  );
  const found: Record<string, unknown>[] = [];
  for await (const { Items = [] } of pages) found.push(...Items.map((item) => unmarshall(item)));
  return found.map(({ pk, expires_at }) => ({ pk: String(pk), expires_at: Number(expires_at) }));
};

describe('a request of 1 MiB', () => {
  it('is accepted, and its receiver gets exactly this body with valid signatures', async () => {
    const { arrivals } = await subscriber('post.published');
    const body = sized(mebibyte);
    expect((await post(body)).status).toBe(202);
    await drain();
    const [delivery, ...others] = arrivals();
    if (delivery === undefined) throw new Error('No delivery has arrived.');
    expect(others).toEqual([]);
    const [{ event, payload }] = JSON.parse(body).events;
    expect(delivery.body === JSON.stringify({ event, ...payload })).toBe(true);
    const [, signature, time = ''] =
      /^sha256=([0-9a-f]+), t=(\d+)$/.exec(delivery.headers['x-ghost-signature'] ?? '') ?? [];
    expect(signature).toBe(createHmac('sha256', secret).update(`${delivery.body}${time}`).digest('hex'));
    expect(() => new Webhook(secret).verify(delivery.body, { ...delivery.headers })).not.toThrow();
  });

  it('is the limit: one byte more is refused, and nothing is stored', async () => {
    const before = (await parts()).length;
    expectRefusal(await post(sized(mebibyte + 1)), { status: 413, type: 'RequestEntityTooLargeError' });
    expect(await parts()).toHaveLength(before);
    expect(await stack.messages('events')).toEqual([]);
  });

  it('from a Ghost site is accepted', async () => {
    const created = await stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: { integrations: [{ name: 'Ghost' }] },
    });
    const [{ id }] = created.body.integrations;
    const path = `/admin/integrations/${id}/inbound_secret/`;
    const made = await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner });
    const inbound = (length: number) =>
      JSON.stringify({ event: 'page.edited', page: { current: { html: html(length) }, previous: {} } });
    const body = inbound(mebibyte - inbound(0).length);
    const at = Date.now();
    const hmac = createHmac('sha256', made.body.secrets[0].secret).update(`${body}${at}`).digest('hex');
    const { arrivals } = await subscriber('page.edited');
    const answer = await stack.call('inbound/ghost', {
      path: `/inbound/ghost/${id}/page.edited/`,
      body,
      headers: { 'Content-Type': 'application/json', 'X-Ghost-Signature': `sha256=${hmac}, t=${at}` },
    });
    expect(answer.status).toBe(202);
    await drain();
    expect(arrivals().map((delivery) => delivery.body === body)).toEqual([true]);
  });
});

describe('a large event', () => {
  it('has parts that are deleted later than its body', async () => {
    const before = new Set((await parts()).map(({ pk }) => pk));
    await post({ events: [eventOf('tag.added', { description: html(600_000) })] });
    const own = (await parts()).filter(({ pk }) => !before.has(pk));
    expect(own).toHaveLength(2);
    const pk = /^EVENT_BODY#[0-9a-f]{64}/.exec(own[0]?.pk ?? '')?.[0] ?? '';
    const [body] = await tools.items(pk);
    expect(body).toMatchObject({ payload: '', parts: { count: 2 } });
    const longestWay = 21 * 86_400;
    for (const { expires_at } of own) expect(expires_at - Number(body?.expires_at)).toBeGreaterThan(longestWay - 60);
  });

  it('has more than 4 KiB; a smaller one is stored whole', async () => {
    const before = (await parts()).length;
    const envelope = JSON.stringify(eventOf('tag.edited', { text: '' }).payload).length;
    const payload = (bytes: number) => eventOf('tag.edited', { text: html(bytes - envelope) });
    await post({ events: [payload(4 * 1024)] });
    expect(await parts()).toHaveLength(before);
    await post({ events: [payload(4 * 1024 + 1)] });
    expect(await parts()).toHaveLength(before + 1);
  });

  it('has a small message if its parts are stored, but it is not', async () => {
    await throughTheQueue(stack, () => post({ events: [eventOf('tag.edited', { text: html(600_000) })] }));
    const [message] = await stack.take('events');
    expect(JSON.stringify(message?.body).length).toBeLessThan(600);
    expect(await stack.work('events', [message?.body])).toEqual([]);
  });

  it('is accepted together with others, and each webhook gets its own event', async () => {
    const events = ['member.added', 'member.edited', 'member.deleted'];
    const subscribers = await Promise.all(events.map((event) => subscriber(event)));
    const published = events.map((event, index) => eventOf(event, { note: html(330_000 + index) }));
    expect((await post({ events: [...published, eventOf('member.added', { note: 'small' })] })).status).toBe(202);
    await drain();
    const lengths = subscribers.map(({ arrivals }) =>
      arrivals()
        .map(({ body }) => JSON.parse(body).member.current.note.length)
        .toSorted((a, b) => a - b),
    );
    expect(lengths).toEqual([[5, 330_000], [330_001], [330_002]]);
  });

  it('is stored and delivered once if it is published again with the same id', async () => {
    const { arrivals } = await subscriber('page.added');
    const request = { events: [eventOf('page.added', { html: html(500_000) }, 'large-1')] };
    await post(request);
    // The event is not fanned out yet, so nothing shows that its id is used.
    await post(request);
    const stored = (await parts()).length;
    await drain();
    expect((await post(request)).status).toBe(202);
    await post({ events: [eventOf('page.added', { html: html(500_001) }, 'large-1')] });
    await drain();
    expect(arrivals()).toHaveLength(1);
    expect(await parts()).toHaveLength(stored);
  });

  it('is redelivered and replayed with the same body, and the log shows it', async () => {
    const since = new Date(Date.now() - 1000).toISOString();
    const { id, arrivals } = await subscriber('page.published');
    await post({ events: [eventOf('page.published', { html: html(700_000) })] });
    await drain();
    const base = `/admin/webhooks/${id}`;
    const [{ id: delivery }] = (
      await stack.call('deliveries/list', { path: `${base}/deliveries/`, key: keys.integration })
    ).body.deliveries;
    const path = `${base}/deliveries/${delivery}/`;
    const [{ request }] = (await stack.call('deliveries/read', { path, key: keys.integration })).body.deliveries;
    // The log shows the first 256 KiB of the body.
    expect(request.body).toHaveLength(256 * 1024);
    expect(arrivals()[0]?.body.startsWith(request.body)).toBe(true);
    await stack.call('deliveries/redeliver', { path: `${path}redeliver/`, key: keys.integration });
    await drain();
    const until = new Date(Date.now() + 1000).toISOString();
    const body = { replays: [{ since, until }] };
    await stack.call('replays/create', { path: `${base}/replays/`, key: keys.integration, body });
    for (let runs = 0; runs < 3; runs++) {
      for (const message of await stack.take('replays')) await stack.work('replays', [message.body]);
      await drain();
    }
    const triggers = arrivals().map(({ headers }) => headers['masthead-trigger']);
    expect(new Set(triggers)).toEqual(new Set(['event', 'redelivery', 'replay']));
    expect(new Set(arrivals().map((arrival) => arrival.body)).size).toBe(1);
  });

  it('is delivered in the API version of each webhook', async () => {
    const versions = ['v2', 'v3', 'v4', 'v5', 'v6'];
    const subscribers = await Promise.all(versions.map((api_version) => subscriber('post.edited', { api_version })));
    await post({
      events: [eventOf('post.edited', { html: html(400_000), email_segment: 'all', reading_time: 3 })],
    });
    await drain();
    const bodies = subscribers.map(({ arrivals }) => JSON.parse(arrivals()[0]?.body ?? '{}'));
    expect(bodies.map(({ event }) => event)).toEqual([undefined, undefined, undefined, undefined, 'post.edited']);
    expect(bodies.map(({ post: { current } }) => current.html.length)).toEqual(versions.map(() => 400_000));
    expect(bodies.map(({ post: { current } }) => Object.keys(current).filter((name) => name !== 'html'))).toEqual([
      ['email_recipient_filter'],
      ['email_recipient_filter', 'reading_time', 'send_email_when_published'],
      ['email_recipient_filter', 'reading_time'],
      ['email_segment', 'reading_time'],
      ['email_segment', 'reading_time'],
    ]);
  });

  it('from the EventBridge bus is stored in parts by the fan-out', async () => {
    const { arrivals } = await subscriber('tag.deleted');
    const { event, payload } = eventOf('tag.deleted', { description: html(600_000) });
    await stack.send('events', {
      kind: 'event',
      id: 'bus-1',
      publisher: 'eventbridge:cms',
      event,
      accepted_at: new Date().toISOString(),
      payload,
    });
    await drain();
    expect(JSON.parse(arrivals()[0]?.body ?? '{}')).toEqual({ event, ...payload });
  });

  it('from the EventBridge bus with the name of an operational event goes to nobody', async () => {
    const { arrivals } = await subscriber('webhook.disabled');
    const payload = { webhook: { current: { note: html(600_000) }, previous: {} } };
    await stack.send('events', {
      kind: 'event',
      id: 'bus-2',
      publisher: 'eventbridge:cms',
      event: 'webhook.disabled',
      accepted_at: new Date().toISOString(),
      payload,
    });
    await drain();
    expect(arrivals()).toEqual([]);
  });

  it('counts as no longer stored if a part is missing, and its deliveries end without an attempt', async () => {
    const { id, arrivals } = await subscriber('post.deleted');
    const before = new Set((await parts()).map(({ pk }) => pk));
    await post({ events: [eventOf('post.deleted', { html: html(500_000) })] });
    const own = (await parts()).find(({ pk }) => !before.has(pk));
    await stack.drain('events');
    await stack.dynamodb.send(
      new DeleteItemCommand({ TableName: stack.tableName, Key: { pk: { S: own?.pk ?? '' }, sk: { S: 'PART' } } }),
    );
    await drain();
    expect(arrivals()).toEqual([]);
    expect(await tools.row(id)).toMatchObject({ status: 'cancelled', last_error: 'expired' });
  });
});

describe('a kill of the function that publishes', () => {
  it.each([
    ['before the parts are stored', { action: 'BatchWriteItem' }],
    ['after them, before the event is stored', { action: 'PutItem' }],
  ] as const)("%s leaves no event, and the publisher's retry is delivered", async (_, where) => {
    const event = where.action === 'BatchWriteItem' ? 'post.scheduled' : 'post.unscheduled';
    const { arrivals } = await subscriber(event);
    const request = { events: [eventOf(event, { html: html(800_000) }, `kill ${event.length}`)] };
    stack.faults.set({ faults: [{ fault: 'kill', function: 'events/publish', times: 1, ...where }] });
    await expect(post(request)).rejects.toThrow(InvocationKilled);
    await drain();
    expect(arrivals()).toEqual([]);
    expect((await post(request)).status).toBe(202);
    await drain();
    expect(arrivals().map(({ body }) => JSON.parse(body).post.current.html.length)).toEqual([800_000]);
  });

  it('between two parts leaves no event, although DynamoDB stored some parts', async () => {
    const { arrivals } = await subscriber('post.rescheduled');
    const request = { events: [eventOf('post.rescheduled', { html: html(1_000_000) }, 'partial')] };
    stack.faults.set({
      faults: [
        { fault: 'partial', function: 'events/publish', action: 'BatchWriteItem', numbers: [1] },
        { fault: 'kill', function: 'events/publish', action: 'BatchWriteItem' },
      ],
    });
    await expect(post(request)).rejects.toThrow(InvocationKilled);
    await drain();
    expect(arrivals()).toEqual([]);
    stack.faults.set({ faults: [{ fault: 'partial', action: 'BatchWriteItem', times: 2 }] });
    expect((await post(request)).status).toBe(202);
    await drain();
    expect(arrivals()).toHaveLength(1);
  });
});

describe('unusual numbers and names in a payload', () => {
  it.each([
    ['in a message', 10],
    ['in parts', 400_000],
  ])('arrive unchanged: %s', async (_, length) => {
    const { arrivals } = await subscriber('page.scheduled');
    const current = `{"id":12345678901234567890,"big":1e400,"price":1.0,"constructor":"a","__proto__":{"b":-0},"prototype":[1E5],"html":"${html(length)}"}`;
    const payload = `{"page":{"current":${current},"previous":{"price":2.50}}}`;
    expect((await post(`{"events":[{"event":"page.scheduled","payload":${payload}}]}`)).status).toBe(202);
    await drain();
    expect(arrivals()[0]?.body === `{"event":"page.scheduled",${payload.slice(1)}`).toBe(true);
  });
});
