/** What the OpenAPI document says of publishing events. */
import { eventResource } from '../../../../shared/events/schema.ts';
import { eventToPublish } from '../components.ts';
import type { Operation } from '../operation.ts';

export const events = {
  'events/publish': {
    resource: 'Events',
    summary: 'Publish events',
    description:
      'The answer comes once they are durably in the queue; deliveries follow. Owners and Administrators may publish, and integrations with `can_publish`. An event with an `id` can be sent again without harm for 30 days.',
    body: { root: 'events', item: eventToPublish, max: 10 },
    answer: { status: 202, root: 'events', item: eventResource },
    errors: [{ status: 403, type: 'NoPermissionError', when: 'the integration may not publish' }],
    examples: {
      publish: {
        summary: 'A post that was published',
        caller: 'Owner',
        body: {
          events: [
            {
              id: 'post-6748-published',
              event: 'post.published',
              payload: {
                post: {
                  current: { id: '6748a1b2c3d4e5f601234567', title: 'Hello', status: 'published' },
                  previous: { status: 'draft' },
                },
              },
            },
          ],
        },
        status: 202,
        answer: {
          events: [{ id: 'post-6748-published', event: 'post.published', created_at: '2026-11-21T09:30:00.000Z' }],
        },
      },
    },
  },
} satisfies Record<string, Operation>;
