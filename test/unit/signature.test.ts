/** The signatures of deliveries, verified in the way that receivers verify them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { checkSignatures } from '../../infra/local/demo/signatures.ts';
import { signatures } from '../../shared/deliveries/sender/signature.ts';

const now = Date.now();
const input = {
  id: '0198a1b2c3d4e5f60718293a',
  body: '{"post":{"current":{"title":"Zoë – 漢字"},"previous":{}}}',
  now,
};
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ....').toString('base64')}`;
const older = `whsec_${Buffer.from('the secret from before rotation').toString('base64')}`;

/** Verifies as Ghost's receivers do (ghost.org/docs/webhooks, "Securing webhooks"): hash body and time, compare. */
const ghostVerifies = (header: string, body: string, key: string): boolean => {
  const { hash, time } = /^sha256=(?<hash>[0-9a-f]{64}), t=(?<time>\d+)$/.exec(header)?.groups ?? {};
  if (hash === undefined || time === undefined) return false;
  const expected = createHmac('sha256', key).update(`${body}${time}`).digest();
  return timingSafeEqual(Buffer.from(hash, 'hex'), expected);
};

describe('a delivery with a secret', () => {
  test('can be verified with a Standard Webhooks library', () => {
    const headers = signatures({ ...input, secrets: [secret] });
    expect(new Webhook(secret).verify(input.body, headers)).toEqual(JSON.parse(input.body));
  });

  test('can be verified with the raw bytes of a secret that has no prefix', () => {
    const headers = signatures({ ...input, secrets: ['häßliches Geheimnis'] });
    expect(
      new Webhook(new TextEncoder().encode('häßliches Geheimnis'), { format: 'raw' }).verify(input.body, headers),
    ).toEqual(JSON.parse(input.body));
  });

  test("can be verified with Ghost's signature, whose key is the whole secret", () => {
    const headers = signatures({ ...input, secrets: [secret] });
    expect(ghostVerifies(headers['X-Ghost-Signature'] ?? '', input.body, secret)).toBe(true);
    expect(headers['X-Ghost-Signature']).toMatch(new RegExp(`, t=${now}$`));
  });

  test('has its id, and its time in whole seconds, in the signed headers', () => {
    expect(signatures({ ...input, now: 1_700_000_000_999, secrets: [secret] })).toMatchObject({
      'webhook-id': input.id,
      'webhook-timestamp': '1700000000',
    });
  });

  test.each([
    ['body', { ...input, body: `${input.body} ` }],
    ['id', { ...input, id: '0198a1b2c3d4e5f60718293b' }],
    ['time', { ...input, now: now + 1000 }],
  ])('has another signature if its %s differs', (_title, changed) => {
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

  test('has the same signature as text and as bytes', () => {
    const text = signatures({ ...input, secrets: [secret] });
    expect(signatures({ ...input, body: Buffer.from(input.body), secrets: [secret] })).toEqual(text);
  });
});

describe('a delivery during a rotation of secrets', () => {
  const headers = signatures({ ...input, secrets: [secret, older] });

  test.each([
    ['newest', secret],
    ['older', older],
  ])('can be verified by a Standard Webhooks library with the %s secret', (_title, key) => {
    expect(new Webhook(key).verify(input.body, headers)).toEqual(JSON.parse(input.body));
  });

  test('has a Ghost signature for the newest secret only, because its header has room for one', () => {
    expect(ghostVerifies(headers['X-Ghost-Signature'] ?? '', input.body, secret)).toBe(true);
    expect(ghostVerifies(headers['X-Ghost-Signature'] ?? '', input.body, older)).toBe(false);
  });
});

describe('a delivery without a secret', () => {
  test('has id and time in its headers, but no signature', () => {
    expect(signatures({ ...input, now: 1_700_000_000_000, secrets: [] })).toEqual({
      'webhook-id': input.id,
      'webhook-timestamp': '1700000000',
    });
  });
});

describe('a delivery with any secret', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 191, minLength: 1 }),
    fc.string().map((text) => `whsec_${text}`),
  );

  test("has valid headers, and Ghost's signature can be verified", () => {
    fc.assert(
      fc.property(hostile, fc.string({ unit: 'binary' }), (key, body) => {
        const headers = signatures({ id: input.id, now, body, secrets: [key] });
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]+$/);
        expect(ghostVerifies(headers['X-Ghost-Signature'] ?? '', body, key)).toBe(true);
      }),
    );
  });
});

test('the local receiver shows both signatures as valid for the secret of the webhook only', () => {
  const sent = Object.entries(signatures({ ...input, secrets: [secret] }));
  const headers = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]));
  const checked = (key: string) => checkSignatures({ headers, body: input.body }, key).map(({ valid }) => valid);
  expect([checked(secret), checked(older)]).toEqual([
    [true, true],
    [false, false],
  ]);
});
