/** The time limits of tokens to the second, with an injected clock. */
import { describe, expect, it } from 'vitest';
import { UnauthorizedError } from '../../shared/foundation/errors.ts';
import { readToken, verifyToken } from '../../shared/http/token.ts';
import { tokenWith } from '../support/token.ts';

const kid = '0123456789abcdef01234567';
const secret = '89abcdef'.repeat(8);
const key = `${kid}:${secret}`;
/** A time in the middle of a second, because tokens use whole seconds. */
const now = 1_800_000_000_700;
const seconds = 1_800_000_000;

const verify = (claims: Readonly<Record<string, unknown>>, at = now) =>
  verifyToken(readToken(`Ghost ${tokenWith(key, { claims }, now)}`), secret, at);

describe('the age of a token', () => {
  it.each([
    ['just issued', { iat: seconds }],
    ['exactly 5 minutes old', { iat: seconds - 300, exp: seconds + 1 }],
    ['exactly 5 minutes ahead', { iat: seconds + 300, exp: seconds + 600 }],
    ['in its last second', { exp: seconds + 1 }],
    ['in its first second', { nbf: seconds }],
    ['with a fraction of a second', { iat: seconds - 299.5 }],
  ])('%s: accepted', async (_, claims) => {
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
  ])('%s: refused', async (_, claims) => {
    const refusal = verify(claims);
    await expect(refusal).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(refusal).rejects.toMatchObject({ code: 'INVALID_JWT', status: 401 });
  });

  it('increases with time', async () => {
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
  ])('%j: accepted', async (aud) => {
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
  ])('%j: refused', async (aud) => {
    await expect(verify({ aud })).rejects.toMatchObject({ code: 'INVALID_JWT' });
  });
});

describe('the secret', () => {
  it('is decoded from hex', async () => {
    const other = `${'0'.repeat(63)}1`;
    await expect(verifyToken(readToken(`Ghost ${tokenWith(key, {}, now)}`), other, now)).rejects.toMatchObject({
      code: 'INVALID_JWT',
    });
  });
});
