/** The messages for an event's first attempts: which webhooks share a message, and what a message contains. A cohort is up to ten webhooks that were created one after the other. */
import { describe, expect, it, vi } from 'vitest';
import { deliveriesIn, unpack } from '../../shared/deliveries/records/messages.ts';
import type { EventBody } from '../../shared/events/event.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Subscriber } from '../../shared/webhooks/subscriptions.ts';

vi.mock('../../shared/stats/count.ts', () => ({ countOutcome: vi.fn() }));
const { countOutcome } = await import('../../shared/stats/count.ts');
const { firstMessages } = await import('../../shared/deliveries/fan-out/first-messages.ts');

const hash = 'ab'.repeat(32);
const body = {
  id: 'e1',
  event: 'post.published',
  publisher: 'p',
  created_at: '2026-11-26T10:20:00.000Z',
  payload: '{}',
} as EventBody;
/** The id of a webhook in the cohort that a letter names. */
const idOf = (number: number, cohort: string) =>
  `${'0'.repeat(12)}${cohort.repeat(10)}${`${number}`.padStart(2, '0')}` as WebhookId;
const subscriber = (number: number, cohort: string, lane?: 'slow'): Subscriber => ({
  webhook_id: idOf(number, cohort),
  ...(lane !== undefined && { lane }),
});
const many = (count: number, cohort: string) =>
  Array.from({ length: count }, (_, number) => subscriber(number, cohort));
const messagesFor = (
  subscribers: readonly Subscriber[],
  { event = body, retryAfterSeconds = [0], isFirst = true } = {},
) => firstMessages(event, hash, { subscribers, isFirst }, retryAfterSeconds);
/** The numbers of the webhooks of each message. */
const webhooksOf = (subscribers: readonly Subscriber[]) =>
  messagesFor(subscribers).map(({ message }) => unpack(message).map(({ webhook_id }) => Number(webhook_id.slice(-2))));

describe('webhooks of the same cohort', () => {
  it('share a message', () => {
    const [{ message, lane }] = messagesFor([subscriber(1, 'a'), subscriber(2, 'a')]) as [
      ReturnType<typeof messagesFor>[0],
    ];
    expect(lane).toBe('normal');
    expect(message).toEqual({
      webhook_ids: [idOf(1, 'a'), idOf(2, 'a')],
      body_hash: hash,
      event: 'post.published',
      event_id: 'e1',
      created_at: body.created_at,
      payload: '{}',
      first: true,
    });
  });

  it('share a message even if the list has other webhooks between them, but not with another cohort', () => {
    expect(webhooksOf([subscriber(1, 'a'), subscriber(2, 'b'), subscriber(3, 'a'), subscriber(4, 'b')])).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('share a message with at most nine others', () => {
    expect(webhooksOf(many(23, 'a')).map(({ length }) => length)).toEqual([10, 10, 3]);
    expect(webhooksOf(many(11, 'a')).flat()).toEqual(many(11, 'a').map((_, number) => number));
  });
});

describe('a message for a single delivery', () => {
  it('is sent to a webhook that is alone in its cohort or in the slow lane', () => {
    const subscribers = [
      subscriber(1, 'a'),
      subscriber(2, 'b', 'slow'),
      subscriber(3, 'b'),
      subscriber(4, 'c', 'slow'),
      subscriber(5, 'c', 'slow'),
    ];
    expect(webhooksOf(subscribers)).toEqual([[1], [3], [2], [4], [5]]);
    const found = messagesFor(subscribers);
    expect(found.map(({ lane }) => lane)).toEqual(['normal', 'normal', 'slow', 'slow', 'slow']);
    for (const { message } of found) expect(message).toMatchObject({ attempt: 1, trigger: 'event' });
  });

  it('has the delivery id that the same webhook would have in a shared message', () => {
    const [alone] = messagesFor([subscriber(2, 'a')]);
    const [together] = messagesFor([subscriber(1, 'a'), subscriber(2, 'a')]);
    expect(alone?.message).toMatchObject({ delivery_id: unpack(together?.message as never)[1]?.delivery_id });
  });
});

describe('the messages of a page of subscribers', () => {
  it('contain the payload if the event has at most ten subscribers', () => {
    const payloadsOf = (subscribers: readonly Subscriber[], options = {}) =>
      messagesFor(subscribers, options).map(({ message }) => message.payload);
    expect(payloadsOf([...many(9, 'a'), subscriber(9, 'b')])).toEqual(['{}', '{}']);
    expect(payloadsOf([...many(10, 'a'), subscriber(10, 'b')])).toEqual([undefined, undefined]);
    expect(payloadsOf([subscriber(1, 'a')], { isFirst: false })).toEqual([undefined]);
  });

  it('do not contain a payload that is stored in parts', () => {
    const event = { ...body, payload: '', parts: ['a part'] } as unknown as EventBody;
    expect(messagesFor([subscriber(1, 'a')], { event })[0]?.message).not.toHaveProperty('payload', '');
  });

  it('wait for the first delay of the retry schedule', () => {
    expect(messagesFor([subscriber(1, 'a')], { retryAfterSeconds: [7, 9] })).toMatchObject([{ delaySeconds: 7 }]);
    expect(messagesFor([subscriber(1, 'a')], { retryAfterSeconds: [] })).toMatchObject([{ delaySeconds: 0 }]);
  });

  it('count the event with the first message, or at once if there are no subscribers', () => {
    const subscribers = [subscriber(1, 'a'), subscriber(2, 'b')];
    expect(messagesFor(subscribers).map(({ message }) => message.first)).toEqual([true, undefined]);
    expect(messagesFor(subscribers, { isFirst: false }).map(({ message }) => message.first)).toEqual([
      undefined,
      undefined,
    ]);
    messagesFor([], { isFirst: false });
    expect(countOutcome).not.toHaveBeenCalled();
    messagesFor([]);
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['accepted']]);
  });

  it('leave out the webhook that an operational event reports on', () => {
    const about = (event: string, payload: object) =>
      messagesFor([subscriber(1, 'a'), subscriber(2, 'b')], {
        event: { ...body, event, payload: JSON.stringify(payload) } as EventBody,
      });
    const webhook = { current: { id: idOf(1, 'a') } };
    expect(about('webhook.failing', { webhook })).toHaveLength(1);
    expect(about('delivery.failed', { delivery: { current: { webhook_id: idOf(2, 'b') } } })).toHaveLength(1);
    expect(about('post.published', { webhook })).toHaveLength(2);
    const large = { ...body, event: 'webhook.failing', payload: '', parts: ['a part'] } as unknown as EventBody;
    expect(messagesFor([subscriber(1, 'a'), subscriber(2, 'b')], { event: large })).toHaveLength(2);
  });

  it('know how many deliveries they contain', () => {
    const messages = messagesFor([...many(3, 'a'), subscriber(9, 'b')]);
    expect(messages.map(({ message }) => deliveriesIn(message))).toEqual([3, 1]);
  });
});
