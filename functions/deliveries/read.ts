/** `GET /admin/webhooks/{id}/deliveries/{delivery_id}/`: shows one delivery with its attempts, and what the last one sent. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { findDelivery } from '../../shared/deliveries/log/browse.ts';
import { sentRequest } from '../../shared/deliveries/log/sent.ts';
import { presentDeliveryWithLog } from '../../shared/deliveries/resource.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { mayRead } from '../../shared/webhooks/staff-permission.ts';

export const handler = endpoint({
  line: 'deliveries/read',
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    const delivery = await findDelivery(webhook.id, id('delivery_id'));
    const request = (await mayRead(delivery.event, caller)) ? await sentRequest(webhook, delivery) : null;
    return ok({ deliveries: [presentDeliveryWithLog(delivery, request)] });
  },
});
