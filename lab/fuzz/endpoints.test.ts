/**
 * Every request gets a documented response, and none is a 500: `npm --prefix lab run fuzz` sends 20,000
 * generated requests to every endpoint, each test run 40. `FUZZ_SEED` repeats a run, `FUZZ_RUNS` sets their number.
 */
import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { bodyOf } from '../../infra/openapi/document-operation.ts';
import { type Operation, operations } from '../../infra/openapi/operations.ts';
import { endpointLines, type FunctionName } from '../../shared/contract.ts';
import { expectRefusal } from '../../test/support/envelope.ts';
import { undocumented } from '../../test/support/openapi.ts';
import { freshStack, type TestResponse } from '../../test/support/parts.ts';
import { apiEvent } from '../../test/support/parts-event.ts';
import { webhookCalls } from '../../test/support/webhooks.ts';
import { bodies, headers, paths, pathValues, queries, renewed } from './hostile.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 40);
const isLong = runs > 200;
/** Test runs always send the same requests; `npm --prefix lab run fuzz` prints its seed. */
const seed = Number(process.env.FUZZ_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_261_121));
/** For what hangs. A request takes a few milliseconds; the first one of a page builds it, slowly on a busy machine. */
const timeout = 300_000 + runs * 50;

const endpoints = endpointLines();

const many = 1_000_000_000;
const stack = await freshStack({
  invites: {
    mailsPerAddressInTenMinutes: many,
    perCallerAndHour: many,
    perIntegrationAndHour: many,
    lookupsPerSourceAndMinute: many,
  },
  signIn: { mailsPerAddressInTenMinutes: many, mailsPerAddressAndDay: many, requestsPerSourceAndMinute: many },
});
const keys = await stack.seed();
const callers = [
  keys.owner,
  keys.owner,
  keys.integration,
  keys.integration,
  keys.otherIntegration,
  keys.staff.Editor ?? '',
  keys.staff.Author ?? '',
];
const secrets = callers.map((key) => key.slice(25));
const { existing } = webhookCalls(stack);

/** Recent ids from responses, so that requests reach existing resources. */
const known: string[] = [];
const own = await Promise.all([existing(keys.integration), existing(keys.otherIntegration)]);
/** Ids of webhooks, each with the id of a delivery or replay of it. */
const pairs: (readonly [string, string])[] = [];
/** Integrations that must not be deleted, because the fuzz uses their keys. */
const { users: staff } = (await stack.call('users/list', { path: '/admin/users/', key: keys.owner })).body;
const untouchable = [...own.map(({ integration_id }) => integration_id), ...staff.map(({ id }: { id: string }) => id)];
known.push(...own.map(({ id }) => id));
const learn = (json: unknown): void => {
  for (const [, id] of JSON.stringify(json ?? null).matchAll(/"id":"([0-9a-f]{24})"/g))
    if (id !== undefined && !untouchable.includes(id)) known.push(id);
  known.splice(0, known.length - 100);
  for (const [, list] of Object.entries(json ?? {}))
    for (const { webhook_id, id } of Array.isArray(list) ? list : [])
      if (webhook_id !== undefined) pairs.push([webhook_id, id]);
  pairs.splice(0, pairs.length - 20);
};

const rejections: unknown[] = [];
process.on('unhandledRejection', (reason) => rejections.push(reason));

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const heap = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

