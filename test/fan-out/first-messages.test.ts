/** The messages for an event's first attempts: which webhooks share a message, and what a message contains. */
import { describe, expect, it } from 'vitest';
import { firstMessages } from '../../shared/deliveries/fan-out/first-messages.ts';
import { deliveriesIn, unpack } from '../../shared/deliveries/records/messages.ts';
import type { EventBody } from '../../shared/events/event.ts';
import type { IntegrationId, WebhookId } from '../../shared/foundation/ids.ts';
import type { Subscriber } from '../../shared/webhooks/subscriptions.ts';

const hash = 'ab'.repeat(32);
const body = {
  id: 'e1',
  event: 'post.published',
  publisher: 'p',
  created_at: '2026-11-26T10:20:00.000Z',
  payload: '{}',
} as EventBody;
/** The id of a webhook of the integration that a letter names. */
const idOf = (number: number, integration: string) =>
  `${integration.repeat(12)}${`${number}`.padStart(12, '0')}` as WebhookId;
const subscriber = (number: number, integration: string): Subscriber => ({
  webhook_id: idOf(number, integration),
  integration_id: integration.repeat(24) as IntegrationId,
});
const many = (count: number, integration: string) =>
  Array.from({ length: count }, (_, number) => subscriber(number, integration));
const messagesFor = (
  subscribers: readonly Subscriber[],
  { event = body, retryAfterSeconds = [0], isFirst = true } = {},
) => firstMessages(event, hash, { subscribers, isFirst }, retryAfterSeconds);
const webhooksOf = (subscribers: readonly Subscriber[]) =>
  messagesFor(subscribers).map(({ message }) => unpack(message).map(({ webhook_id }) => Number(webhook_id.slice(-2))));

describe('webhooks of the same integration', () => {
  it('share a message', () => {
    const [{ message, lane, group }] = messagesFor([subscriber(1, 'a'), subscriber(2, 'a')]) as [
      ReturnType<typeof messagesFor>[0],
    ];
    expect({ lane, group }).toEqual({ lane: 'normal', group: 'a'.repeat(24) });
    expect(message).toEqual({
      webhook_ids: [idOf(1, 'a'), idOf(2, 'a')],
      body_hash: hash,
      event: 'post.published',
      event_id: 'e1',
      created_at: body.created_at,
    });
  });

  it('share a message even if the list has other webhooks between them, but not with another integration', () => {
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

describe('the messages of a page of subscribers', () => {
  it('wait for the first delay of the retry schedule', () => {
    expect(messagesFor([subscriber(1, 'a')], { retryAfterSeconds: [7, 9] })).toMatchObject([{ delaySeconds: 7 }]);
    expect(messagesFor([subscriber(1, 'a')], { retryAfterSeconds: [] })).toMatchObject([{ delaySeconds: 0 }]);
  });

  it("take the publisher's turn beyond the first page", () => {
    expect(messagesFor([subscriber(1, 'a'), subscriber(2, 'b')], { isFirst: false })).toMatchObject([{ group: 'p' }]);
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
