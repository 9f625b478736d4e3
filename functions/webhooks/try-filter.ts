/** `POST /admin/webhooks/{id}/trial/`: shows which of a webhook's newest events a filter would let through. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { countPreview } from '../../shared/deliveries/log/limit.ts';
import { trialResource } from '../../shared/deliveries/log/resource.ts';
import { newTrial, tryFilter } from '../../shared/deliveries/log/trial.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { type Documentation, invalid } from '../../shared/http/documentation.ts';
import { hook } from '../../shared/webhooks/example.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { checkMayRead } from '../../shared/webhooks/staff-permission.ts';

export const handler = endpoint({
  line: 'webhooks/try-filter',
  body: { root: 'trials', item: newTrial, max: 1 },
  answer: { status: 200, root: 'trials', item: trialResource },
  handle: async ({ id, items: [{ filter }], caller, now, reply }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    await checkMayRead(webhook.event, caller);
    await countPreview(caller, now);
    return reply([await tryFilter(webhook, filter)]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'Try a filter',
  description:
    'Shows which of the newest 20 events of a webhook a filter would let through: events that were delivered, and ' +
    'events that its present filter has left out. Nothing is changed. Events that are no longer stored are ' +
    'missing. At most 120 previews and trials per minute for each staff member or integration.',
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
              event_id: example.delivered.event_id,
              event: example.event,
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
});
