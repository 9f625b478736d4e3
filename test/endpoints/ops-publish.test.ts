/** `npm run ops -- publish`: publishes from files in batches, waits for a busy stage, and resumes after a failure. */
import { afterEach, expect, it } from 'vitest';
import { opsOn } from '../support/ops.ts';
import { freshStack } from '../support/parts.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { as, answerWith, file } = opsOn(stack);
const publish = (...args: string[]) => as(keys.integration)(['publish', ...args]);
afterEach(() => answerWith());

const post = (id: number) => ({
  event: 'post.published',
  payload: { post: { current: { id: `${id}` }, previous: {} } },
});
const lines = (events: readonly unknown[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const accept = (body: string): Response => {
  const events = JSON.parse(body).events.map(({ id, event }: { id: string; event: string }) => ({
    id,
    event,
    created_at: '2026-11-22T00:00:00.000Z',
  }));
  return Response.json({ events }, { status: 202 });
};
const busy = (status: number) => new Response('', { status, headers: { 'Retry-After': '0' } });

it('the command publishes 10,000 lines in requests of ten, waits while busy, and prints a summary', async () => {
  const events = Array.from({ length: 10_000 }, (_, id) => post(id));
  const ids: string[] = [];
  let requests = 0;
  answerWith((_method, _path, body) => {
    requests += 1;
    if (requests % 100 === 0) return busy(requests % 200 === 0 ? 429 : 503);
    ids.push(...JSON.parse(body).events.map(({ id }: { id: string }) => id));
    return accept(body);
  });
  const { code, output } = await publish(file('many.ndjson', lines(events)), '--run', 'import-1');
  expect(code).toBe(0);
  expect(output).toMatch(/^10000 events accepted, 0 refused, in \d+\.\d s/);
  // Ten of the thousand requests get "busy", and are sent again.
  expect(requests).toBe(1010);
  expect(new Set(ids)).toEqual(new Set(events.map((_, index) => `import-1-${index + 1}`)));
  expect(ids).toHaveLength(10_000);
});

const utf16 = (text: string, mark = '\ufeff') => Buffer.from(mark + text, 'utf16le');
it.each<[string, (text: string) => Buffer]>([
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 as PowerShell writes it', utf16],
  ['UTF-16 with the high byte first', (text) => utf16(text).swap16()],
  ['UTF-16 without a mark', (text) => utf16(text, '')],
  ['UTF-16 without a mark, with the high byte first', (text) => utf16(text, '').swap16()],
])('the command reads a file in %s, and half of a surrogate pair in it', async (_, encoded) => {
  const sent: unknown[] = [];
  answerWith((_method, _path, body) => {
    sent.push(...JSON.parse(body).events);
    return accept(body);
  });
  const written = '{"id":"a","event":"post.published","payload":{"post":{"current":{"title":"Gärten 🌱 \\ud83c"}}}}';
  expect(
    await publish(file('events.ndjson', encoded(`${written}\r\n${written.replace('"a"', '"b"')}\r\n`))),
  ).toMatchObject({
    code: 0,
  });
  expect(sent).toEqual([JSON.parse(written), { ...JSON.parse(written), id: 'b' }]);
});

it('the command says that a file had no events', async () => {
  expect(await publish(file('empty.ndjson', '\n'))).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^0 events accepted, 0 refused/),
  });
});

it('the command refuses a file in another encoding, and sends nothing', async () => {
  answerWith(() => {
    throw new Error('Nothing is sent.');
  });
  const latin1 = Buffer.from('{"event":"post.published","payload":{"post":{"current":{"title":"Gärten"}}}}', 'latin1');
  const { code, errors } = await publish(file('latin1.json', latin1));
  expect(code).toBe(2);
  expect(errors).toContain('is not text in UTF-8 or UTF-16');
});

it('the command keeps every request below the size limit', async () => {
  const sizes: number[] = [];
  answerWith((_method, _path, body) => {
    sizes.push(Buffer.byteLength(body));
    return accept(body);
  });
  const large = {
    event: 'post.published',
    payload: { post: { current: { html: 'ü'.repeat(120_000) }, previous: {} } },
  };
  expect(await publish(file('large.ndjson', lines(Array.from({ length: 10 }, () => large))))).toMatchObject({
    code: 0,
  });
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
});

