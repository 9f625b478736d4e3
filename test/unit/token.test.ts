/** Which tokens are accepted: times to the second, audience, and header and signature as in the library `jose`. */
import fc from 'fast-check';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { UnauthorizedError } from '../../shared/foundation/errors.ts';
import { readToken, verifyToken } from '../../shared/http/token.ts';
import { tokenWith } from '../support/token.ts';

const kid = '0123456789abcdef01234567';
const secret = '89abcdef'.repeat(8);
const key = `${kid}:${secret}`;
/** A time in the middle of a second, because tokens have whole seconds. */
const now = 1_800_000_000_700;
const seconds = 1_800_000_000;

const verify = async (claims: Readonly<Record<string, unknown>>, at = now) =>
  verifyToken(readToken(`Ghost ${tokenWith(key, { claims }, now)}`), secret, at);

describe('the age of a token', () => {
  it.each([
    ['just issued', { iat: seconds }],
    ['exactly 5 minutes old', { iat: seconds - 300, exp: seconds + 1 }],
    ['exactly 5 minutes ahead', { iat: seconds + 300, exp: seconds + 600 }],
    ['in its last second', { exp: seconds + 1 }],
    ['in its first second', { nbf: seconds }],
    ['with a fraction of a second', { iat: seconds - 299.5 }],
  ])('may be: %s', async (_, claims) => {
    await expect(verify(claims)).resolves.toBeUndefined();
  });

  it.each([
    ['a second older than 5 minutes', { iat: seconds - 301, exp: seconds + 1 }],
    ['a second more than 5 minutes ahead', { iat: seconds + 301, exp: seconds + 600 }],
    ['expired this second', { exp: seconds }],
    ['valid from the next second', { nbf: seconds + 1 }],
    ['issued at time 0', { iat: 0 }],
    ['issued at a negative time', { iat: -1 }],
    ['issued at an invalid time', { iat: 1e308 }],
  ])('must not be: %s', async (_, claims) => {
    const refusal = verify(claims);
    await expect(refusal).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(refusal).rejects.toMatchObject({ code: 'INVALID_JWT', status: 401 });
  });

  it('grows with time, until the token expires', async () => {
    await expect(verify({}, now + 299_000)).resolves.toBeUndefined();
    await expect(verify({}, now + 300_000)).rejects.toMatchObject({ code: 'INVALID_JWT' });
  });
});

describe('the audience of a token', () => {
  it.each([
    '/admin/',
    'admin',
    '/admin',
    'admin/',
    '/v2/admin/',
    '/canary/admin/',
    'https://example.com/ghost/api/admin/',
    ['x', '/admin/'],
  ])('may be %j', async (aud) => {
    await expect(verify({ aud })).resolves.toBeUndefined();
  });

  it.each([
    '',
    '/',
    '/administrator/',
    '/admin/webhooks',
    '/Admin/',
    [],
    [''],
    [7],
    { admin: '/admin/' },
    7,
    null,
    true,
  ])('must not be %j', async (aud) => {
    await expect(verify({ aud })).rejects.toMatchObject({ code: 'INVALID_JWT' });
  });
});

describe('the secret of a key', () => {
  it('must match the token', async () => {
    const other = `${'0'.repeat(63)}1`;
    const token = readToken(`Ghost ${tokenWith(key, {}, now)}`);
    expect(() => verifyToken(token, other, now)).toThrow(expect.objectContaining({ code: 'INVALID_JWT' }));
  });
});

describe('a token with any header, claims and signature', () => {
  /** Chooses the first value four times as often as all others together. */
  const mostly = <T>(usual: T, ...others: readonly T[]) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
  const times = [-2, -1, -0.5, 0, 0.5, 1, 2].map((offset) => seconds + offset);
  const time = mostly<unknown>(undefined, ...times, null, '', `${seconds}`, true, 1e308, -1e308);
  const claims = fc.record({ nbf: time, exp: time });
  const header = fc.record({
    alg: mostly<unknown>('HS256', 'hs256', 'HS384', 'HS512', 'none', 'RS256', '', null, 256, undefined),
    crit: mostly<unknown>(undefined, [], ['exp'], 'exp', null),
  });
  const hash = mostly('sha256', 'sha1', 'sha512');
  const damage = mostly<(jwt: string) => string>(
    (jwt) => jwt,
    (jwt) => `${jwt}A`,
    (jwt) => `${jwt}AA`,
    (jwt) => jwt.slice(0, -1),
    (jwt) => jwt.replace(/[^.]+$/, ''),
    (jwt) => jwt.replace(/\.[^.]+\./, (part) => `${part.slice(0, -1)}A.`),
    (jwt) => jwt.replace(/^[^.]+/, (part) => `${part}A`),
    (jwt) => `${jwt}.`,
    (jwt) => jwt.replace('.', '..'),
  );

  it('is accepted if and only if `jose` accepts it', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(header, claims, hash, damage, async (header, claims, hash, damaged) => {
        const jwt = damaged(tokenWith(key, { header, claims, hash }, now));
        const check = async () => verifyToken(readToken(`Ghost ${jwt}`), secret, now);
        const isAccepted = await check().then(
          () => true,
          (error: { readonly code: string }) => error.code !== 'INVALID_JWT',
        );
        const asReference = jwtVerify(jwt, Buffer.from(secret, 'hex'), {
          algorithms: ['HS256'],
          currentDate: new Date(now),
        });
        expect(isAccepted).toBe(
          await asReference.then(
            () => true,
            () => false,
          ),
        );
        accepted += Number(isAccepted);
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});
