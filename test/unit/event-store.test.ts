/** Event bodies in the table, tested with an embedded DynamoDB. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyHash, type EventBody } from '../../shared/events/event.ts';
import { ownTable } from '../support/parts-table.ts';
import { stopTime } from '../support/test-time.ts';

Object.assign(process.env, ownTable());
const { eventBodyKey, keepEventBody, readEventBodies, readEventBody } = await import('../../shared/events/store.ts');
const { maxPayload } = await import('../../shared/events/parts.ts');
const { get, put } = await import('../../shared/table/item.ts');

const now = Date.parse('2026-11-21T12:00:00.000Z');
stopTime(now);

let count = 0;
/** Returns a new event for each test, with its hash. */
const given = (expiresInSeconds: number) => {
  const id = `e${count++}`;
  const body: EventBody = {
    id,
    publisher: 'p',
    event: 'post.added',
    created_at: new Date(now).toISOString(),
    payload: '{}',
    owner: 'first',
    expires_at: now / 1000 + expiresInSeconds,
  };
  return { body, hash: bodyHash('p', id) };
};

describe('an event body', () => {
  it('is stored once: a second write does not replace it', async () => {
    const { body, hash } = given(1);
    expect(await keepEventBody(hash, body)).toEqual(body);
    expect(await keepEventBody(hash, { ...body, owner: 'second' })).toMatchObject(body);
    expect(await readEventBody(hash)).toMatchObject(body);
  });

  it('is replaced if it has expired, even if DynamoDB has not deleted it yet', async () => {
    const { body, hash } = given(-1);
    const second = { ...body, owner: 'second', expires_at: body.expires_at + 100 };
    await keepEventBody(hash, body);
    expect(await keepEventBody(hash, second)).toEqual(second);
    expect(await readEventBody(hash)).toMatchObject(second);
  });

  it.each([
    ['a payload of 512 characters compressed', 512, 'undefined', 'object'],
    ['a shorter payload as it is', 511, 'string', 'undefined'],
  ])('is stored with %s', async (_, length, payloadType, gzipType) => {
    const { body, hash } = given(1);
    const payload = JSON.stringify({ post: 'x'.repeat(length - '{"post":""}'.length) });
    expect(await keepEventBody(hash, { ...body, payload })).toEqual({ ...body, payload });
    const item = await get<{ payload?: string; gzip?: Uint8Array }>(eventBodyKey(hash));
    expect([typeof item?.payload, typeof item?.gzip]).toEqual([payloadType, gzipType]);
  });

  it('is the same after reading if its payload was stored compressed', async () => {
    const { body, hash } = given(1);
    const payload = JSON.stringify({ post: { current: { html: '<p>Ä paragraph</p>'.repeat(50) }, previous: {} } });
    await put({ ...eventBodyKey(hash), ...body, payload: undefined, gzip: gzipSync(payload) });
    expect(await readEventBody(hash)).toMatchObject({ ...body, payload });
    expect(await readEventBodies([body])).toMatchObject([{ ...body, payload }]);
    expect(await keepEventBody(hash, { ...body, owner: 'second' })).toMatchObject({ ...body, payload });
  });

  it('cannot be read if it decompresses to more than the maximum payload', async () => {
    const { body, hash } = given(1);
    await put({
      ...eventBodyKey(hash),
      ...body,
      payload: undefined,
      gzip: gzipSync('x'.repeat(maxPayload)),
    });
    expect((await readEventBody(hash))?.payload).toHaveLength(maxPayload);
    await put({
      ...eventBodyKey(hash),
      ...body,
      payload: undefined,
      gzip: gzipSync('x'.repeat(maxPayload + 1)),
    });
    await expect(readEventBody(hash)).rejects.toThrow(`Cannot create a Buffer larger than ${maxPayload} bytes`);
  });

  it('is undefined if it is not stored', async () => {
    expect(await readEventBody(bodyHash('p', 'missing'))).toBeUndefined();
  });
});

describe('event bodies', () => {
  it('are read by publisher and id, and a repeated id is read once', async () => {
    const { body, hash } = given(1);
    await keepEventBody(hash, body);
    expect(await readEventBodies([body, body, { publisher: 'p', id: 'missing' }])).toMatchObject([body]);
  });

  it.each([
    ['are omitted from the second of their expiry on', 0, 0],
    ['are read until then', 1, 1],
  ])('%s', async (_, expiresInSeconds, found) => {
    const { body, hash } = given(expiresInSeconds);
    await keepEventBody(hash, body);
    expect(await readEventBodies([body])).toHaveLength(found);
  });
});
