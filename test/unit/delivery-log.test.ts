/** The log of deliveries: its pages, the request of the last attempt, redeliveries and pings. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../shared/deliveries/log/filter.ts';
import { deliveryKey } from '../../shared/deliveries/records/row.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { type ApiKeyId, type DeliveryId, idTime, type SessionId, type StaffId } from '../../shared/foundation/ids.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { deliverySettings, healthyWebhook, iso, minute, now, second, worldOf } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { findDelivery } = await import('../../shared/deliveries/log/browse.ts');
const { mergeDeliveries } = await import('../../shared/deliveries/log/merge.ts');
const { logOf } = await import('../../shared/deliveries/records/store.ts');
const { redeliver } = await import('../../shared/deliveries/replays/requested.ts');
const { ping } = await import('../../shared/deliveries/replays/ping.ts');
const { countRedelivery, countReplay } = await import('../../shared/deliveries/replays/limits.ts');
const { sentRequest, showRequest } = await import('../../shared/deliveries/log/sent.ts');
const { presentDelivery, presentDeliveryWithLog } = await import('../../shared/deliveries/resource.ts');

stopTime(now);
afterEach(() => {
  vi.restoreAllMocks();
});

const { event: putEvent } = worldOf(aws);
const webhook = healthyWebhook;
const rules = deliverySettings;
/** Deliveries by number, one per second; a higher number is newer. */
const idOf = (number: number) => `${idTime(now - 3_600_000 + number * second)}${'0'.repeat(12)}` as DeliveryId;
const delivery = (number: number, changes: Partial<Delivery> = {}): Delivery => ({
  id: idOf(number),
  webhook_id: webhook.id,
  event: webhook.event,
  event_id: `e${number}`,
  body_hash: '0'.repeat(64),
  status: 'failed',
  trigger: 'event',
  attempts: 4,
  waits: 0,
  created_at: iso(now - 3_600_000 + number * second),
  last_attempt_at: iso(now),
  next_attempt_at: null,
  last_status: '500',
  last_error: 'status',
  waiting_for: null,
  log: [],
  expires_at: now / second + 1,
  ...changes,
});
const put = (...deliveries: Delivery[]) => {
  for (const one of deliveries) aws.put(deliveryKey(webhook.id, one.id), one);
};
const many = (count: number, changes: Partial<Delivery> = {}) =>
  Array.from({ length: count }, (_, number) => delivery(number, changes));

describe('a delivery in the log', () => {
  it('can be read by its id until it expires', async () => {
    put(delivery(1));
    expect(await findDelivery(webhook.id, idOf(1))).toMatchObject(delivery(1));
    vi.setSystemTime(now + second - 1);
    expect(await findDelivery(webhook.id, idOf(1))).toMatchObject(delivery(1));
    vi.setSystemTime(now + second);
    await expect(findDelivery(webhook.id, idOf(1))).rejects.toMatchObject({ status: 404 });
  });

  it('returns 404 if it is not stored, and the help names the list of deliveries', async () => {
    await expect(findDelivery(webhook.id, idOf(1))).rejects.toMatchObject({
      status: 404,
      help: expect.stringContaining('GET /admin/webhooks/{id}/deliveries/'),
    });
  });

  it('shows what it waits for, and its attempts only if it is read by its id', () => {
    const waits = { ...delivery(1), waiting_for: { reason: 'disabled', until: null } } as const;
    expect(presentDelivery(waits)).toMatchObject({ waiting_for: waits.waiting_for });
    expect(presentDeliveryWithLog(waits, null)).toMatchObject({ waiting_for: waits.waiting_for, log: [] });
    expect(presentDelivery(waits)).not.toHaveProperty('log');
  });
});

describe('the list of deliveries', () => {
  const list = async (filter: DeliveryFilter, limit: number, after?: DeliveryId) => {
    const { deliveries, next } = await mergeDeliveries([logOf(webhook.id)], filter, limit, after);
    return [deliveries.map(({ id }) => id), next];
  };

  it('shows the newest first, page by page to the end', async () => {
    put(...many(4));
    expect(await list({}, 3)).toEqual([[idOf(3), idOf(2), idOf(1)], idOf(1)]);
    expect(await list({}, 3, idOf(1))).toEqual([[idOf(0)], null]);
    expect(await list({}, 4)).toEqual([[idOf(3), idOf(2), idOf(1), idOf(0)], null]);
  });

  it('shows only deliveries that match and have not expired', async () => {
    put(
      delivery(0),
      delivery(1, { status: 'delivered' }),
      delivery(2, { expires_at: now / second }),
      delivery(3, { expires_at: now / second + 1 }),
    );
    expect(await list({ status: 'failed' }, 10)).toEqual([[idOf(3), idOf(0)], null]);
    const since = now - 3_600_000;
    expect(await list({ since: since + second, until: since + 3 * second }, 10)).toEqual([[idOf(1)], null]);
  });

  it('reads on until a page is full', async () => {
    put(...many(150, { status: 'delivered' }), delivery(200), delivery(0, { status: 'failed' }));
    expect(await list({ status: 'failed' }, 10)).toEqual([[idOf(200), idOf(0)], null]);
  });

  it('ends a page after 60 further queries, and the next page continues there', async () => {
    // The first query reads 20 items; further ones read 80, then 100.
    put(...many(6002, { status: 'delivered' }), delivery(0));
    expect(await list({ status: 'failed' }, 10)).toEqual([[], idOf(2)]);
    expect(await list({ status: 'failed' }, 10, idOf(2))).toEqual([[idOf(0)], null]);
  });
});

