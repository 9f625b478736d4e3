/** An attempt: its request, and the effect of its result on the delivery and the webhook. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judge, requestOf } from '../../shared/deliveries/attempt/attempt.ts';
import { expiresAt, messageOf, newDelivery } from '../../shared/deliveries/delivery.ts';
import { type Answered, noTimings, type SendErrorClass } from '../../shared/deliveries/sender/result.ts';
import { signatures } from '../../shared/deliveries/sender/signature.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';
import { noOptions } from '../../shared/webhooks/options-resource.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { failingWebhook } from '../support/notice.ts';

const rules = { keepDays: 30, retryAfterSeconds: [0, 5, 300] };
const now = Date.parse('2026-11-21T09:00:00Z');
const delivery = newDelivery(
  {
    delivery_id: '1'.repeat(24) as DeliveryId,
    webhook_id: '2'.repeat(24) as WebhookId,
    body_hash: 'f'.repeat(64),
    event: 'post.published',
    event_id: 'e1',
    created_at: new Date(now).toISOString(),
    attempt: 1,
    waits: 0,
    trigger: 'event',
  },
  rules,
  now,
);
const made = { apiVersion: 'v6.0', startedAt: now, now: now + 100, isProbe: false, wasLate: false };
const failed = (error: SendErrorClass) =>
  judge(delivery, { outcome: 'failed', error, durationMs: 0, timings: noTimings }, made, rules);

describe('an attempt', () => {
  it('is retried if DNS resolved to a forbidden address, because the next DNS answer may differ', () => {
    const { after, observation } = failed('forbidden');
    expect(after).toMatchObject({ status: 'retrying', last_error: 'forbidden', waiting_for: { reason: 'schedule' } });
    expect(observation).toMatchObject({ outcome: 'failed' });
  });

  it('is final if the URL itself has a forbidden address, and says nothing about the receiver', () => {
    const { after, observation } = failed('blocked');
    expect(after).toMatchObject({ status: 'blocked', last_error: 'blocked', next_attempt_at: null });
    expect(observation).toBeUndefined();
  });

  it.each<SendErrorClass>(['dns', 'connect', 'tls', 'tls_expired', 'timeout', 'reset', 'protocol'])(
    'that failed with %s is retried',
    (error) => {
      expect(failed(error).after).toMatchObject({ status: 'retrying', last_error: error });
    },
  );

  it('counts as hanging only if the request was sent', () => {
    expect(failed('timeout').observation).toMatchObject({ hung: true });
    expect(failed('connect').observation).toMatchObject({ hung: false });
  });
});

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
/** With the version of package.json, without its last number. */
const userAgent = `Masthead/${String(JSON.parse(read('package.json')).version).replace(/\.\d+$/, '')}`;

describe('the request of an attempt', () => {
  const webhook = failingWebhook({ secret: 'newest' });
  const event = {
    build: (version: string) => ({
      bytes: Buffer.from(version),
      contentVersion: `content ${version}`,
      parsed: () => ({}),
    }),
    created_at: '2026-11-21T08:59:00.000Z',
  };
  const requested = (changes: Partial<Webhook> = {}, event_id = 'e1') =>
    requestOf({ ...webhook, ...changes }, event, { ...messageOf(delivery), event_id }, now, 1234);

  it('has the body in the API version of its webhook, a deadline, and headers for event and attempt', () => {
    const request = requested();
    expect(request).toMatchObject({ url: webhook.target_url, body: Buffer.from('v6.0'), timeoutMs: 1234 });
    expect(request.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Content-Version': 'content v6.0',
      'User-Agent': userAgent,
      'Masthead-Event-Id': `e1.${'f'.repeat(12)}`,
      'Masthead-Event-Time': '2026-11-21T08:59:00.000Z',
      'Masthead-Attempt': '1',
      'Masthead-Trigger': 'event',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(now / 1000),
    });
  });

  it.each(['docs/openapi.json', 'docs/ghost.md'])('names the same version of Masthead as the example in %s', (file) => {
    const shown = read(file).match(/Masthead\/\d[\d.]*/g) ?? [];
    expect([...new Set(shown)]).toEqual([userAgent]);
  });

  // Behind the publisher's id stands what tells publishers apart.
  it.each([
    ['shop:order/17!~', 'shop:order/17!~'],
    ['', ''],
    ['an order', 'an%20order'],
    ['Zoë', 'Zo%C3%AB'],
    ['line\n', 'line%0A'],
    ['\nline', '%0Aline'],
    ['\ud800', '%EF%BF%BD'],
  ])('sends the event id `%s` as %s', (id, header) => {
    expect(requested({}, id).headers['Masthead-Event-Id']).toBe(`${header}.${'f'.repeat(12)}`);
  });

  it('has a header of its webhook once, instead of its own with the same name in another case', () => {
    const options = { ...noOptions, headers: { accept: 'application/json' } };
    const { headers } = requestOf(webhook, event, messageOf(delivery), now, 1234, options);
    expect(Object.entries(headers).filter(([name]) => name.toLowerCase() === 'accept')).toEqual([
      ['accept', 'application/json'],
    ]);
  });

  it('is signed with the current secret and every earlier secret that is still valid', () => {
    const until = (ms: number) => new Date(now + ms).toISOString();
    const previous_secrets = [
      { secret: 'valid', until: until(1) },
      { secret: 'over', until: until(0) },
    ];
    const signed = signatures({
      id: delivery.id,
      body: Buffer.from('v6.0'),
      now,
      secrets: ['newest', 'valid'],
    });
    expect(requested({ previous_secrets }).headers).toMatchObject(signed);
    expect(requested({ previous_secrets, secret: null }).headers).not.toHaveProperty('webhook-signature');
  });
});

