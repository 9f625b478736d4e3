/** `POST /admin/webhooks/preview/`: shows the request that options would make of an event; nothing is sent. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { countPreview } from '../../shared/deliveries/log/limit.ts';
import { earlierEvent, newPreview, previewOf } from '../../shared/deliveries/log/preview.ts';
import { previewResource } from '../../shared/deliveries/log/resource.ts';
import { type Documentation, forbidden, invalid, notFound } from '../../shared/http/documentation.ts';
import { webhooksOf } from '../../shared/integrations/visible-webhooks.ts';
import { checkMayRead } from '../../shared/webhooks/staff-permission.ts';

export const handler = endpoint({
  line: 'webhooks/preview',
  body: { root: 'previews', item: newPreview, max: 1 },
  answer: { status: 200, root: 'previews', item: previewResource },
  handle: async ({ items: [preview], caller, now, reply }) => {
    const { event, event_id, webhook_id } = preview;
    await countPreview(caller, now);
    if (event_id !== undefined) await checkMayRead(event, caller);
    const webhooks = event_id === undefined ? [] : (await webhooksOf(caller, webhook_id)).map(({ id }) => id);
    const earlier = event_id === undefined ? undefined : await earlierEvent(event, event_id, webhooks);
    return reply([previewOf(preview, now, earlier)]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Preview a delivery',
  description:
    'Shows the request that a webhook with these options would get for an example of an event or, with `event_id`, ' +
    'for a past event of a webhook. Nothing is sent, and no stored options are read. ' +
    'At most 120 previews and trials per minute for each staff member or integration.',
  errors: [
    notFound('no webhook has the id `webhook_id`, or none has had the event `event_id`, or it is no longer stored'),
    forbidden('the webhook belongs to another integration, or the integration may not receive events about staff'),
    invalid('webhook_id', 'it is missing, `event_id` is not, and the caller can see more than 1,000 webhooks'),
  ],
  examples: {
    'deploy-hook': {
      summary: 'A deploy hook with a header',
      body: [
        {
          event: 'post.published',
          example: true,
          target_url: 'https://api.example.com/build_hooks/5c23',
          options: { format: { type: 'deploy-hook' }, headers: { 'X-Team': 'news' } },
        },
      ],
      answer: [
        {
          method: 'POST',
          url: 'https://api.example.com/build_hooks/5c23',
          headers: {
            'Content-Version': 'v6.0',
            'X-Team': '…',
            Accept: '*/*',
            'Accept-Encoding': 'identity',
            'User-Agent': 'Masthead/0.2',
            'Masthead-Event-Id': '000000000000000000000000.f10cdadd8bc6',
            'Masthead-Event-Time': '2026-11-21T09:10:00.000Z',
            'Masthead-Attempt': '1',
            'Masthead-Trigger': 'event',
            'webhook-id': '019acb6d2e30a1b2c3d4e5f6',
            'webhook-timestamp': '1795857000',
            'Content-Length': '0',
          },
          body: '',
          matched: true,
        },
      ],
    },
  },
});
