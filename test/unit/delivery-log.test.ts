/** The log of deliveries: long bodies, a redelivery without a queue, and the limits of a caller. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { type ApiKeyId, type DeliveryId, idTime, type SessionId, type StaffId } from '../../shared/foundation/ids.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { deliverySettings, healthyWebhook, iso, minute, now, second, worldOf } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { logOf } = await import('../../shared/deliveries/records/store.ts');
const { redeliver } = await import('../../shared/deliveries/replays/requested.ts');
const { countRedelivery, countReplay } = await import('../../shared/deliveries/replays/limits.ts');
const { countLogPage } = await import('../../shared/deliveries/log/limit.ts');
const { sentRequest, showRequest } = await import('../../shared/deliveries/log/sent.ts');

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
  replayed_by: null,
  log: [],
  expires_at: now / second + 1,
  ...changes,
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

  it('shows two signatures if two secrets signed', async () => {
    const rotated = { ...signed, previous_secrets: [{ secret: 'old', until: iso(now + minute) }] };
    const request = await sentRequest(rotated, attempted(putEvent()));
    expect(request?.headers['webhook-signature']).toBe('v1,… v1,…');
  });

  it.each([
    ['a letter', 'x', 0],
    ['a letter of two bytes', 'é', 1],
    ['a replacement character, which the event contains itself', '\ufffd', 2],
    ['an emoji', '😀', 3],
  ])('ends after 256 KiB, or before a character that is cut there: %s', (_, character, cut) => {
    const size = Buffer.byteLength(character);
    const text = 'a'.repeat((262_144 - cut) % size) + character.repeat(262_144 / size + 1);
    const shown = showRequest({
      url: 'https://example.com/hook',
      headers: {},
      body: Buffer.from(text),
      timeoutMs: 0,
      credentials: [],
    });
    expect(Buffer.byteLength(shown.body)).toBe(262_144 - cut);
    expect(text.startsWith(shown.body)).toBe(true);
  });
});

describe('a redelivery', () => {
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
});

describe('the limits of a caller', () => {
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

  it('of pages of the log end a minute of reading, earlier with many webhooks, and for this caller only', async () => {
    const read = async (webhooks: number, count: number, of = caller) => {
      for (let page = 0; page < count; page++) await countLogPage(of, webhooks, systemClock());
    };
    const other: Caller = { ...caller, staffId: 'f'.repeat(24) as StaffId };
    await read(200, 600);
    await expect(read(1, 1)).rejects.toMatchObject({
      status: 429,
      message: 'You can read 600 pages of deliveries a minute.',
    });
    await read(1000, 120, other);
    await expect(read(1000, 1, other)).rejects.toMatchObject({ status: 429 });
    vi.setSystemTime(now + minute);
    await read(1000, 1, other);
    await read(1, 1);
  });

  it('apply to the member, in every session', async () => {
    await countReplay(inSession('1'), limits);
    await expect(countReplay(inSession('2'), limits)).rejects.toMatchObject({ status: 429 });
  });
});
