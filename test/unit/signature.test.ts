/** The signatures of deliveries, verified as receivers do. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signatures } from '../../shared/deliveries/sender/signature.ts';

const now = Date.now();
const input = {
  id: '0198a1b2c3d4e5f60718293a',
  body: '{"post":{"current":{"title":"Zoë – 漢字"},"previous":{}}}',
  now,
};
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ....').toString('base64')}`;
const older = `whsec_${Buffer.from('the secret from before rotation').toString('base64')}`;

/** Verifies like a receiver of Ghost's webhooks (ghost.org/docs/webhooks, "Securing webhooks"): parse, hash body and time, compare. */
const ghostVerifies = (header: string, body: string, key: string): boolean => {
  const { hash, time } = /^sha256=(?<hash>[0-9a-f]{64}), t=(?<time>\d+)$/.exec(header)?.groups ?? {};
  if (hash === undefined || time === undefined) return false;
  const expected = createHmac('sha256', key).update(`${body}${time}`).digest();
  return timingSafeEqual(Buffer.from(hash, 'hex'), expected);
};

describe('with a secret', () => {
  test('a Standard Webhooks receiver verifies the delivery', () => {
    const headers = signatures({ ...input, secrets: [secret] });
    expect(new Webhook(secret).verify(input.body, headers)).toEqual(JSON.parse(input.body));
  });

  test('a Standard Webhooks receiver verifies a secret without the prefix by its bytes', () => {
    const headers = signatures({ ...input, secrets: ['häßliches Geheimnis'] });
    expect(
      new Webhook(new TextEncoder().encode('häßliches Geheimnis'), { format: 'raw' }).verify(input.body, headers),
    ).toEqual(JSON.parse(input.body));
  });

  test("a receiver of Ghost's signature verifies it with the whole secret as the key", () => {
    const headers = signatures({ ...input, secrets: [secret] });
    expect(ghostVerifies(headers['X-Ghost-Signature'] ?? '', input.body, secret)).toBe(true);
    expect(headers['X-Ghost-Signature']).toMatch(new RegExp(`, t=${now}$`));
  });

  test('the id is the delivery’s, and the timestamp is in whole seconds', () => {
    expect(signatures({ ...input, now: 1_700_000_000_999, secrets: [secret] })).toMatchObject({
      'webhook-id': input.id,
      'webhook-timestamp': '1700000000',
    });
  });

  test.each([
    ['body', { ...input, body: `${input.body} ` }],
    ['id', { ...input, id: '0198a1b2c3d4e5f60718293b' }],
    ['time', { ...input, now: now + 1000 }],
  ])('another %s has another signature', (_title, changed) => {
    const one = signatures({ ...input, secrets: [secret] });
    const other = signatures({ ...changed, secrets: [secret] });
    expect(other['webhook-signature']).not.toBe(one['webhook-signature']);
    expect(() =>
      new Webhook(secret).verify(changed.body, {
        ...other,
        'webhook-signature': one['webhook-signature'] ?? '',
      }),
    ).toThrow();
  });

  test('bytes are signed like their text', () => {
    const text = signatures({ ...input, secrets: [secret] });
    expect(signatures({ ...input, body: Buffer.from(input.body), secrets: [secret] })).toEqual(text);
  });
});

describe('during a rotation', () => {
  const headers = signatures({ ...input, secrets: [secret, older] });

  test.each([
    ['newest', secret],
    ['older', older],
  ])('a Standard Webhooks receiver verifies with the %s secret', (_title, key) => {
    expect(new Webhook(key).verify(input.body, headers)).toEqual(JSON.parse(input.body));
  });

  test("Ghost's signature uses the newest, because its header has room for one", () => {
    expect(ghostVerifies(headers['X-Ghost-Signature'] ?? '', input.body, secret)).toBe(true);
    expect(ghostVerifies(headers['X-Ghost-Signature'] ?? '', input.body, older)).toBe(false);
  });
});

describe('without a secret', () => {
  test('id and time are sent, and nothing is signed', () => {
    expect(signatures({ ...input, now: 1_700_000_000_000, secrets: [] })).toEqual({
      'webhook-id': input.id,
      'webhook-timestamp': '1700000000',
    });
  });
});

describe('with any secret', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 191, minLength: 1 }),
    fc.string().map((text) => `whsec_${text}`),
  );

  test('the headers are valid, and Ghost verifies them', () => {
    fc.assert(
      fc.property(hostile, fc.string({ unit: 'binary' }), (key, body) => {
        const headers = signatures({ id: input.id, now, body, secrets: [key] });
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]+$/);
        expect(ghostVerifies(headers['X-Ghost-Signature'] ?? '', body, key)).toBe(true);
      }),
    );
  });
});