describe('an answer', () => {
  const answered = (
    status: number,
    headers: Answered['headers'] = {},
    changes: Partial<Answered> = {},
    before = delivery,
  ) =>
    judge(
      before,
      {
        outcome: 'answered',
        status,
        headers,
        excerpt: '',
        durationMs: 20.6,
        timings: noTimings,
        ...changes,
      },
      made,
      rules,
    );

  it.each([
    [200, 'delivered', null],
    [299, 'delivered', null],
    [199, 'retrying', 'status'],
    [300, 'retrying', 'status'],
    [404, 'retrying', 'status'],
    [410, 'held', 'status'],
    [500, 'retrying', 'status'],
  ] as const)('with status %i makes the delivery %s', (status, expected, error) => {
    expect(answered(status).after).toMatchObject({
      status: expected,
      attempts: 1,
      last_status: String(status),
      last_error: error,
      api_version: 'v6.0',
    });
  });

  it.each([
    [200, 'answered'],
    [410, 'answered'],
    [499, 'answered'],
    [500, 'failed'],
  ] as const)('with status %i counts as: the receiver has %s', (status, outcome) => {
    expect(answered(status).observation).toEqual({
      outcome,
      hung: false,
      wasLate: false,
      pauseMs: 0,
      isProbe: false,
    });
  });

  it('is logged with its rounded duration and the start of its body, or null without a body', () => {
    const [attempt] = answered(200, {}, { excerpt: 'OK' }).after.log;
    expect(attempt).toEqual({
      number: 1,
      started_at: new Date(now).toISOString(),
      duration_ms: 21,
      timings: noTimings,
      status: '200',
      error: null,
      response: 'OK',
    });
    expect(answered(200).after.log).toMatchObject([{ response: null }]);
    expect(failed('timeout').after.log).toMatchObject([{ status: null, error: 'timeout', response: null }]);
  });

  it("that ends the delivery clears its next attempt; the delivery's expiry counts from that moment", () => {
    const { after } = answered(204);
    expect(after).toMatchObject({ next_attempt_at: null, waiting_for: null, expires_at: expiresAt(now + 100, rules) });
  });

  it('to the last attempt makes the delivery failed if it is not a success', () => {
    const last = { ...delivery, status: 'retrying' as const, attempts: 2, log: failed('timeout').after.log };
    const { after } = answered(500, {}, {}, last);
    expect(after).toMatchObject({ status: 'failed', attempts: 3, next_attempt_at: null, waiting_for: null });
    expect(after.log.map(({ number }) => number)).toEqual([1, 3]);
  });

  it.each([
    [429, {}, 30_000],
    [503, {}, 30_000],
    [429, { 'retry-after': '60' }, 60_000],
    [503, { 'retry-after': '900' }, 900_000],
    [503, { 'retry-after': '901' }, 900_000],
    [500, { 'retry-after': '60' }, 0],
    [404, { 'retry-after': '60' }, 0],
  ])('with status %i and headers %o asks for a pause of %i ms', (status, headers, pauseMs) => {
    expect(answered(status, headers).observation).toMatchObject({ pauseMs });
  });

  it('with Retry-After delays the next attempt', () => {
    const { after } = answered(503, { 'retry-after': '60' });
    expect(after.waiting_for).toEqual({ reason: 'retry_after', until: new Date(now + 100 + 60_000).toISOString() });
  });

  it.each([500, 404, 302])('with status %i and Retry-After delays the next attempt of this delivery, too', (status) => {
    const { after } = answered(status, { 'retry-after': '60' });
    expect(after.waiting_for).toEqual({ reason: 'retry_after', until: new Date(now + 100 + 60_000).toISOString() });
  });

  it.each([
    ['disable', true],
    [' Disable ', true],
    ['enable', false],
    [undefined, false],
  ])('with the header `webhook-delivery: %s` declines further deliveries: %s', (value, isDeclined) => {
    const headers = value === undefined ? {} : { 'webhook-delivery': value };
    for (const status of [200, 500]) expect(answered(status, headers).isDeclined).toBe(isDeclined);
    expect(answered(410, headers).isDeclined).toBe(true);
  });
});
