/** The deliveries in the examples of the OpenAPI document. */
import { receivedId } from '../events/event.ts';
import { eventExamples } from '../events/examples.ts';
import { exampleOf } from '../foundation/example-of.ts';
import { hook } from '../webhooks/example.ts';
import { deliveryResource } from './resource.ts';

export const event = 'post.published';
export const path = { id: hook.id, delivery_id: '019acb63f5e8a1b2c3d4e5f6' };
export const delivered = exampleOf(deliveryResource, {
  id: path.delivery_id,
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

export const receivedEventId = receivedId(String(delivered.event_id), '8f3c1d20a7be');

/** That of a webhook with API version 5, which has no `event`. */
export const sentBody = JSON.stringify(eventExamples[event]?.payload);

export const waiting = {
  ...delivered,
  status: 'pending',
  attempts: 0,
  created_at: '2026-11-21T09:40:00.000Z',
  last_attempt_at: null,
  last_status: null,
};

export const recovery = {
  id: '019acb71a1b2a1b2c3d4e5f6',
  since: '2026-11-20T00:00:00.000Z',
  until: '2026-11-21T00:00:00.000Z',
  status: null,
  event: null,
  state: 'finished',
  matched: 0,
  searched_to: null,
  progress: { checked: 0, replayed: 0, percent: 100 },
  webhooks: 0,
  skipped_webhook_ids: [],
  created_at: '2026-11-21T09:45:00.000Z',
};

export const replay = {
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
