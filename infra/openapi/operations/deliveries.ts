/** The OpenAPI texts of the log of deliveries, and of redelivery, ping and replay. */
import * as v from 'valibot';
import { trialResource } from '../../../shared/deliveries/log/resource.ts';
import { newTrial } from '../../../shared/deliveries/log/trial.ts';
import { replayResource } from '../../../shared/deliveries/replays/resource.ts';
import { newReplay } from '../../../shared/deliveries/replays/schema.ts';
import {
  deliveryResource,
  deliveryStates,
  deliveryWithLogResource,
  pingResource,
} from '../../../shared/deliveries/resource.ts';
import { eventExamples } from '../../../shared/events/examples.ts';
import type { DeliveryId, WebhookId } from '../../../shared/foundation/ids.ts';
import { idSchema } from '../../../shared/foundation/resource.ts';
import { newPing } from '../components.ts';
import { failure, forbidden, invalid, notFound } from '../errors.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts } from '../operation.ts';
import { cursor, limit, time } from '../parameters.ts';
import { hook } from './webhooks.ts';

const event = 'post.published';
const deliveryId = '019acb63f5e8a1b2c3d4e5f6';
const delivered = exampleOf(deliveryResource, {
  id: deliveryId,
  webhook_id: hook.id,
  event,
  event_id: 'post-6748-published',
  status: 'delivered',
  trigger: 'event',
  attempts: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  last_attempt_at: '2026-11-21T09:30:00.040Z',
  last_status: '200',
});

/** That of a webhook with API version 5, which has no `event`. */
const sentBody = JSON.stringify(eventExamples[event]?.payload);

const waiting = {
  ...delivered,
  status: 'pending',
  attempts: 0,
  created_at: '2026-11-21T09:40:00.000Z',
  last_attempt_at: null,
  last_status: null,
};

const replay = {
  id: '019acb70a1b2a1b2c3d4e5f6',
  webhook_id: hook.id,
  since: '2026-11-20T00:00:00.000Z',
  until: '2026-11-21T00:00:00.000Z',
  status: 'failed',
  state: 'running',
  progress: { checked: 0, replayed: 0, percent: 0 },
  created_at: '2026-11-21T09:45:00.000Z',
  updated_at: '2026-11-21T09:45:00.000Z',
};

const ofPage = {
  status: {
    schema: v.picklist(deliveryStates),
    description: 'Only deliveries with this status.',
    invalid: 'it is not a status of deliveries',
  },
  event: { schema: v.string(), description: 'Only deliveries of this event.' },
  since: { schema: time, description: 'Only events accepted at this time or later.', invalid: 'it is not a time' },
  until: {
    schema: time,
    description: 'Only events accepted before this time.',
    invalid: 'it is not a time, or before `since`',
  },
  limit,
  cursor,
};

