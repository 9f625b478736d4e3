/** With short `deliveries.keepDays`, a payload ends after its last attempt; the memory of its id lasts thirty days. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { day } from '../../shared/foundation/clock.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack({ deliveries: { keepDays: 2 } });
const keys = await stack.seed();
const { webhook, rows, items } = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
const start = Date.now();
vi.useFakeTimers({ toFake: ['Date'], now: start });
afterAll(() => {
  vi.useRealTimers();
  receiver.close();
});
beforeEach(() => vi.setSystemTime(start));

const { id } = await webhook(`${receiver.origin}/hook`, { event: 'member.added' });
const member = (name: string, note = '') => ({ member: { current: { name, note }, previous: {} } });
const publish = async (event: object) =>
  stack.call('events/publish', {
    path: '/admin/events/',
    key: keys.integration,
    body: { events: [{ event: 'member.added', ...event }] },
  });
const drain = async () => {
  for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
};
const stored = async () => {
  const [{ body_hash } = { body_hash: '' }] = (await rows(id)).toReversed();
  const [event] = await items(`EVENT_BODY#${body_hash}`);
  const { hash = '' } = (event?.parts ?? {}) as { hash?: string };
  const [part] = await items(`EVENT_BODY#${body_hash}#${hash}#0`);
  return { event, part };
};

describe('a payload', () => {
  it.each([
    ['small', '', (payload: object) => publish({ payload })],
    ['large', 'x'.repeat(8000), (payload: object) => publish({ payload })],
    [
      'from the queue',
      '',
      (payload: object) =>
        stack.work('events', [
          {
            kind: 'event',
            id: 'queued',
            publisher: 'shop.example',
            event: 'member.added',
            accepted_at: new Date(start).toISOString(),
            payload,
          },
        ]),
    ],
  ])(
    'that is %s is delivered, and ends nine days after its event, whose id is known for thirty',
    async (name, note, send) => {
      await send(member(name, note));
      await drain();
      expect(JSON.parse(receiver.deliveries.at(-1)?.body ?? '').member.current).toEqual({ name, note });
      const { event, part } = await stored();
      expect(Number(event?.expires_at)).toBe(Math.floor((start + 30 * day) / 1000));
      expect(Number(part?.expires_at)).toBe(Math.floor((start + 9 * day) / 1000));
      expect(event).not.toHaveProperty('brotli');
      expect(JSON.stringify(event)).not.toContain(name);
    },
  );

  it('that has ended leaves an id that is still known, and is sent no more', async () => {
    const event = { id: 'once', payload: member('Ada') };
    const first = await publish(event);
    await drain();
    const { length } = receiver.deliveries;
    vi.setSystemTime(start + 10 * day);
    const again = await publish(event);
    expect(again.status).toBe(202);
    expect(again.body.events).toEqual(first.body.events);
    await drain();
    expect(receiver.deliveries).toHaveLength(length);
  });
});
