/** What the OpenAPI document says of the log of deliveries, and of deliveries by hand. */
import * as v from 'valibot';
import { replayResource } from '../../../../shared/deliveries/replays/resource.ts';
import { newReplay } from '../../../../shared/deliveries/replays/schema.ts';
import { deliveryResource, deliveryStates, deliveryWithLogResource } from '../../../../shared/deliveries/resource.ts';
import type { ErrorCase, Operation, QueryParameter } from '../operation.ts';
import { cursor, limit } from './paging.ts';
import { hook, others, unknown } from './webhooks.ts';

const resource = 'Deliveries';

const unknownDelivery: ErrorCase = {
  status: 404,
  type: 'NotFoundError',
  when: 'the webhook has no delivery with this id (any more)',
};

const time = (description: string): QueryParameter => ({
  schema: v.pipe(v.string(), v.metadata({ examples: ['2026-11-21T09:00:00Z', '2026-11-21'] })),
  description,
});

const delivered = {
  id: '019acb63f5e8a1b2c3d4e5f6',
  webhook_id: hook.id,
  event: 'post.published',
  event_id: 'post-6748-published',
  status: 'delivered',
  trigger: 'event',
  attempts: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  last_attempt_at: '2026-11-21T09:30:00.040Z',
  next_attempt_at: null,
  last_status: '200',
  last_error: null,
  waiting_for: null,
};

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
  progress: { checked: 0, replayed: 0 },
  created_at: '2026-11-21T09:45:00.000Z',
  updated_at: '2026-11-21T09:45:00.000Z',
};

export const deliveries = {
  'deliveries/list': {
    resource,
    summary: 'List the deliveries of a webhook',
    description:
      'Newest first, and kept for 30 days where the stage says nothing else. Where few of many fit the filters a page may be short, or empty: go on as long as there is a `next`.',
    query: {
      status: { schema: v.picklist(deliveryStates), description: 'Only those in this state.' },
      event: { schema: v.string(), description: 'Only those of this event.' },
      since: time('Only what was accepted then or later.'),
      until: time('Only what was accepted before.'),
      limit: limit(100),
      cursor,
    },
    answer: { status: 200, root: 'deliveries', item: deliveryResource, pages: 'always' },
    errors: [
      unknown,
      others,
      { status: 422, type: 'ValidationError', property: 'status', when: 'no delivery can be in this state' },
      { status: 422, type: 'ValidationError', property: 'since', when: 'it is not a time' },
      { status: 422, type: 'ValidationError', property: 'until', when: 'it is not a time, or not after `since`' },
      {
        status: 422,
        type: 'ValidationError',
        property: 'limit',
        when: '`limit` is not a number from 1 to 100, or `all`',
      },
      {
        status: 422,
        type: 'ValidationError',
        property: 'cursor',
        when: '`cursor` was not given for this list with these filters',
      },
    ],
    examples: {
      'of-an-event': {
        summary: 'What was delivered of an event',
        caller: 'Owner',
        path: { id: hook.id },
        query: { status: 'delivered', event: 'post.published' },
        status: 200,
        answer: { deliveries: [delivered], meta: { pagination: { limit: 100, next: null } } },
      },
    },
  },
  'deliveries/read': {
    resource,
    summary: 'Show a delivery with its attempts',
    answer: { status: 200, root: 'deliveries', item: deliveryWithLogResource },
    errors: [unknown, unknownDelivery, others],
    examples: {
      'with-log': {
        summary: 'One that arrived at once',
        caller: 'Owner',
        path: { id: hook.id, delivery_id: delivered.id },
        status: 200,
        answer: {
          deliveries: [
            {
              ...delivered,
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
  },
  'deliveries/redeliver': {
    resource,
    summary: 'Redeliver',
    description:
      'Makes a new delivery of the same event. Requested deliveries do not count for the health of the webhook. No body is needed. A key can request 1,000 redeliveries an hour (a setting of the stage); beyond, 429 with `Retry-After`.',
    answer: { status: 202, root: 'deliveries', item: deliveryResource },
    errors: [unknown, unknownDelivery, { ...unknownDelivery, when: 'its event is not kept any more' }, others],
    examples: {
      again: {
        summary: 'The receiver has lost it',
        caller: 'Owner',
        path: { id: hook.id, delivery_id: delivered.id },
        status: 202,
        answer: { deliveries: [{ ...waiting, id: '019acb6c1d20a1b2c3d4e5f6', trigger: 'redelivery' }] },
      },
    },
  },
  'webhooks/ping': {
    resource,
    summary: 'Ping a webhook',
    description:
      'Delivers a `webhook.ping`, whatever the webhook subscribes to. One that is answered with success makes a disabled webhook available again. At most 5 a minute and webhook. No body is needed.',
    answer: { status: 202, root: 'deliveries', item: deliveryResource },
    errors: [unknown, others],
    examples: {
      ping: {
        summary: 'Does it arrive?',
        caller: 'Owner',
        path: { id: hook.id },
        status: 202,
        answer: {
          deliveries: [
            {
              ...waiting,
              id: '019acb6d2e30a1b2c3d4e5f6',
              event: 'webhook.ping',
              event_id: '019acb6d2e30b2c3d4e5f6a1',
              trigger: 'ping',
            },
          ],
        },
      },
    },
  },
  'replays/create': {
    resource,
    summary: 'Replay a range of time',
    description:
      'Sends again what events brought to this webhook, or should have brought, in a range of time: all deliveries that have ended or, with `status`, a part of them, such as those that were `held` while the webhook was disabled. A long replay is sent in chunks, as fast as the receiver answers. One replay runs for a webhook at a time, and a key can request 30 an hour (a setting of the stage); beyond, 429 with `Retry-After`.',
    body: { root: 'replays', item: newReplay, max: 1 },
    answer: { status: 202, root: 'replays', item: replayResource },
    errors: [
      unknown,
      others,
      {
        status: 422,
        type: 'ValidationError',
        when: 'a replay of this webhook is running; `details` has its id',
      },
    ],
    examples: {
      failed: {
        summary: 'What failed on one day',
        caller: 'Owner',
        path: { id: hook.id },
        body: { replays: [{ since: '2026-11-20', until: '2026-11-21', status: 'failed' }] },
        status: 202,
        answer: { replays: [replay] },
      },
    },
  },
  'replays/read': {
    resource,
    summary: 'Get replay progress',
    answer: { status: 200, root: 'replays', item: replayResource },
    errors: [unknown, { status: 404, type: 'NotFoundError', when: 'the webhook has no replay with this id' }, others],
    examples: {
      finished: {
        summary: 'One that is done',
        caller: 'Owner',
        path: { id: hook.id, replay_id: replay.id },
        status: 200,
        answer: {
          replays: [
            {
              ...replay,
              state: 'finished',
              progress: { checked: 1204, replayed: 37 },
              updated_at: '2026-11-21T09:45:02.000Z',
            },
          ],
        },
      },
    },
  },
} satisfies Record<string, Operation>;