export const deliveries = {
  'deliveries/list': {
    summary: 'List the deliveries of a webhook',
    description:
      'Newest first, stored for 30 days by default. If few deliveries match the filters, a page can be short or empty: continue while there is a `next`.',
    query: ofPage,
    answer: { status: 200, root: 'deliveries', item: deliveryResource, pages: 'always' },
    examples: {
      'of-an-event': {
        summary: 'Delivered deliveries of one event',
        path: { id: hook.id },
        query: { status: 'delivered', event: 'post.published' },
        answer: [delivered],
        pagination: { limit: 100, next: null },
      },
    },
  },
  'deliveries/list-all': {
    summary: 'List the deliveries of all webhooks',
    description:
      'Newest first, over all webhooks that the caller can see: staff those of all integrations, an integration its own; at most 1,000 webhooks. If few deliveries match the filters, a page can be short or empty: continue while there is a `next`.',
    query: {
      ...ofPage,
      webhook_id: {
        schema: idSchema<WebhookId>(),
        description: 'Only deliveries of this webhook.',
        invalid: 'it is not an id; or it is missing, and the caller can see more than 1,000 webhooks',
      },
      event_id: {
        schema: v.string(),
        description: 'Only deliveries of the event with this id, including those that wait for their first attempt.',
      },
      delivery_id: {
        schema: idSchema<DeliveryId>(),
        description: 'Only the delivery with this id, if its webhook is not known.',
        invalid: 'it is not an id',
      },
    },
    answer: { status: 200, root: 'deliveries', item: deliveryResource, pages: 'always' },
    errors: [notFound('no webhook has the id `webhook_id`'), forbidden('the webhook belongs to another integration')],
    examples: {
      'of-one-event': {
        summary: 'The deliveries of one event to all webhooks',
        query: { event_id: 'post-6748-published' },
        answer: [delivered],
        pagination: { limit: 100, next: null },
      },
    },
  },
  'deliveries/read': {
    summary: 'Get a delivery with its attempts',
    description:
      'Includes all attempts. `request` has the headers and the body of the last one. The body is stored once for each event, for seven days longer than deliveries are kept (30 days by default); after that `request` is null. Signatures are not shown.',
    answer: { status: 200, root: 'deliveries', item: deliveryWithLogResource },
    examples: {
      'with-log': {
        summary: 'Delivered with the first attempt',
        path: { id: hook.id, delivery_id: deliveryId },
        answer: [
          {
            ...delivered,
            request: {
              headers: {
                'Content-Type': 'application/json',
                'Content-Version': 'v5.0',
                'User-Agent': 'Masthead/0.1',
                'Masthead-Event-Id': delivered.event_id,
                'Masthead-Event-Time': delivered.created_at,
                'Masthead-Attempt': '1',
                'Masthead-Trigger': 'event',
                'webhook-id': deliveryId,
                'webhook-timestamp': '1795253400',
                'webhook-signature': 'v1,… v1,…',
                'X-Ghost-Signature': 'sha256=…, t=1795253400040',
                'Content-Length': String(sentBody.length),
              },
              body: sentBody,
            },
            log: [
              {
                number: 1,
                started_at: '2026-11-21T09:30:00.040Z',
                duration_ms: 93,
                timings: { dns_ms: 4, connect_ms: 21, tls_ms: 33, first_byte_ms: 34 },
                status: '200',
                error: null,
                response: 'ok',
              },
            ],
          },
        ],
      },
    },
  },
  'deliveries/redeliver': {
    summary: 'Redeliver',
    description:
      'Creates a new delivery of the same event. Failed redeliveries count for the circuit breaker, but do not disable the webhook. Each staff member or integration can request 1,000 redeliveries per hour (a setting of the stage); beyond that, 429 with `Retry-After`. No body is required.',
    answer: { status: 202, root: 'deliveries', item: deliveryResource },
    errors: [notFound('the event is no longer stored')],
    examples: {
      again: {
        summary: 'The receiver lost the delivery',
        path: { id: hook.id, delivery_id: deliveryId },
        answer: [{ ...waiting, id: '019acb6c1d20a1b2c3d4e5f6', trigger: 'redelivery' }],
      },
    },
  },
  'webhooks/ping': {
    summary: 'Ping a webhook',
    description:
      'Delivers a `webhook.ping`, an example of an event (`example`), or an event that the webhook has had (`event_id`), in one attempt: it is not retried or filtered, and waits for no circuit breaker. A successful ping makes a disabled webhook available. At most 5 per minute and webhook. No body is required.',
    body: { root: 'pings', item: newPing, max: 1, isOptional: true },
    answer: { status: 202, root: 'pings', item: pingResource },
    examples: {
      ping: {
        summary: 'A test of the receiver',
        path: { id: hook.id },
        answer: [{ delivery_id: '019acb6d2e30a1b2c3d4e5f6' }],
      },
      example: {
        summary: 'An example of an event',
        path: { id: hook.id },
        body: [{ event: 'post.published', example: true }],
        answer: [{ delivery_id: '019acb6d2e31a1b2c3d4e5f6' }],
      },
    },
  },
  'webhooks/try-filter': {
    summary: 'Try a filter',
    description:
      'Shows which of the newest 20 events of a webhook a filter would let through: events that were delivered, and events that its present filter has left out. Nothing is changed. Events that are no longer stored are missing. At most 120 previews and trials per minute for each staff member or integration.',
    body: { root: 'trials', item: newTrial, max: 1 },
    answer: { status: 200, root: 'trials', item: trialResource },
    errors: [invalid('filter', 'it is no event pattern, or never matches; `property` has the path in it')],
    examples: {
      public: {
        summary: 'Public posts only',
        path: { id: hook.id },
        body: [{ filter: { post: { current: { visibility: ['public'] } } } }],
        answer: [
          {
            matched: 1,
            events: [
              {
                event_id: delivered.event_id,
                event,
                created_at: '2026-11-21T09:30:00.000Z',
                title: 'Post published: What to sow in winter',
                matched: true,
                left_out: false,
              },
            ],
          },
        ],
      },
    },
  },
  'replays/create': {
    summary: 'Replay a time range',
    description:
      'Redelivers the events of a time range: all deliveries that have ended or, with `status`, some of them, such as those `held` while the webhook was disabled. Earlier redeliveries, replays and pings are left out, and so are events that the webhook no longer subscribes to. A long replay is sent in chunks, as fast as the receiver responds. One replay runs per webhook, and each staff member or integration can request 30 per hour (a setting of the stage); beyond that, 429 with `Retry-After`.',
    body: { root: 'replays', item: newReplay, max: 1 },
    answer: { status: 202, root: 'replays', item: replayResource },
    errors: [failure('ValidationError', 'a replay of this webhook is running; `details` has its id')],
    examples: {
      failed: {
        summary: 'The failed deliveries of one day',
        path: { id: hook.id },
        body: [{ since: '2026-11-20', until: '2026-11-21', status: 'failed' }],
        answer: [replay],
      },
    },
  },
  'replays/read': {
    summary: 'Get replay progress',
    answer: { status: 200, root: 'replays', item: replayResource },
    examples: {
      finished: {
        summary: 'A finished replay',
        path: { id: hook.id, replay_id: replay.id },
        answer: [
          {
            ...replay,
            state: 'finished',
            progress: { checked: 1204, replayed: 37, percent: 100 },
            updated_at: '2026-11-21T09:45:02.000Z',
          },
        ],
      },
    },
  },
} satisfies Record<string, OperationTexts>;