it('a repeated run delivers no event twice', async () => {
  await webhookCalls(stack).existing(keys.integration, {
    event: 'post.published',
    target_url: 'http://127.0.0.1:9/hook',
  });
  const input = file('twice.ndjson', lines([post(1), post(2), post(3)]));
  for (const _ of [1, 2]) expect(await publish(input, '--run', 'twice')).toMatchObject({ code: 0 });
  await stack.drain('events');
  expect(await stack.messages('deliveries')).toHaveLength(3);
});

it('a file with a malformed line is not sent at all', async () => {
  let requests = 0;
  answerWith(() => {
    requests += 1;
    return undefined;
  });
  for (const [text, message] of [
    [`${lines([post(1)])}{"event":`, 'Line 2 is not JSON.'],
    [`${lines([post(1)])}\n{"payload":{}}\n`, 'Line 3 is not an event'],
    ['nonsense', 'The input is neither lines of JSON nor a JSON document.'],
  ] as const)
    expect(await publish(file('malformed.ndjson', text))).toMatchObject({
      code: 2,
      errors: expect.stringContaining(message),
    });
  expect(await publish('missing.ndjson')).toMatchObject({ code: 2 });
  expect(requests).toBe(0);
});

it('the command reads a document with one event, an array of events, or the body of a request', async () => {
  for (const [document, count] of [
    [post(1), 1],
    [[post(1), post(2)], 2],
    [{ events: [post(1), post(2), post(3)] }, 3],
  ] as const)
    for (const space of [0, 2]) {
      const { output } = await publish(file('document.json', JSON.stringify(document, null, space)), '--dry-run');
      expect(output).toBe(`${count} events can be read. Nothing was sent.\n`);
    }
});

it('the command names the line that the API refuses and how to continue; --keep-going skips the line', async () => {
  const input = file('refused.ndjson', lines([post(1), { event: 'post.publishd', payload: {} }, post(3)]));
  const stopped = await publish(input, '--run', 'r', '--concurrency', '1');
  expect(stopped).toMatchObject({ code: 1, output: '' });
  expect(stopped.errors).toMatch(
    /^Line 2: `event` "post\.publishd" cannot be published; did you mean post\.published.*\?\n/,
  );
  const skipped = await publish(input, '--run', 'r', '--keep-going');
  expect(skipped.code).toBe(1);
  expect(skipped.output).toMatch(/^2 events accepted, 1 refused/);
});

it('the command prints how to continue after a failure in the middle', async () => {
  let requests = 0;
  answerWith((_method, _path, body) => (++requests > 2 ? busy(503) : accept(body)));
  const input = file('middle.ndjson', lines(Array.from({ length: 50 }, (_, id) => post(id))));
  const { code, output, errors } = await publish(input, '--run', 'middle', '--concurrency', '1');
  expect(code).toBe(3);
  expect(output).toMatch(/^20 events accepted, 0 refused/);
  expect(errors).toContain('Continue with --run middle: no event is delivered twice.');
});

it('Ctrl-C ends the command with the exit code 130, and a later run sends only the remaining events', async () => {
  const ids: string[] = [];
  answerWith((_method, _path, body) => {
    if (ids.length === 10) process.emit('SIGINT');
    ids.push(...JSON.parse(body).events.map(({ id }: { id: string }) => id));
    return accept(body);
  });
  const input = file('stopped.ndjson', lines(Array.from({ length: 50 }, (_, id) => post(id))));
  const { code, output, errors } = await publish(input, '--run', 'stopped', '--concurrency', '1', '--json');
  expect(code).toBe(130);
  // The output has only complete lines, one for each event that the API accepted.
  const printed = output.trim().split('\n');
  expect(printed.map((line) => JSON.parse(line).id)).toEqual(ids);
  expect(ids).toHaveLength(20);
  expect(errors).toContain('Continue with --run stopped: no event is delivered twice.');
  expect(process.listenerCount('SIGINT')).toBe(0);
});

it('with --json, standard output has only the accepted events, and everything else is on standard error', async () => {
  const { output, errors } = await publish(file('json.ndjson', lines([post(1), post(2)])), '--run', 'j', '--json');
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['j-1', 'j-2']);
  expect(errors).toMatch(/^2 events accepted/);
});

it('the command refuses the key of an integration that may not publish', async () => {
  const { code, errors } = await as(keys.otherIntegration)(['publish', file('one.ndjson', lines([post(1)]))]);
  expect(code).toBe(1);
  expect(errors).toMatch(/Error id: [0-9a-f-]{36}/);
});
