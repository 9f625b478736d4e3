/** Every row of the table in docs/compatibility.md, "Authentication", and tokens that are barely valid. */
import { randomBytes } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type SeededKeys, type TestResponse } from '../support/parts.ts';
import { base64, tokenWith } from '../support/token.ts';

const stack = await freshStack();
let keys: SeededKeys;
beforeAll(async () => {
  keys = await stack.seed();
});

const withHeader = (authorization?: string): Promise<TestResponse> =>
  stack.call('roles/list', {
    path: '/admin/roles/',
    headers: authorization === undefined ? {} : { Authorization: authorization },
  });
const withToken = (token: string) => withHeader(`Ghost ${token}`);
const token = (parts: Parameters<typeof tokenWith>[1]) => tokenWith(keys.integration, parts);
const seconds = () => Math.floor(Date.now() / 1000);

describe('a request without credentials returns 403 NoPermissionError', () => {
  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a blank header', '   '],
  ])('%s', async (_, header) => {
    const error = expectRefusal(await withHeader(header), { status: 403, type: 'NoPermissionError' });
    expect(error.help).toContain('Authorization: Ghost');
  });
});

describe('another scheme, or a scheme without a token, returns 401 UnauthorizedError INVALID_AUTH_HEADER', () => {
  it.each([
    ['Bearer', () => `Bearer ${adminToken(keys.integration)}`],
    ['Basic', () => 'Basic Z2hvc3Q6Z2hvc3Q='],
    ['a scheme without a token', () => 'Ghost'],
    ['a scheme and blanks', () => 'Ghost   '],
    ['a token without a scheme', () => adminToken(keys.integration)],
    ['two tokens', () => `Ghost ${adminToken(keys.integration)} ${adminToken(keys.integration)}`],
    ['the key itself, without a scheme', () => keys.integration],
  ])('%s', async (_, header) => {
    expectRefusal(await withHeader(header()), { status: 401, type: 'UnauthorizedError', code: 'INVALID_AUTH_HEADER' });
  });
});

describe('a token that is not a JWT returns 400 BadRequestError INVALID_JWT', () => {
  const kid = '0123456789abcdef01234567';
  it.each([
    ['one part', 'nonsense'],
    ['two parts', `${base64({ alg: 'HS256', kid })}.${base64({})}`],
    ['four parts', `${base64({ alg: 'HS256', kid })}.${base64({})}.c2ln.c2ln`],
    ['a header that is not JSON', `bm90IGpzb24.${base64({})}.c2ln`],
    ['a header that is not an object', `${base64([kid])}.${base64({})}.c2ln`],
    ['a payload that is not JSON', `${base64({ alg: 'HS256', kid })}.bm90IGpzb24.c2ln`],
    ['a payload that is not an object', `${base64({ alg: 'HS256', kid })}.${base64('text')}.c2ln`],
    ['characters outside base64url', `${base64({ alg: 'HS256', kid })}.${base64({})}.c2&ln`],
    ['empty parts', '..'],
    ['the key itself', `${kid}:${'ab'.repeat(32)}`],
  ])('it has %s', async (_, jwt) => {
    expectRefusal(await withToken(jwt), { status: 400, type: 'BadRequestError', code: 'INVALID_JWT' });
  });
});

describe('a token without a kid returns 400 BadRequestError MISSING_ADMIN_API_KID', () => {
  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['null', null],
    ['a number', 24],
  ])('its kid is %s', async (_, kid) => {
    const error = expectRefusal(await withToken(token({ header: { kid } })), {
      status: 400,
      type: 'BadRequestError',
      code: 'MISSING_ADMIN_API_KID',
    });
    expect(error.help).toContain('before the colon');
  });
});

describe('a token with an unknown kid returns 401 UnauthorizedError UNKNOWN_ADMIN_API_KEY', () => {
  it.each([
    ['an id that no key has', () => randomBytes(12).toString('hex')],
    ['no id at all', () => 'my-key'],
    ['upper case', () => keys.integration.slice(0, 24).toUpperCase()],
    ['a whole key', () => keys.integration],
    ['a very long id', () => 'a'.repeat(5000)],
    ['a property of objects', () => '__proto__'],
  ])('its kid is %s', async (_, kid) => {
    expectRefusal(await withToken(token({ header: { kid: kid() } })), {
      status: 401,
      type: 'UnauthorizedError',
      code: 'UNKNOWN_ADMIN_API_KEY',
    });
  });

  it('its kid is the key of a removed staff member', async () => {
    const key = `${randomBytes(12).toString('hex')}:${randomBytes(32).toString('hex')}`;
    const [id, secret] = key.split(':');
    const owner = { kind: 'staff', staff_id: randomBytes(12).toString('hex') };
    await stack.dynamodb.send(
      new PutItemCommand({
        TableName: stack.tableName,
        Item: marshall({ pk: `KEY#${id}`, sk: 'KEY', id, secret, owner, created_at: new Date().toISOString() }),
      }),
    );
    expectRefusal(await withToken(adminToken(key)), {
      status: 401,
      type: 'UnauthorizedError',
      code: 'UNKNOWN_ADMIN_API_KEY',
    });
  });
});

