/** `GET /admin/webhooks/{id}/deliveries/{delivery_id}/`: shows one delivery with its attempts and its last request. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { findDelivery } from '../../shared/deliveries/log/browse.ts';
import { sentRequest } from '../../shared/deliveries/log/sent.ts';
import { deliveryWithLogResource, presentDeliveryWithLog } from '../../shared/deliveries/logged.ts';
import { withHolders } from '../../shared/deliveries/records/windows.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { hook, sent } from '../../shared/webhooks/example.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { mayRead } from '../../shared/webhooks/staff-permission.ts';

export const handler = endpoint({
  line: 'deliveries/read',
  answer: { status: 200, root: 'deliveries', item: deliveryWithLogResource },
  handle: async ({ id, caller, reply }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    const found = await findDelivery(webhook.id, id('delivery_id'));
    const request = (await mayRead(found.event, caller)) ? await sentRequest(webhook, found) : null;
    return reply((await withHolders([found])).map((delivery) => presentDeliveryWithLog(delivery, request)));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'Get a delivery with its attempts',
  description:
    'Includes all attempts. `request` is that of the last one. The body is stored once for each event, for seven ' +
    'days longer than deliveries are kept (30 days by default); after that `request` is null. ' +
    'Signatures are not shown.',
  examples: {
    'with-log': {
      summary: 'Delivered with the first attempt',
      path: { id: hook.id, delivery_id: example.path.delivery_id },
      answer: [
        {
          ...example.delivered,
          request: {
            method: 'POST',
            url: sent.target_url,
            headers: {
              'Content-Type': 'application/json',
              'Content-Version': 'v5.0',
              Accept: '*/*',
              'Accept-Encoding': 'identity',
              'User-Agent': 'Masthead/0.2',
              'Masthead-Event-Id': example.receivedEventId,
              'Masthead-Event-Time': example.delivered.created_at,
              'Masthead-Attempt': '1',
              'Masthead-Trigger': 'event',
              'webhook-id': example.path.delivery_id,
              'webhook-timestamp': '1795253400',
              'webhook-signature': 'v1,… v1,…',
              'X-Ghost-Signature': 'sha256=…, t=1795253400040',
              'Content-Length': String(example.sentBody.length),
            },
            body: example.sentBody,
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
});
