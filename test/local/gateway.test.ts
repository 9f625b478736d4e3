/** The emulated API Gateway: the events that it passes to functions, and the responses that it makes itself. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GatewayResponse, RouteTable } from '../../infra/emulator/gateway/routes.ts';
import { type Gateway, startGateway } from '../../infra/emulator/gateway/server.ts';
import type { Run } from '../../infra/emulator/lambda/environment.ts';

let gateway: Gateway;
let events: APIGatewayProxyEvent[];
let run: Run;

const routes = (responses: [string, GatewayResponse][] = []): RouteTable => ({
  find: (_method, path) =>
    path.startsWith('/known') ? { resource: '/known/{id}', functionName: 'f', pathParameters: { id: '1' } } : undefined,
  responses: new Map(responses),
  stage: 'local',
});

const serve = (table = routes(), { resumed = async () => {}, answer = async () => run } = {}) =>
  gateway.serve(table, () => ({
    resumed,
    invoke: (event) => {
      events.push(event as APIGatewayProxyEvent);
      return answer();
    },
  }));

const request = (path: string, init?: RequestInit) => fetch(`${gateway.origin}${path}`, init);

beforeEach(async () => {
  gateway = await startGateway({ port: 0 });
  events = [];
  run = { ok: true, result: { statusCode: 200, body: '{}' }, ms: 1 };
});

afterEach(async () => {
  vi.restoreAllMocks();
  await gateway.end();
});

test('a function receives the event of a REST proxy integration', async () => {
  serve();
  const headers = { 'X-Custom': 'Value', Accept: 'text/plain' };
  await request('/known/1/?a=1&a=2&b=%C3%A4', { method: 'POST', body: 'äöü', headers });
  expect(events[0]).toMatchObject({
    resource: '/known/{id}',
    path: '/known/1/',
    httpMethod: 'POST',
    pathParameters: { id: '1' },
    queryStringParameters: { a: '2', b: 'ä' },
    multiValueQueryStringParameters: { a: ['1', '2'], b: ['ä'] },
    body: 'äöü',
    isBase64Encoded: false,
    requestContext: { stage: 'local', identity: { sourceIp: '127.0.0.1' } },
  });
  const given = Object.entries(events[0]?.headers ?? {}).find(([name]) => name.toLowerCase() === 'x-custom');
  expect(given?.[1]).toBe('Value');
});

test('absent query, body and path parameters are null in the event', async () => {
  serve();
  await request('/known');
  expect(events[0]).toMatchObject({ queryStringParameters: null, multiValueQueryStringParameters: null, body: null });
});

test('queries and headers may have the names of JavaScript object members', async () => {
  serve();
  await request('/known?constructor=1&__proto__=2&toString=3', { headers: { constructor: '4' } });
  const [event] = events;
  expect(Object.entries(event?.multiValueQueryStringParameters ?? {})).toEqual([
    ['constructor', ['1']],
    ['__proto__', ['2']],
    ['toString', ['3']],
  ]);
  expect(Object.entries(event?.multiValueHeaders ?? {})).toContainEqual(['constructor', ['4']]);
});

test('the function sets status, headers and body, and a 204 has neither body nor type', async () => {
  run = { ok: true, result: { statusCode: 201, headers: { Location: '/here' }, body: '{"a":1}' }, ms: 1 };
  serve();
  const created = await request('/known');
  expect([created.status, created.headers.get('location'), await created.json()]).toEqual([201, '/here', { a: 1 }]);
  run = { ok: true, result: { statusCode: 204, headers: {} }, ms: 1 };
  const deleted = await request('/known', { method: 'DELETE' });
  expect([deleted.status, deleted.headers.get('content-type'), await deleted.text()]).toEqual([204, null, '']);
});

test.each([
  ['gzip', 'br, gzip;q=0.8'],
  ['deflate', 'deflate'],
])('a body of at least the minimum size is compressed with %s for a client that accepts it', async (coding, accept) => {
  const [small, large] = ['a'.repeat(99), 'ä'.repeat(50)];
  serve({ ...routes(), minimumCompressionSize: 100 });
  for (const [body, expected] of [
    [small, null],
    [large, coding],
  ] as const) {
    run = { ok: true, result: { statusCode: 200, body }, ms: 1 };
    const answer = await request('/known', { headers: { 'Accept-Encoding': accept } });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([expected, body]);
  }
});

test('different bodies of the same size are compressed correctly, one after the other', async () => {
  serve({ ...routes(), minimumCompressionSize: 100 });
  for (const letter of ['a', 'b', 'a', 'b'])
    for (const coding of ['gzip', 'deflate']) {
      const body = letter.repeat(100);
      run = { ok: true, result: { statusCode: 200, body }, ms: 1 };
      const answer = await request('/known', { headers: { 'Accept-Encoding': coding } });
      expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([coding, body]);
    }
});

test.each([
  ['a client that names no coding', { 'Accept-Encoding': '*' }, {}],
  ['a client of a function that encoded the body', { 'Accept-Encoding': 'gzip' }, { 'Content-Encoding': 'identity' }],
])('%s receives the body exactly as the function returned it', async (_case, sent, headers) => {
  run = { ok: true, result: { statusCode: 200, headers, body: 'a'.repeat(100) }, ms: 1 };
  serve({ ...routes(), minimumCompressionSize: 100 });
  const answer = await request('/known', { headers: sent });
  expect(answer.headers.get('content-encoding')).not.toBe('gzip');
  expect(answer.headers.get('content-length')).toBe('100');
  expect(await answer.text()).toBe('a'.repeat(100));
});

test.each<[string, Run]>([
  ['threw', { ok: false, error: { name: 'Error', message: 'secret' }, ms: 1 }],
  ['returned something else', { ok: true, result: 'hello', ms: 1 }],
  ['returned no status', { ok: true, result: { body: '' }, ms: 1 }],
])('a function that %s leads to a 502 without details', async (_case, outcome) => {
  run = outcome;
  serve();
  const answer = await request('/known');
  expect([answer.status, await answer.json()]).toEqual([502, { message: 'Internal server error' }]);
});

test.each<[string, object]>([
  ['value', { headers: { 'X-Good': '1', Location: '/webhooks/🎺' } }],
  ['name', { headers: { 'X Y': '1' } }],
  ['value among several', { multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=\n'] } }],
])('an invalid header %s in a response leads to a 502, and the next request works', async (_what, answer) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  run = { ok: true, result: { statusCode: 201, ...answer, body: '{}' }, ms: 1 };
  serve();
  const broken = await request('/known');
  expect([broken.status, await broken.json()]).toEqual([502, { message: 'Internal server error' }]);
  expect(broken.headers.get('x-good')).toBe(null);
  expect(logged.mock.calls.flat().join()).toMatch(/^f: its result is not a valid response: .*header/i);
  run = { ok: true, result: { statusCode: 200, body: '{}' }, ms: 1 };
  expect((await request('/known')).status).toBe(200);
});

test('a failure outside the function leads to a 502', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  gateway.serve(routes(), () => {
    throw new Error('no pool');
  });
  expect((await request('/known')).status).toBe(502);
});

test("the gateway's own responses follow the template, and specific types precede the default", async () => {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  serve(
    routes([
      ['DEFAULT_5XX', { status: undefined, headers, template: '{"text":$context.error.messageString}' }],
      ['MISSING_AUTHENTICATION_TOKEN', { status: 404, headers, template: '{"id":"$context.requestId"}' }],
    ]),
  );
  const unknown = await request('/unknown');
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  expect(await unknown.json()).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  run = { ok: false, error: { name: 'Error', message: 'no' }, ms: 1 };
  const broken = await request('/known');
  expect([broken.status, await broken.json()]).toEqual([502, { text: 'Internal server error' }]);
});

describe('a function that takes longer than 29 s', () => {
  const minute = 60_000;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('gets no more time: the answer is 504', async () => {
    const { promise: called, resolve: call } = Promise.withResolvers<void>();
    serve(routes(), {
      answer: () => {
        call();
        return new Promise<never>(() => {});
      },
    });
    const answer = request('/known');
    await called;
    vi.advanceTimersByTime(minute);
    expect((await answer).status).toBe(504);
  });

  test('may take longer while its bundle is being built', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const bundle = Promise.withResolvers<void>();
    serve(routes(), {
      resumed: () => {
        ask();
        return bundle.promise;
      },
    });
    const answer = request('/known');
    await asked;
    vi.advanceTimersByTime(minute);
    bundle.resolve();
    expect((await answer).status).toBe(200);
  });
});

test('a body over ten MiB is refused without calling the function', async () => {
  serve();
  const answer = await request('/known', { method: 'POST', body: 'x'.repeat(10 * 1024 * 1024 + 1) });
  expect([answer.status, events.length]).toEqual([413, 0]);
});

test("a body that exceeds Lambda's limit once it is escaped is refused without calling the function", async () => {
  serve();
  const post = (body: string) => request('/known', { method: 'POST', body });
  expect((await post('x'.repeat(6 * 1024 * 1024 - 10_000))).status).toBe(200);
  expect(events).toHaveLength(1);
  expect((await post('"'.repeat(4 * 1024 * 1024))).status).toBe(413);
  expect(events).toHaveLength(1);
});

test('requests wait until the stack is ready', async () => {
  const early = request('/known');
  serve();
  expect((await early).status).toBe(200);
});