describe.each([
  ['bad signature', () => token({ secret: 'ab'.repeat(32) })],
  ['bad signature (an empty one)', () => token({}).replace(/[^.]*$/, '')],
  [
    'bad signature (the secret as text instead of its bytes)',
    () => token({ secret: Buffer.from(keys.integration.slice(25)).toString('hex') }),
  ],
  [
    'bad signature (claims changed afterwards)',
    () => token({}).replace(/\.[^.]*\./, `.${base64({ iat: seconds(), aud: '/admin/' })}.`),
  ],
  ['bad algorithm (none)', () => `${token({ header: { alg: 'none' } }).replace(/[^.]*$/, '')}`],
  ['bad algorithm (HS512, correctly signed)', () => token({ header: { alg: 'HS512' }, hash: 'sha512' })],
  ['bad algorithm (RS256)', () => token({ header: { alg: 'RS256' } })],
  ['bad algorithm (absent)', () => token({ header: { alg: undefined } })],
  ['bad algorithm (an unsupported critical extension)', () => token({ header: { crit: ['b64'], b64: false } })],
  ['bad audience', () => token({ claims: { aud: '/content/' } })],
  ['bad audience (none)', () => token({ claims: { aud: undefined } })],
  ['bad audience (an array without one)', () => token({ claims: { aud: ['/content/', '/members/'] } })],
  ['bad audience (more behind it)', () => token({ claims: { aud: '/admin/users' } })],
  ['expired', () => token({ claims: { exp: seconds() - 10 } })],
  ['expired (`exp` is not a number)', () => token({ claims: { exp: 'never' } })],
  ['too old', () => token({ claims: { iat: seconds() - 310, exp: seconds() + 300 } })],
  ['not yet valid', () => token({ claims: { nbf: seconds() + 60 } })],
  ['not yet valid (issued in the future)', () => token({ claims: { iat: seconds() + 320, exp: seconds() + 600 } })],
  ['no `iat`', () => token({ claims: { iat: undefined } })],
  ['no `iat` (a text)', () => token({ claims: { iat: String(seconds()) } })],
])('a token with this fault returns 401 UnauthorizedError INVALID_JWT: %s', (name, mint) => {
  it('and the error names the reason', async () => {
    const error = expectRefusal(await withToken(mint()), {
      status: 401,
      type: 'UnauthorizedError',
      code: 'INVALID_JWT',
    });
    const reasons: Record<string, RegExp> = {
      signature: /signature|HS256/,
      algorithm: /HS256/,
      audience: /`aud`/,
      expired: /`exp`|expired/,
      old: /`iat`.* seconds ago; the limit is 300/,
      valid: /`nbf`|`iat`.* future/,
      iat: /`iat`/,
    };
    const [, reason] = Object.entries(reasons).find(([word]) => name.includes(word)) ?? [];
    expect(error.message).toMatch(reason ?? /never/);
    expect(JSON.stringify(error)).not.toContain(keys.integration.slice(25));
  });
});

describe('a valid token returns 200', () => {
  it.each([
    ['as the official client mints it', () => `Ghost ${adminToken(keys.integration)}`],
    ['of a staff member', () => `Ghost ${adminToken(keys.owner)}`],
    ['with the scheme in lower case', () => `ghost ${adminToken(keys.integration)}`],
    ['with the scheme in upper case', () => `GHOST ${adminToken(keys.integration)}`],
    ['with blanks around', () => `  Ghost   ${adminToken(keys.integration)} `],
    ['without `exp`', () => `Ghost ${token({ claims: { exp: undefined } })}`],
    ['for `admin`', () => `Ghost ${token({ claims: { aud: 'admin' } })}`],
    ['for `/v3/admin/`, as for older versions', () => `Ghost ${token({ claims: { aud: '/v3/admin/' } })}`],
    ['for several audiences', () => `Ghost ${token({ claims: { aud: ['/content/', '/admin/'] } })}`],
    ['nearly five minutes old', () => `Ghost ${token({ claims: { iat: seconds() - 290, exp: seconds() + 10 } })}`],
    ['of a clock nearly five minutes ahead', () => `Ghost ${token({ claims: { iat: seconds() + 290 } })}`],
    ['valid since a moment', () => `Ghost ${token({ claims: { nbf: seconds() - 1 } })}`],
  ])('%s', async (_, header) => {
    expect((await withHeader(header())).status).toBe(200);
  });

  it.each(['authorization', 'AUTHORIZATION', 'aUtHoRiZaTiOn'])(
    'even if the header name is written %s',
    async (name) => {
      const answer = await stack.call('roles/list', {
        path: '/admin/roles/',
        headers: { [name]: `Ghost ${adminToken(keys.integration)}` },
      });
      expect(answer.status).toBe(200);
    },
  );
});