describe('the shown request of the last attempt', () => {
  const signed = { ...webhook, secret: 'secret' };
  const attempted = (body_hash: string, changes: Partial<Delivery> = {}) =>
    delivery(1, {
      body_hash,
      attempts: 3,
      log: [1, 2, 3].map((number) => ({ number, started_at: iso(now) })) as unknown as Delivery['log'],
      ...changes,
    });

  it('has its headers and its body, with the signatures hidden', async () => {
    const request = await sentRequest(signed, attempted(putEvent()));
    const body = '{"event":"post.published","post":{"current":{"title":"Hello"},"previous":{}}}';
    expect(request).toMatchObject({
      body,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
        'Content-Version': 'v6.0',
        'Masthead-Attempt': '3',
        'webhook-id': idOf(1),
        'webhook-signature': 'v1,…',
      },
    });
    expect(request?.headers['X-Ghost-Signature']).toMatch(/^sha256=…, t=\d+$/);
  });

  it('shows two signatures if two secrets signed', async () => {
    const rotated = { ...signed, previous_secrets: [{ secret: 'old', until: iso(now + minute) }] };
    const request = await sentRequest(rotated, attempted(putEvent()));
    expect(request?.headers['webhook-signature']).toBe('v1,… v1,…');
  });

  it('has the API version that was sent, even if the webhook has changed', async () => {
    const hash = putEvent();
    const changed = { ...webhook, api_version: 'v5.0' };
    const versionOf = async (changes: Partial<Delivery>) =>
      (await sentRequest(changed, attempted(hash, changes)))?.headers['Content-Version'];
    expect(await versionOf({ api_version: 'v6.0' })).toBe('v6.0');
    expect(await versionOf({})).toBe('v5.0');
  });

  it('is null before the first attempt, and if the event is gone or expires now', async () => {
    expect(await sentRequest(webhook, delivery(1, { body_hash: putEvent() }))).toBeNull();
    expect(await sentRequest(webhook, attempted('f'.repeat(64)))).toBeNull();
    expect(await sentRequest(webhook, attempted(putEvent({ expires_at: now / second })))).toBeNull();
    expect(await sentRequest(webhook, attempted(putEvent({ expires_at: now / second + 1 })))).not.toBeNull();
    const partless = putEvent({ payload: '', parts: { hash: 'p', count: 1 } });
    expect(await sentRequest(webhook, attempted(partless))).toBeNull();
  });

  it('has its length in bytes, not in characters', async () => {
    const request = await sentRequest(webhook, attempted(putEvent({ payload: '{"post":{"current":{"title":"é"}}}' })));
    expect(request?.headers['Content-Length']).toBe(String(Buffer.byteLength(request?.body ?? '')));
    expect(request?.body).toContain('é');
  });

  it.each([
    ['a letter', 'x', 0],
    ['a letter of two bytes', 'é', 1],
    ['a replacement character, which the event contains itself', '\ufffd', 2],
    ['an emoji', '😀', 3],
  ])('ends after 256 KiB, or before a character that is cut there: %s', (_, character, cut) => {
    const size = Buffer.byteLength(character);
    const text = 'a'.repeat((262_144 - cut) % size) + character.repeat(262_144 / size + 1);
    const shown = showRequest({ url: '', headers: {}, body: Buffer.from(text), timeoutMs: 0, credentials: [] });
    expect(Buffer.byteLength(shown.body)).toBe(262_144 - cut);
    expect(text.startsWith(shown.body)).toBe(true);
  });
});

