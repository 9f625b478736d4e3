/** Every row of the table in docs/compatibility.md, "Errors". */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type SeededKeys, type TestResponse } from '../support/parts.ts';
import { apiEvent, lambdaContext } from '../support/parts-event.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const { create, update, remove, existing } = webhookCalls(stack);
let keys: SeededKeys;
beforeAll(async () => {
  keys = await stack.seed();
});

const badRequest = { status: 400, type: 'BadRequestError' };
const invalid = { status: 422, type: 'ValidationError' };
const notFound = { status: 404, type: 'NotFoundError' };
const noPermission = { status: 403, type: 'NoPermissionError' };

const writers = [
  ['POST webhooks', 'webhooks/create', '/admin/webhooks/', 'webhooks'],
  ['PUT webhooks', 'webhooks/update', '/admin/webhooks/0123456789abcdef01234567/', 'webhooks'],
  ['POST invites', 'invites/create', '/admin/invites/', 'invites'],
  ['POST events', 'events/publish', '/admin/events/', 'events'],
] as const;

const post = (body: string | undefined, headers: Record<string, string> = {}) =>
  stack.call('webhooks/create', { path: '/admin/webhooks/', body, headers, key: keys.integration });

describe('the JSON of a body', () => {
  it.each(writers)('returns 400 BadRequestError if it is malformed: %s', async (_, name, path) => {
    const body = '{"webhooks":[{"secret":"hunter2",}]}';
    const error = expectRefusal(await stack.call(name, { path, body, key: keys.owner }), badRequest);
    expect(error.message).toContain('JSON');
    expect(error.context).toMatch(/position \d+/);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it.each([
    ['cut off', '{"webhooks":[{'],
    ['single quotes', "{'webhooks':[{}]}"],
    ['a comment', '{"webhooks":[] /* none */}'],
    ['not a number', '{"webhooks":[{"name":NaN}]}'],
    ['two documents', '{"webhooks":[{}]}{}'],
    ['only blanks', '  \n '],
    ['a newline in a string', '{"webhooks":[{"name":"a\nb"}]}'],
    ['half of a surrogate pair', '{"webhooks":[{"name":"\\ud83c"}]}'],
    ['the halves of a surrogate pair in the wrong order', '{"webhooks":[{"name":"\\udfba\\ud83c"}]}'],
    ['half of a pair as a key', '{"\\ud83c":1,"webhooks":[]}'],
    [
      'a hundred levels in an unknown key',
      `{"webhooks":[{"event":"site.changed","target_url":"${newUrl()}","x":${'['.repeat(100)}${']'.repeat(100)}}]}`,
    ],
    ['thirty thousand levels', `{"webhooks":${'['.repeat(30_000)}`],
    ['a secret that the parser would quote', '{"webhooks":[{"secret": hunter2}]}'],
  ])('returns 400 BadRequestError for %s', async (_, body) => {
    const error = expectRefusal(await post(body), badRequest);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('may contain an escaped surrogate pair', async () => {
    const answer = await post(
      `{"webhooks":[{"event":"site.changed","target_url":"${newUrl()}","name":"\\ud83c\\udfba \\\\ud83c"}]}`,
    );
    expect(answer.status).toBe(201);
    expect(answer.body.webhooks[0].name).toBe('🎺 \\ud83c');
  });

  it('may contain many brackets inside strings, which do not count as nesting', async () => {
    const name = '[{"'.repeat(60);
    const answer = await create({ event: 'site.changed', target_url: newUrl(), name }, keys.integration);
    expect(answer.status).toBe(201);
  });
});

describe.each(writers)(
  '%s returns 400 BadRequestError for a body without an array of items below the root key',
  (_, name, path, root) => {
    const item = { event: 'site.changed', target_url: 'https://example.com/', email: 'a@example.com', payload: {} };
    const good = JSON.stringify({ [root]: [item] });
    it.each<[string, string | undefined, Record<string, string>]>([
      ['missing root key', '{}', {}],
      ['wrong root key', JSON.stringify({ tags: [item] }), {}],
      ['root key in the singular', JSON.stringify({ [root.slice(0, -1)]: [item] }), {}],
      ['root key in another case', JSON.stringify({ [root.toUpperCase()]: [item] }), {}],
      ['the item without a root', JSON.stringify(item), {}],
      ['an array without a root', JSON.stringify([item]), {}],
      ['null', 'null', {}],
      ['a number', '7', {}],
      ['a text', JSON.stringify(root), {}],
      ['root that is null', JSON.stringify({ [root]: null }), {}],
      ['root that is an object', JSON.stringify({ [root]: item }), {}],
      ['root that is a string', JSON.stringify({ [root]: 'all' }), {}],
      ['empty array', JSON.stringify({ [root]: [] }), {}],
      ['`[{}]`', JSON.stringify({ [root]: [{}] }), {}],
      ['an item that is null', JSON.stringify({ [root]: [null] }), {}],
      ['an item that is a string', JSON.stringify({ [root]: ['x'] }), {}],
      ['an item that is an array', JSON.stringify({ [root]: [[item]] }), {}],
      ['content type text/plain', good, { 'Content-Type': 'text/plain' }],
      ['content type of a form', good, { 'Content-Type': 'application/x-www-form-urlencoded' }],
      ['content type multipart', good, { 'Content-Type': 'multipart/form-data; boundary=x' }],
      ['content type of another JSON', good, { 'Content-Type': 'application/jsonp' }],
      ['empty content type', good, { 'Content-Type': '' }],
      ['empty body', '', {}],
      ['no body', undefined, {}],
    ])('%s', async (_, body, headers) => {
      const error = expectRefusal(await stack.call(name, { path, body, headers, key: keys.owner }), badRequest);
      expect(error.help).toContain(`{"${root}": [{…}]}`);
    });
  },
);

describe('an item whose id differs from the path returns 400 BadRequestError, property id', () => {
  it.each([
    ['another id', 'ffffffffffffffffffffffff'],
    ['upper case', 'path'],
    ['a number', 7],
    ['empty', ''],
  ])('%s', async (_, id) => {
    const { id: own } = await existing(keys.integration);
    const answer = await update(own, { id: id === 'path' ? own.toUpperCase() : id }, keys.integration);
    const error = expectRefusal(answer, { ...badRequest, property: 'id' });
    expect(error.message).toContain(own);
  });
});

describe.each([
  ['missing field', { target_url: 'https://example.com/' }, 'event', 'required'],
  ['wrong type', { event: 7, target_url: 'https://example.com/' }, 'event', 'type'],
  [
    'too long',
    { event: 'site.changed', target_url: 'https://example.com/', name: 'x'.repeat(192) },
    'name',
    'max_length',
  ],
  [
    'bad format',
    { event: 'site.changed', target_url: 'https://example.com/', api_version: '6' },
    'api_version',
    'format',
  ],
])(
  'the field error "%s" returns 422 ValidationError with the first field as property and every failure in details',
  (_, webhook, property, rule) => {
    it('names the field, the rule and the received type', async () => {
      const error = expectRefusal(await create(webhook, keys.integration), { ...invalid, property });
      expect(error.details).toHaveLength(1);
      expect(error.details?.[0]).toMatchObject({ index: 0, field: property, rule });
      expect(error.message).toContain(`\`${property}\``);
      expect(error.help).toContain(`\`${property}\``);
    });
  },
);

describe('a request with two items returns 422 ValidationError', () => {
  const two = () => [
    { event: 'site.changed', target_url: newUrl() },
    { event: 'site.changed', target_url: newUrl() },
  ];

  it('POST webhooks', async () => {
    const body = { webhooks: two() };
    const answer = await stack.call('webhooks/create', { path: '/admin/webhooks/', body, key: keys.integration });
    const error = expectRefusal(answer, { ...invalid, property: 'webhooks' });
    expect(error.details).toEqual([{ index: 1, field: 'webhooks', rule: 'max_items', limit: 1, received: '2 items' }]);
  });

  it('PUT webhooks', async () => {
    const { id } = await existing(keys.integration);
    const body = { webhooks: two() };
    const answer = await stack.call('webhooks/update', { path: `/admin/webhooks/${id}/`, body, key: keys.integration });
    expectRefusal(answer, { ...invalid, property: 'webhooks' });
  });
});

describe('a duplicate webhook returns 422 ValidationError', () => {
  it('POST', async () => {
    const { event, target_url } = await existing(keys.integration);
    const error = expectRefusal(await create({ event, target_url }, keys.integration), invalid);
    expect(error.message).toContain(event);
    // A target URL can contain a secret.
    expect(error.message).not.toContain(target_url);
  });

  it('PUT', async () => {
    const { target_url } = await existing(keys.integration);
    const { id } = await existing(keys.integration);
    expectRefusal(await update(id, { target_url }, keys.integration), invalid);
  });
});

describe('the details of a duplicate', () => {
  const limitsFor = async (key: string) => {
    const { id, target_url } = await existing(keys.integration);
    const { integration_id, ...other } = await existing(key === keys.otherIntegration ? key : keys.integration);
    const answers = [
      await create({ event: 'site.changed', target_url: target_url.toUpperCase(), integration_id }, key),
      await update(other.id, { target_url }, key),
    ];
    return {
      id,
      limits: answers.map((answer) => {
        const error = expectRefusal(answer, invalid);
        expect(error.details).toMatchObject([{ index: 0, field: 'target_url', rule: 'unique' }]);
        return error.details?.[0]?.limit;
      }),
    };
  };

  it('show the id of the existing webhook if the caller is the integration that owns it, or staff', async () => {
    for (const key of [keys.integration, keys.owner]) {
      const { id, limits } = await limitsFor(key);
      expect(limits).toEqual([id, id]);
    }
  });

  it('show no id if the caller is another integration', async () => {
    expect((await limitsFor(keys.otherIntegration)).limits).toEqual([null, null]);
  });
});

describe('a malformed id returns 422 ValidationError, property id', () => {
  it.each([
    '1',
    'abc',
    '0123456789abcdef0123456',
    '0123456789abcdef012345678',
    '0123456789ABCDEF01234567',
    '0123456789abcdef0123456g',
    '%00',
    '..%2f..',
    '__proto__',
    'null',
    '🎺',
  ])('%s', async (id) => {
    for (const answer of [await update(id, { name: 'x' }, keys.integration), await remove(id, keys.integration)]) {
      const error = expectRefusal(answer, { ...invalid, property: 'id' });
      expect(error.help).toContain('24 lower-case hex');
      expect(error.details?.[0]).toMatchObject({ index: null, field: 'id', rule: 'format' });
    }
  });
});

describe('an unknown id returns 404 NotFoundError', () => {
  it.each([
    ['PUT', () => update('ffffffffffffffffffffffff', { name: 'x' }, keys.integration)],
    ['DELETE', () => remove('ffffffffffffffffffffffff', keys.integration)],
  ])('%s', async (_, call) => {
    const error = expectRefusal(await call(), notFound);
    expect(error.message).toContain('ffffffffffffffffffffffff');
  });
});

describe('the webhook of another integration returns 403 NoPermissionError', () => {
  it.each([
    ['PUT', (id: string) => update(id, { name: 'x' }, keys.otherIntegration)],
    ['DELETE', (id: string) => remove(id, keys.otherIntegration)],
  ])('%s', async (_, call) => {
    const { id } = await existing(keys.integration);
    expectRefusal(await call(id), noPermission);
  });
});

describe('an invite', () => {
  const invite = (items: readonly object[], key = keys.owner): Promise<TestResponse> =>
    stack.call('invites/create', { path: '/admin/invites/', body: { invites: items }, key });
  const roleId = async (name: string): Promise<string> => {
    const answer = await stack.call('roles/list', { path: '/admin/roles/', key: keys.owner });
    return answer.body.roles.find((role: { name: string }) => role.name === name).id;
  };

  it.each(['owner@masthead.example', 'OWNER@Masthead.Example'])(
    "to a staff member's address returns 422 USER_ALREADY_REGISTERED, property email: %s",
    async (email) => {
      const answer = await invite([{ role_id: await roleId('Author'), email }]);
      const error = expectRefusal(answer, { ...invalid, code: 'USER_ALREADY_REGISTERED', property: 'email' });
      expect(error.message).toContain(email);
    },
  );

  it.each(['ffffffffffffffffffffffff', 'author', 'Author', ''])(
    'with an unknown role returns 404 NotFoundError, property role_id: %j',
    async (role_id) => {
      const error = expectRefusal(await invite([{ role_id, email: 'new@example.com' }]), {
        ...notFound,
        property: 'role_id',
      });
      expect(error.help).toContain('GET /admin/roles/');
    },
  );

  it.each([
    ['Owner', 'Owner'],
    ['Editor', 'Administrator'],
    ['Super Editor', 'Editor'],
  ])('returns 403 NoPermissionError if the caller cannot assign the role: %s assigns %s', async (caller, role) => {
    const answer = await invite([{ role_id: await roleId(role), email: 'new@example.com' }], keys.staff[caller]);
    const error = expectRefusal(answer, noPermission);
    expect(error.message).toContain(role);
  });

  it('returns 403 NoPermissionError if the caller, such as an Author, can assign no role', async () => {
    const item = { role_id: await roleId('Contributor'), email: 'new@example.com' };
    expect(expectRefusal(await invite([item], keys.staff.Author), noPermission).message).toContain('Author');
  });

  it('returns 422 ValidationError for too many items; details name the items above the limit', async () => {
    const role_id = await roleId('Author');
    const items = Array.from({ length: 52 }, (_, at) => ({ role_id, email: `person-${at}@example.com` }));
    const error = expectRefusal(await invite(items), { ...invalid, property: 'invites' });
    expect(error.details?.map(({ index }) => index)).toEqual([50, 51]);
  });

  it('returns 422 ValidationError if the request has its address twice, and details name the items', async () => {
    const role_id = await roleId('Author');
    const answer = await invite(
      ['a@example.com', 'b@example.com', 'A@Example.com'].map((email) => ({ role_id, email })),
    );
    const error = expectRefusal(answer, { ...invalid, property: 'email' });
    expect(error.details?.map(({ index }) => index)).toEqual([2]);
  });

  it('returns the status of the first failure, and details list addresses only if all roles are valid', async () => {
    const role_id = await roleId('Author');
    const good = { role_id, email: 'good@example.com' };
    const unknown = { role_id: 'f'.repeat(24), email: 'new@example.com' };
    const owner = { role_id: await roleId('Owner'), email: 'other@example.com' };
    const taken = { role_id, email: 'owner@masthead.example' };
    const alsoTaken = { role_id, email: 'editor@masthead.example' };
    const registered = { ...invalid, code: 'USER_ALREADY_REGISTERED', property: 'email' };
    const cases = [
      [[good, unknown, owner], { ...notFound, property: 'role_id' }, [1, 2]],
      [[good, owner, taken, unknown], noPermission, [1, 3]],
      [[taken, unknown, good], { ...notFound, property: 'role_id' }, [1]],
      [[taken, good, alsoTaken], registered, [0, 2]],
    ] as const;
    for (const [items, refusal, positions] of cases) {
      const error = expectRefusal(await invite(items), refusal);
      expect(error.details?.map(({ index }) => index)).toEqual(positions);
      expect(new Set(error.details?.map(({ field }) => field)).size).toBe(1);
    }
  });
});

describe('publishing', () => {
  const publish = (item: object): Promise<TestResponse> =>
    stack.call('events/publish', { path: '/admin/events/', body: { events: [item] }, key: keys.integration });

  it.each([
    ['an unknown event', { event: 'post.publishd', payload: {} }, 'event', 'known_event'],
    ['an event of 200,000 characters', { event: 'x'.repeat(200_000), payload: {} }, 'event', 'max_length'],
    ['a payload without the resource', { event: 'post.added', payload: { page: {} } }, 'payload', 'resource_key'],
    [
      'a payload with a part that is not an object',
      { event: 'post.added', payload: { post: { current: [] } } },
      'payload',
      'parts',
    ],
    ['an id with a dot', { id: 'a.b', event: 'site.changed', payload: {} }, 'id', 'format'],
    ['an id of 65 characters', { id: 'x'.repeat(65), event: 'site.changed', payload: {} }, 'id', 'max_length'],
  ])('returns 422 ValidationError and names the field for %s', async (_, item, property, rule) => {
    const error = expectRefusal(await publish(item), { ...invalid, property });
    expect(error.details).toHaveLength(1);
    expect(error.details?.[0]).toMatchObject({ index: 0, field: property, rule });
    expect(error.message.length).toBeLessThan(1000);
  });
});

describe('a body over the size limit returns 413 RequestEntityTooLargeError', () => {
  const bodyOf = (bytes: number, root: string) => {
    const start = `{"${root}":[{"name":"`;
    return `${start}${'x'.repeat(bytes - start.length - 4)}"}]}`;
  };
  const limits = [
    ['POST webhooks', 'webhooks/create', '/admin/webhooks/', 'webhooks', 64],
    ['PUT webhooks', 'webhooks/update', '/admin/webhooks/0123456789abcdef01234567/', 'webhooks', 64],
    ['POST invites', 'invites/create', '/admin/invites/', 'invites', 64],
    ['POST events', 'events/publish', '/admin/events/', 'events', 1024],
  ] as const;

  it.each(limits)('%s refuses one byte more than the limit', async (_, name, path, root, kib) => {
    const body = bodyOf(kib * 1024 + 1, root);
    expect(body).toHaveLength(kib * 1024 + 1);
    const error = expectRefusal(await stack.call(name, { path, body, key: keys.owner }), {
      status: 413,
      type: 'RequestEntityTooLargeError',
    });
    expect(error.message).toContain(String(kib * 1024));
  });

  it.each(limits)('%s accepts a body of exactly the limit', async (_, name, path, root, kib) => {
    const answer = await stack.call(name, { path, body: bodyOf(kib * 1024, root), key: keys.owner });
    expect(answer.status).toBe(422);
  });

  it('the limit counts bytes, not characters', async () => {
    const answer = await post(JSON.stringify({ webhooks: [{ name: '€'.repeat(22_000) }] }));
    expectRefusal(answer, { status: 413, type: 'RequestEntityTooLargeError' });
  });
});

describe('a compressed body or a charset other than UTF-8 returns 415 UnsupportedMediaTypeError', () => {
  const body = JSON.stringify({ webhooks: [{ event: 'site.changed', target_url: 'https://example.com/415' }] });
  const unsupported = { status: 415, type: 'UnsupportedMediaTypeError' };

  it.each(['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'gzip, identity', 'nonsense'])(
    'Content-Encoding: %s is refused',
    async (encoding) => {
      const error = expectRefusal(await post(body, { 'Content-Encoding': encoding }), unsupported);
      expect(error.message).toContain(encoding.toLowerCase());
      expect(error.help).toContain('Content-Encoding');
    },
  );

  it('a compressed body is refused in the form in which API Gateway passes binary bodies on', async () => {
    const event = apiEvent(
      {
        path: '/admin/webhooks/',
        method: 'POST',
        key: keys.integration,
        headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
      },
      '/admin/webhooks/',
      '/ghost/api',
    );
    const answer = (await stack.invoke('webhooks/create', {
      ...event,
      body: gzipSync(body).toString('base64'),
      isBase64Encoded: true,
    })) as { statusCode: number; body: string };
    expect(answer.statusCode).toBe(415);
    expect(JSON.parse(answer.body).errors[0].type).toBe('UnsupportedMediaTypeError');
  });

  it.each(['iso-8859-1', 'utf-16', 'UTF-16LE', '"windows-1252"', 'us-ascii'])(
    'charset=%s is refused',
    async (charset) => {
      expectRefusal(await post(body, { 'Content-Type': `application/json; charset=${charset}` }), unsupported);
    },
  );

  it('bytes that are not UTF-8 are refused', async () => {
    const event = apiEvent(
      {
        path: '/admin/webhooks/',
        method: 'POST',
        key: keys.integration,
        headers: { 'content-type': 'application/json' },
      },
      '/admin/webhooks/',
      '/ghost/api',
    );
    const bytes = Buffer.from('{"webhooks":[{"name":"\xe9"}]}', 'latin1').toString('base64');
    const answer = (await stack.invoke('webhooks/create', { ...event, body: bytes, isBase64Encoded: true })) as {
      statusCode: number;
    };
    expect(answer.statusCode).toBe(415);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; Charset="utf-8"',
    'application/json; charset=utf8',
    ' application/json ; x=y',
  ])('%s is accepted', async (type) => {
    const good = JSON.stringify({ webhooks: [{ event: 'site.changed', target_url: newUrl() }] });
    expect((await post(good, { 'Content-Type': type })).status).toBe(201);
  });

  it('Content-Encoding: identity is accepted', async () => {
    const good = JSON.stringify({ webhooks: [{ event: 'site.changed', target_url: newUrl() }] });
    expect((await post(good, { 'Content-Encoding': 'identity' })).status).toBe(201);
  });
});

it.each([
  ['unknown', { integration_id: 'ffffffffffffffffffffffff' }],
  ['missing', {}],
])('a staff key with %s `integration_id` returns 422 ValidationError, property integration_id', async (_, sent) => {
  const answer = await create({ event: 'site.changed', target_url: newUrl(), ...sent }, keys.owner);
  const error = expectRefusal(answer, { ...invalid, property: 'integration_id' });
  expect(error.details?.[0]).toMatchObject({ index: 0, field: 'integration_id' });
});

it('too many requests return 429 TooManyRequestsError with Retry-After', async () => {
  const { TooManyRequestsError } = await import('../../shared/foundation/errors.ts');
  const { renderingHandler } = await import('../../shared/http/endpoint.ts');
  const handler = renderingHandler('invites/create', async () => {
    throw new TooManyRequestsError('This key has reached its limit of invitations.', 12.3);
  });
  const answer = await handler(
    apiEvent({ path: '/admin/invites/' }, '/admin/invites/', '/ghost/api'),
    lambdaContext('test', 1),
  );
  expect(answer.statusCode).toBe(429);
  expect(answer.headers?.['Retry-After']).toBe('13');
  expect(JSON.parse(answer.body).errors[0].type).toBe('TooManyRequestsError');
});

it('a request that takes too long returns 503 ServiceUnavailableError before Lambda ends its function', async () => {
  const { renderingHandler } = await import('../../shared/http/endpoint.ts');
  const handler = renderingHandler('invites/create', () => new Promise(() => {}));
  const answer = await handler(
    apiEvent({ path: '/admin/invites/' }, '/admin/invites/', '/ghost/api'),
    lambdaContext('test', 1),
  );
  expect(answer.statusCode).toBe(503);
  expect(answer.headers?.['Retry-After']).toBeDefined();
});

it('an internal error returns 500 InternalServerError and shows nothing internal', async () => {
  // A malformed key in the table causes an internal error. Our code never writes one.
  const key = `${randomBytes(12).toString('hex')}:${randomBytes(32).toString('hex')}`;
  const [id, secret] = key.split(':');
  const Item = marshall({ pk: `KEY#${id}`, sk: 'KEY', id, secret });
  await stack.dynamodb.send(new PutItemCommand({ TableName: stack.tableName, Item }));
  const answer = await stack.call('roles/list', { path: '/admin/roles/', key });
  const error = expectRefusal(answer, { status: 500, type: 'InternalServerError' });
  expect(error.help).toContain('id of this error');
  expect(answer.text).not.toMatch(/TypeError|undefined|owner|stack|\.ts|node_modules|KEY#|masthead-/);
});

it('each error has an id of its own', async () => {
  const ids = await Promise.all([1, 2, 3].map(async () => expectRefusal(await post('{'), badRequest).id));
  expect(new Set(ids).size).toBe(3);
});