interface Hostile {
  readonly method: string;
  readonly path: string;
  readonly resource: string;
  readonly parameters: Readonly<Record<string, string>> | null;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const send = async (
  name: string,
  { method, path, resource, parameters, query, headers: sent, body }: Hostile,
): Promise<TestResponse> => {
  const event = apiEvent({ method, path: '/', body }, resource, '/ghost/api');
  const result = (await stack.invoke(name, {
    ...event,
    path: `/ghost/api${path}`,
    pathParameters: parameters,
    headers: sent,
    queryStringParameters: Object.keys(query).length === 0 ? null : query,
  })) as { statusCode: number; headers?: Record<string, string>; body?: string };
  const lower = Object.entries(result.headers ?? {}).map(([header, value]) => [header.toLowerCase(), String(value)]);
  const answered = Object.fromEntries(lower);
  const text = result.body ?? '';
  const isJson = answered['content-type']?.startsWith('application/json');
  return { status: result.statusCode, headers: answered, text, body: isJson ? JSON.parse(text) : undefined };
};

/** Creates a few of every resource from the examples of the OpenAPI document, and pings the webhooks. */
const refill = async (): Promise<void> => {
  const few = runs > 200 ? 10 : 2;
  learn((await stack.call('roles/list', { path: '/admin/roles/', key: keys.owner })).body);
  for (const line of endpoints) {
    const operation = operations.get(line.function as FunctionName);
    const example = Object.values(operation?.documentation.examples ?? {}).find(({ error }) => error === undefined);
    const good = operation?.answer.status === 201 && example && bodyOf(operation, example);
    if (!good || typeof good === 'string' || line.path.includes('{')) continue;
    for (const key of [keys.owner, keys.integration])
      for (let made = 0; made < few; made++) {
        const body = renewed(good, known, randomInt(2 ** 40));
        const answer = await stack.call(line.function as FunctionName, { path: line.path, body, key });
        learn(answer.body);
        const [webhook] = answer.body?.webhooks ?? [];
        if (webhook === undefined) continue;
        learn((await stack.call('webhooks/ping', { path: `/admin/webhooks/${webhook.id}/ping/`, key })).body);
      }
  }
};

const expectManners = (name: string, answer: TestResponse): void => {
  expect(answer.status).toBeGreaterThanOrEqual(200);
  expect(answer.status, answer.text).toBeLessThan(500);
  expect(answer.headers).toMatchObject({
    'content-version': 'v6.0',
    // The document is the same for everybody until the next release.
    'cache-control': name === 'openapi/read' && answer.status < 400 ? 'public, no-cache' : 'no-store',
    'x-content-type-options': 'nosniff',
  });
  for (const secret of secrets) expect(answer.text).not.toContain(secret);
  for (const value of Object.values(answer.headers)) expect(value).not.toMatch(/[\r\n]/);
  if (answer.status >= 400 && answer.body !== undefined)
    expectRefusal(answer, {
      status: answer.status,
      type: answer.body.errors?.[0]?.type,
      code: answer.body.errors?.[0]?.code ?? undefined,
    });
};

const counts: Record<string, Record<number, number>> = {};
const count = (name: string, status: number): void => {
  counts[name] ??= {};
  counts[name][status] = (counts[name][status] ?? 0) + 1;
};

afterAll(() => {
  if (runs > 200) console.log(`seed ${seed}, answers by status:`, counts);
});

/** Runs a property in two halves and measures the heap after each: the second half must not grow it. */
const holds = async (
  request: () => fc.Arbitrary<Hostile>,
  check: (hostile: Hostile) => Promise<void>,
): Promise<void> => {
  const half = { numRuns: Math.ceil(runs / 2), endOnFailure: isLong };
  const property = fc.asyncProperty(request(), check);
  await fc.assert(property, { ...half, seed });
  // A leak per request only adds up to this much in the long run.
  const warm = isLong ? heap() : 0;
  await fc.assert(property, { ...half, seed: seed + 1 });
  if (isLong) expect(heap() - warm, 'bytes that the second half left on the heap').toBeLessThan(24 * 1024 * 1024);
  expect(rejections).toEqual([]);
};

const contentTypeOf = ({ body }: Partial<Operation['documentation']> = {}): string =>
  body !== undefined && 'form' in body ? 'application/x-www-form-urlencoded' : 'application/json';

describe('any request', () => {
  it.each(endpoints.map((line) => [line.function, line] as const))(
    'to %s gets a documented response',
    async (name, line) => {
      const operation = operations.get(name as FunctionName);
      const good = Object.values(operation?.documentation.examples ?? {}).flatMap(
        (example) => (operation && bodyOf(operation, example)) ?? [],
      );
      const names = [...line.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? '');
      const request = () =>
        fc
          .record({
            method: line.method === 'GET' ? fc.constantFrom('GET', 'GET', 'HEAD') : fc.constant(line.method),
            values: pathValues(names.length, known, pairs),
            slash: fc.boolean(),
            query: queries,
            headers: headers(callers, contentTypeOf(operation?.documentation)),
            body: bodies(operation?.items?.root ?? 'things', good, known),
          })
          .map(({ method, values, slash, query, headers: sent, body }): Hostile => {
            const parameters = Object.fromEntries(names.map((parameter, at) => [parameter, values[at] ?? '']));
            const path = line.path.replace(/\{(\w+)\}/g, (_, parameter: string) => parameters[parameter] ?? '');
            return {
              method,
              path: slash ? path : path.replace(/\/$/, ''),
              resource: line.path,
              parameters: names.length === 0 ? null : parameters,
              query,
              headers: sent,
              body,
            };
          });
      await refill();
      await holds(request, async (hostile) => {
        const answer = await send(name, hostile);
        count(name, answer.status);
        expectManners(name, answer);
        expect(undocumented(name as FunctionName, answer)).toEqual([]);
        if (answer.status < 300) learn(answer.body);
      });
    },
    timeout,
  );

  it(
    'to any other path or method gets 204, 400, 404, 405, 413 or 415',
    async () => {
      const request = () =>
        fc.record({
          method: fc.oneof(
            fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'),
            fc.string({ minLength: 1, maxLength: 10 }),
          ),
          path: fc.oneof(paths, fc.constantFrom(...endpoints.map(({ path }) => path))),
          resource: fc.constant('/{proxy+}'),
          parameters: fc.constant({ proxy: 'x' }),
          query: queries,
          headers: headers(callers),
          body: bodies('things', [], known),
        });
      await holds(request, async (hostile) => {
        const answer = await send('fallback/answer', hostile);
        count('fallback/answer', answer.status);
        expectManners('fallback/answer', answer);
        expect([204, 400, 404, 405, 413, 415]).toContain(answer.status);
        if (answer.status === 405) expect(answer.headers.allow).toBeDefined();
      });
    },
    timeout,
  );
});