describe('a redelivery', () => {
  it('is a new delivery of the same event, which the log shows at once', async () => {
    const hash = putEvent();
    const again = await redeliver(webhook, delivery(1, { body_hash: hash }), rules);
    expect(again).toMatchObject({
      webhook_id: webhook.id,
      event: webhook.event,
      event_id: 'e1',
      body_hash: hash,
      status: 'pending',
      trigger: 'redelivery',
      attempts: 0,
      created_at: iso(now),
    });
    expect(again.id.startsWith(idTime(now))).toBe(true);
    expect(aws.read(deliveryKey(webhook.id, again.id))).toMatchObject(again);
    expect(aws.sent()).toMatchObject([
      {
        queue: 'deliveries',
        group: webhook.id,
        body: { delivery_id: again.id, attempt: 1, trigger: 'redelivery', body_hash: hash },
      },
    ]);
  });

  it('creates a new delivery each time, in the lane of its webhook', async () => {
    const one = delivery(1, { body_hash: putEvent() });
    const slow = { ...webhook, health: { slow_until: now + 1 } } as const;
    const [first, other] = [await redeliver(slow, one, rules), await redeliver(slow, one, rules)];
    expect(first.id).not.toBe(other.id);
    expect(aws.sent().map(({ queue }) => queue)).toEqual(['slow-deliveries', 'slow-deliveries']);
  });

  it('is refused if the queue fails, and not shown', async () => {
    aws.fail('SendMessageBatchCommand');
    await expect(redeliver(webhook, delivery(1, { body_hash: putEvent() }), rules)).rejects.toMatchObject({
      status: 503,
    });
    const page = await logOf(webhook.id)({
      since: now,
      until: undefined,
      newestFirst: true,
      limit: 10,
      after: undefined,
    });
    expect(page.deliveries).toEqual([]);
  });

  it('returns 404 if the event is no longer stored', async () => {
    await expect(redeliver(webhook, delivery(1, { body_hash: 'f'.repeat(64) }), rules)).rejects.toMatchObject({
      status: 404,
      help: expect.stringContaining('Publish'),
    });
    expect(aws.sent()).toEqual([]);
  });
});

describe('a ping', () => {
  it('is a separate event about the webhook, and goes only to that webhook', async () => {
    const pinged = await ping(webhook, {}, rules);
    const { id, event, target_url, name, api_version } = webhook;
    expect(pinged).toMatchObject({ event: 'webhook.ping', trigger: 'ping', status: 'pending', webhook_id: id });
    const stored = aws.read({ pk: `EVENT_BODY#${pinged.body_hash}`, sk: 'EVENT' });
    expect(stored).toMatchObject({
      id: pinged.event_id,
      publisher: `webhook:${id}`,
      event: 'webhook.ping',
      created_at: iso(now),
      expires_at: now / second + 30 * 86_400,
    });
    expect(JSON.parse(stored.payload)).toEqual({
      webhook: { current: { id, event, target_url, name, api_version }, previous: {} },
    });
    expect(aws.sent()).toMatchObject([{ body: { delivery_id: pinged.id, trigger: 'ping' } }]);
  });

  it('is allowed five times a minute per webhook', async () => {
    for (let number = 0; number < 5; number++) await ping(webhook, {}, rules);
    await expect(ping(webhook, {}, rules)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('5 times a minute'),
      help: expect.stringContaining('deliveries of the pings'),
    });
    await ping({ ...webhook, id: '1'.repeat(24) as typeof webhook.id }, {}, rules);
    vi.setSystemTime(now + minute);
    await ping(webhook, {}, rules);
  });
});

describe('the hourly limits of a caller', () => {
  const limits = { ...rules, replaysPerCallerAndHour: 1, redeliveriesPerCallerAndHour: 2 };
  const caller: Caller = {
    kind: 'staff',
    keyId: 'c'.repeat(24) as ApiKeyId,
    staffId: 'd'.repeat(24) as StaffId,
    role: 'Owner',
    name: 'Olive',
    email: 'olive@example.com',
  };
  const { keyId: _key, ...member } = caller;
  const inSession = (id: string): Caller => ({ ...member, sessionId: id.repeat(24) as SessionId });

  it('count replays and redeliveries separately, and also apply to a new key of the same member', async () => {
    await countReplay(caller, limits);
    await countRedelivery(caller, limits);
    await countRedelivery(caller, limits);
    await expect(countReplay(caller, limits)).rejects.toMatchObject({
      status: 429,
      message: 'You can request 1 replays an hour.',
    });
    await expect(countRedelivery(caller, limits)).rejects.toMatchObject({
      status: 429,
      message: 'You can request 2 redeliveries an hour.',
    });
    const withNewKey = { ...caller, keyId: 'e'.repeat(24) as ApiKeyId };
    await expect(countReplay(withNewKey, limits)).rejects.toMatchObject({ status: 429 });
    vi.setSystemTime(now + 60 * minute);
    await countReplay(caller, limits);
  });

  it('apply to the member, in every session', async () => {
    await countReplay(inSession('1'), limits);
    await expect(countReplay(inSession('2'), limits)).rejects.toMatchObject({ status: 429 });
  });
});
