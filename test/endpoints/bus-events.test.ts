/** Events that services put on the EventBridge bus: what of them reaches a receiver, and how they are found. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());

let path: string;
const arrived = () => receiver.deliveries.filter((delivery) => delivery.path === path);
beforeEach(async ({ task }) => {
  path = `/${task.id}`;
  await tools.webhook(`${receiver.origin}${path}`, { event: 'tag.added,site.changed' });
});

interface Put {
  readonly name?: string;
  readonly detail?: unknown;
  readonly time?: string;
}

/** Delivers an event of the bus; returns its id, and whether the worker has accepted its message. */
const put = async ({ name = 'tag.added', detail = { tag: { current: {} } }, time = '2026-11-21T08:00:00Z' }: Put) => {
  const id = randomUUID();
  const event = { id, account: '111111111111', source: 'shop', 'detail-type': name, time, detail };
  const failed = await stack.work('events', [event]);
  await stack.drain('deliveries');
  return { id, isAccepted: failed.length === 0 };
};

describe('an event of the bus', () => {
  it('arrives with both parts of its payload and nothing else', async () => {
    await put({ detail: { tag: { current: { name: 'News' } }, extra: true } });
    expect(arrived().map(({ body }) => body)).toEqual([
      '{"event":"tag.added","tag":{"current":{"name":"News"},"previous":{}}}',
    ]);
  });

  it('is found by the id that EventBridge gave it, and by the one that receivers get', async () => {
    const { id } = await put({});
    const received = String(arrived()[0]?.headers['masthead-event-id']);
    expect(received.startsWith(`${id}.`)).toBe(true);
    for (const event_id of [id, received]) {
      const query = new URLSearchParams({ event_id, limit: '1' });
      const { body } = await stack.call('deliveries/list-all', {
        path: `/admin/deliveries/?${query}`,
        key: keys.integration,
      });
      expect(body.deliveries).toMatchObject([{ event_id: id }]);
    }
  });

  it.each(['1999-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])(
    'gets the current time as its time if its own is %s',
    async (time) => {
      await put({ time });
      const age = Date.now() - Date.parse(String(arrived()[0]?.headers['masthead-event-time']));
      expect(Math.abs(age)).toBeLessThan(60_000);
    },
  );

  const forged = JSON.stringify({ event: 'staff.removed', tag: { current: {}, previous: {} } });

  it.each([
    ['a payload without the resource', { detail: { post: {} } }],
    ['a payload that is not an object', { detail: 'text' }],
    ['a payload with a part that is not an object', { detail: { tag: { current: 1 } } }],
    ['a whole body of its own, which only a Ghost site may send', { detail: { relayed: forged } }],
    ['an invalid time', { time: 'yesterday' }],
  ])('is refused if it has %s', async (_, wrong) => {
    expect(await put(wrong)).toMatchObject({ isAccepted: false });
    expect(arrived()).toEqual([]);
  });

  it('cannot have a body of its own where its payload is empty', async () => {
    expect(await put({ name: 'site.changed', detail: { relayed: forged } })).toMatchObject({ isAccepted: true });
    expect(arrived().map(({ body }) => body)).toEqual(['{"event":"site.changed"}']);
  });
});
