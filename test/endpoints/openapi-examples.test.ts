/** The examples of the OpenAPI document, sent to the functions in order: each response matches the document. */
import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { operations } from '../../infra/openapi/operations.ts';
import * as member from '../../shared/accounts/example.ts';
import type { FunctionName } from '../../shared/contract.ts';
import { tokens } from '../../shared/invites/example.ts';
import { outcomes } from '../../shared/stats/counts.ts';
import { startReceiver } from '../support/loopback-receiver.ts';
import { documentedOperation, endpointLine, undocumented } from '../support/openapi.ts';
import { freshStack } from '../support/parts.ts';
import { cookieIn, signInTokenIn } from '../support/sessions.ts';

const receiver = await startReceiver((_request, response) => response.end('ok'));
afterAll(receiver.close);

const stack = await freshStack();
const keys = await stack.seed();

/** Placeholders and their values: the ids of responses, and the receiver of this test. */
const meant = new Map<string, string>([['https://hooks.bookshop.example', `http://127.0.0.1:${receiver.port}`]]);

const substituted = <T>(value: T): T => {
  let text = JSON.stringify(value);
  // The longest first, because a token begins with an id.
  for (const [shown, real] of [...meant].sort(([a], [b]) => b.length - a.length)) text = text.replaceAll(shown, real);
  return JSON.parse(text) as T;
};

const signedAsGhost = (secret: string, body: unknown): Record<string, string> => {
  const now = Date.now();
  const hash = createHmac('sha256', secret)
    .update(`${JSON.stringify(body)}${now}`)
    .digest('hex');
  return { 'X-Ghost-Signature': `sha256=${hash}, t=${now}` };
};

const learnTokens = async (): Promise<void> => {
  for (const [address, shown] of Object.entries(tokens)) {
    const mail = (await stack.mailsTo(address)).at(-1);
    const [, token] = /\/invitation\/([\w-]+)/.exec(mail?.body.text ?? '') ?? [];
    if (token !== undefined) meant.set(shown, token);
  }
};

const learnSignIns = async (): Promise<void> => {
  const found = (await stack.mailsTo(member.email)).flatMap(({ body }) => signInTokenIn(body.text ?? '') ?? []);
  for (const [position, shown] of member.signInTokens.entries()) {
    const token = found[position];
    if (token !== undefined) meant.set(shown, token);
  }
};

let cookie = '';

const learnIds = (shown: unknown, real: unknown): void => {
  if (typeof shown === 'string' && typeof real === 'string') {
    if ([shown, real].every((text) => /^(?:[0-9a-f]{24}|[0-9a-f]{64})$/.test(text))) meant.set(shown, real);
  } else if (typeof shown === 'object' && shown !== null && typeof real === 'object' && real !== null)
    for (const [key, value] of Object.entries(shown)) learnIds(value, (real as Record<string, unknown>)[key]);
};

const essence = (value: unknown, field = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => essence(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, essence(inner, key)]));
  if (field === 'next' && typeof value === 'string') return '<cursor>';
  if (field.endsWith('_ms')) return '<ms>';
  if (field === 'webhook-timestamp') return '<seconds>';
  if (field === 'link') return '<link>';
  if (['checked', 'replayed', 'percent', ...outcomes].includes(field)) return '<count>';
  if (field === 'expires' && typeof value === 'number') return '<ms>';
  if (typeof value !== 'string') return value;
  return value
    .replace(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, '<uuid>')
    .replace(/\b[0-9a-f]{64}\b|^whsec_[\w+/=]+$/g, '<secret>')
    .replace(/\b[0-9a-f]{24}\b/g, '<id>')
    .replace(/(?<=^[\w-]+\.)[0-9a-f]{12}$/, '<hash>')
    .replace(/\bt=\d{13}$/, 't=<ms>')
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, '<time>');
};

const isDeletion = (name: FunctionName): boolean => endpointLine(name).method === 'DELETE';

const names = [...operations.keys()];
const story = [...names.filter((name) => !isDeletion(name)), ...names.filter(isDeletion).reverse()];

describe.each(story)('the examples of %s', (name) => {
  const operation = documentedOperation(name);

  // The story's session is not the Owner's, and its Owner stays: users-owner.test.ts hands over.
  const told = Object.keys(operation['x-examples']).filter((example) => example !== 'hand-over');
  it.each(told)('get the documented response: %s', async (example) => {
    const { caller, path = {}, query = {}, ghostSecret, status } = operation['x-examples'][example] ?? expect.fail();
    const filled = endpointLine(name).path.replace(
      /\{(\w+)\}/g,
      (whole, parameter: string) => path[parameter] ?? whole,
    );
    const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
    const body = media?.examples?.[example]?.value;
    const answer = await stack.call(name, {
      path: substituted(`${filled}?${new URLSearchParams(query)}`),
      ...(caller === 'Owner' && { key: keys.owner }),
      ...(caller === 'integration' && { key: keys.integration }),
      ...(caller === 'session' && { cookie }),
      ...(body !== undefined && {
        body: substituted(body),
        headers: {
          'Content-Type': type ?? '',
          'Sec-Fetch-Site': 'same-origin',
          'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          ...(ghostSecret && signedAsGhost(substituted(ghostSecret), substituted(body))),
        },
      }),
    });
    expect(answer.status, answer.text).toBe(status);
    expect(undocumented(name, answer)).toEqual([]);
    const shown = operation.responses[String(status)]?.content?.['application/json']?.examples?.[example]?.value;
    if (shown !== undefined) {
      learnIds(shown, answer.body);
      expect(essence(answer.body)).toEqual(essence(substituted(shown)));
    }
    for (const queue of ['events', 'deliveries', 'slow-deliveries', 'mail', 'replays'] as const)
      await stack.drain(queue);
    cookie = cookieIn(answer) ?? cookie;
    await learnTokens();
    await learnSignIns();
  });
});

describe('the limits that the document states', () => {
  const withBody = names.filter((name) => operations.get(name)?.items !== undefined);
  const pathOf = (name: FunctionName) => endpointLine(name).path.replace(/\{\w+\}/g, '0123456789abcdef01234567');

  it.each(withBody)('%s accepts the documented number of items, but not one more', async (name) => {
    const { schema, examples = {} } =
      documentedOperation(name).requestBody?.content['application/json'] ?? expect.fail();
    const [[root, { maxItems = 0 }] = expect.fail()] = Object.entries(schema.properties ?? {});
    const [body] = Object.values(examples).map(({ value }) => value as Record<string, object[]>);
    const answer = await stack.call(name, {
      path: pathOf(name),
      key: keys.owner,
      body: { [root]: Array.from({ length: maxItems + 1 }, () => body?.[root]?.[0]) },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].details[0]).toMatchObject({ field: root, rule: 'max_items', limit: maxItems });
  });

  it.each(withBody)('%s accepts a body of the documented size, but not a larger one', async (name) => {
    const limit = documentedOperation(name).requestBody?.['x-body-limit-bytes'] ?? 0;
    const send = (bytes: number) => stack.call(name, { path: pathOf(name), key: keys.owner, body: ' '.repeat(bytes) });
    expect((await send(limit + 1)).status).toBe(413);
    expect((await send(limit)).status).toBe(400);
  });
});

it('the document is served with the base URL of the stage', async () => {
  const answer = await stack.call('openapi/read', { path: '/admin/openapi.json' });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.body).toEqual({ ...openApiDocument(), servers: [{ url: stack.baseUrl }] });
});
