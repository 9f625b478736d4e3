/** The OpenAPI texts of publishing events. */
import { eventResource } from '../../../../shared/events/schema.ts';
import { eventToPublish } from '../components.ts';
import { forbidden } from '../errors.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts } from '../operation.ts';

const accepted = exampleOf(eventResource, { created_at: '2026-11-21T09:30:00.000Z' });

export const events = {
  'events/publish': {
    summary: 'Publish events',
    description:
      'The response is sent once the events are durably queued; deliveries follow. The Owner, Administrators and integrations with `can_publish` can publish. An event with an `id` can be sent again for 30 days without being delivered again.',
    body: { root: 'events', item: eventToPublish, max: 10 },
    answer: { status: 202, root: 'events', item: eventResource },
    errors: [forbidden('the integration cannot publish')],
    examples: {
      publish: {
        summary: 'A published post',
        body: {
          events: [
            {
              id: accepted.id,
              event: accepted.event,
              payload: {
                post: {
                  current: { id: '6748a1b2c3d4e5f601234567', title: 'Hello', status: 'published' },
                  previous: { status: 'draft' },
                },
              },
            },
          ],
        },
        answer: { events: [accepted] },
      },
    },
  },
} satisfies Record<string, OperationTexts>;
