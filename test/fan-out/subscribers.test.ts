/** Fan-out makes one delivery for each subscriber of an event, even if events or messages are repeated. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { day, second } from '../../shared/foundation/clock.ts';
import { defaultSettings } from '../support/default-settings.ts';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { addSubscribers } from '../support/subscribers.ts';

const stack = await freshStack({ ownEvents: ['shop.order.paid'] });
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const { webhook, publish, items } = tools;
const { keepDays, retryAfterSeconds } = defaultSettings.deliveries;
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

afterEach(() => vi.useRealTimers());

const messages = async () => [...(await stack.take('deliveries')), ...(await stack.take('slow-deliveries'))];
const sent = async () => (await messages()).flatMap(({ body }) => unpack(body));
const sentIds = async () => (await sent()).map(({ delivery_id }) => delivery_id).sort();

const accept = async (event: string, id?: string) => {
  await throughTheQueue(stack, () => publish(event, id === undefined ? {} : { id }));
  const [message] = await stack.take('events');
  return message?.body;
};

describe('fan-out', () => {
  it('makes one delivery for each webhook of the event, and none for other webhooks', async () => {
    const hooks = [await webhook('http://127.0.0.1:1/a', { event: 'tag.added' })];
    hooks.push(await webhook('http://127.0.0.1:1/b', { event: 'tag.added' }));
    await webhook('http://127.0.0.1:1/c', { event: 'tag.edited' });
    const event = await accept('tag.added');
    expect(await stack.work('events', [event])).toEqual([]);
    const deliveries = await sent();
    expect(deliveries.map(({ webhook_id }) => webhook_id).sort()).toEqual(hooks.map(({ id }) => id).sort());
    for (const body of deliveries)
      expect(body).toEqual({
        delivery_id: expect.stringMatching(/^[0-9a-f]{24}$/),
        webhook_id: body.webhook_id,
        body_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        event: 'tag.added',
        event_id: event.id,
        created_at: event.accepted_at,
        attempt: 1,
        waits: 0,
        trigger: 'event',
      });
  });

  it('makes delivery ids that begin with the time of acceptance, so that they sort by time', async () => {
    const event = await accept('tag.added');
    await stack.work('events', [event]);
    const time = Date.parse(event.accepted_at).toString(16).padStart(12, '0');
    for (const id of await sentIds()) expect(id.slice(0, 12)).toBe(time);
  });

  it('drops an event if the same publisher has used its id for a stored event', async () => {
    const first = await accept('tag.added', 'order-17');
    await stack.work('events', [first]);
    expect(await sentIds()).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (keepDays - 1) * day });
    expect(await accept('tag.added', 'order-17')).toBeUndefined();
    // As if both had been accepted before the first one was fanned out.
    await stack.work('events', [{ ...first, owner: 'another request' }]);
    expect(await sent()).toEqual([]);
  });

  it('treats the same id from two publishers as two events', async () => {
    const ours = await accept('tag.added', 'order-18');
    await throughTheQueue(stack, () => publish('tag.added', { id: 'order-18', key: keys.owner }));
    const [theirs] = await stack.take('events');
    await stack.work('events', [ours, theirs?.body]);
    expect(new Set(await sentIds()).size).toBe(4);
  });

  it('stores the body of the first event once, with its expiry', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    const event = await accept('tag.added', 'order-19');
    await stack.work('events', [event]);
    await stack.work('events', [{ ...event, owner: 'another', payload: { tag: { current: { title: 'x' } } } }]);
    const [message] = await sent();
    const [body, ...others] = await items(`EVENT_BODY#${message?.body_hash}`);
    expect(others).toEqual([]);
    expect(body).toMatchObject({
      id: 'order-19',
      event: 'tag.added',
      created_at: event.accepted_at,
      payload: JSON.stringify(event.payload),
      owner: event.owner,
    });
    // The log's retention counts from the last retry, which receivers can postpone.
    const seconds = Number(body?.expires_at) - now / 1000;
    expect(seconds).toBeGreaterThan((keepDays * day) / second + 2 * sum(retryAfterSeconds));
    expect(seconds).toBeLessThan(((keepDays + 10) * day) / second);
  });

  it('accepts the id of an expired event again, even if DynamoDB has not deleted the event yet', async () => {
    await stack.work('events', [await accept('tag.added', 'order-20')]);
    const first = await sentIds();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (keepDays + 11) * day });
    await stack.work('events', [await accept('tag.added', 'order-20')]);
    const again = await sentIds();
    expect(again).toHaveLength(2);
    expect(again).not.toEqual(first);
  });

  it('reaches all subscribers, even over several pages', async () => {
    await addSubscribers(stack, 'shop.order.paid', 1100);
    await stack.work('events', [await accept('shop.order.paid')]);
    await stack.drain('events');
    expect(new Set((await sent()).map(({ webhook_id }) => webhook_id)).size).toBe(1100);
  });
});
