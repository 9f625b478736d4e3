/** Deliveries with a table, queues and a receiver in memory: webhooks, events and messages for the engine's tests. */
import * as v from 'valibot';
import { type Delivery, type DeliveryMessage, deliveryId, messageOf } from '../../shared/deliveries/delivery.ts';
import { deliveryKey, deliveryOf } from '../../shared/deliveries/records/row.ts';
import { type Answered, type Failed, noTimings, type SendErrorClass } from '../../shared/deliveries/sender/result.ts';
import type { SendRequest } from '../../shared/deliveries/sender/send.ts';
import { newId } from '../../shared/foundation/new-id.ts';
import { type Settings, settingsSchema } from '../../shared/foundation/settings.ts';
import { subscriberKey, webhookKey } from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import type { AwsInMemory } from './aws-in-memory.ts';
import { failingWebhook } from './notice.ts';

/** The time of the tests, eight minutes after the webhook was last triggered. */
export const now = Date.parse('2026-11-26T10:20:00.000Z');
export const second = 1000;
export const minute = 60 * second;
export const iso = (ms: number): string => new Date(ms).toISOString();

const parsed = v.parse(settingsSchema, {
  stage: 'test',
  publication: { name: 'Test', url: 'http://localhost' },
  mail: { from: 'desk@example.com' },
});
export const deliverySettings: Settings['deliveries'] = { ...parsed.deliveries, retryAfterSeconds: [0, 5, 300, 1800] };

const { failing_since: _since, ...healthy } = failingWebhook({
  last_triggered_status: '200',
  last_triggered_error: null,
  accepts: true,
});
export const healthyWebhook: Webhook = healthy;

export const answered = (status: number, changes: Partial<Answered> = {}): Answered => ({
  outcome: 'answered',
  status,
  headers: {},
  excerpt: '',
  durationMs: 20,
  timings: noTimings,
  ...changes,
});

export const notAnswered = (error: SendErrorClass): Failed => ({
  outcome: 'failed',
  error,
  durationMs: 20,
  timings: noTimings,
});

let events = 0;

/** Puts webhooks and events into the table, and makes the messages of their deliveries. */
export const worldOf = (aws: AwsInMemory) => {
  const made = new Map<string, number>();
  const stored = ({ webhook_id, delivery_id }: DeliveryMessage): Delivery & { due_at?: string } => {
    const key = deliveryKey(webhook_id, delivery_id);
    const item = aws.read(key);
    return item && deliveryOf({ ...key, ...item });
  };
  return {
    /** Puts a webhook with its subscriber; another `number`, or id, makes another one. */
    webhook: (changes: Partial<Webhook> = {}, number: number | string = 0): Webhook => {
      const id = number === 0 ? healthy.id : (`${number}`.padStart(24, '0') as Webhook['id']);
      const webhook = { ...healthyWebhook, id, ...changes };
      aws.put(webhookKey(id), webhook);
      aws.put(subscriberKey(webhook.event, id), { webhook_id: id, integration_id: webhook.integration_id });
      return webhook;
    },
    event: (changes: object = {}): string => {
      const hash = `${events++}`.padStart(64, '0');
      aws.put(
        { pk: `EVENT_BODY#${hash}`, sk: 'EVENT' },
        {
          id: 'e1',
          publisher: 'p',
          event: 'post.published',
          created_at: iso(now - 100),
          payload: '{"post":{"current":{"title":"Hello"},"previous":{}}}',
          owner: 'o',
          expires_at: now / second + 1000,
          ...changes,
        },
      );
      return hash;
    },
    /** Returns the message of a new delivery, accepted 100 ms ago. */
    message: (webhook: Webhook, body_hash: string, changes: Partial<DeliveryMessage> = {}): DeliveryMessage => {
      const name = `${webhook.id} ${body_hash}`;
      const repeated = made.get(name) ?? 0;
      made.set(name, repeated + 1);
      const { created_at = iso(now - 100 - repeated), trigger = 'event' } = changes;
      const request = trigger === 'event' ? '' : newId();
      return {
        delivery_id: deliveryId(Date.parse(created_at), body_hash, webhook.id, request),
        webhook_id: webhook.id,
        body_hash,
        event: 'post.published',
        event_id: 'e1',
        attempt: 1,
        waits: 0,
        trigger: 'event',
        ...changes,
        created_at,
      };
    },
    stored,
    /** Returns the message for the next step of a message's delivery. */
    next: (message: DeliveryMessage): DeliveryMessage => messageOf(stored(message)),
    record: (webhook: Webhook) => aws.read(webhookKey(webhook.id)),
  };
};

/** A receiver that answers as the test demands, and the requests that it got. */
export const receiverInMemory = (answer: (request: SendRequest) => Promise<Answered | Failed> | Answered | Failed) => {
  const requests: SendRequest[] = [];
  return {
    requests,
    sender: {
      send: async (request: SendRequest) => {
        requests.push(request);
        request.onReceiverTime?.();
        return answer(request);
      },
    },
  };
};
