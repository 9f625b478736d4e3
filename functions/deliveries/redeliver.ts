/** `POST /admin/webhooks/{id}/deliveries/{delivery_id}/redeliver/`: delivers once more what one delivery carried. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { findDelivery, redeliver } from '../../shared/deliveries/by-hand.ts';
import { presentDelivery } from '../../shared/deliveries/resource.ts';
import { sendNow } from '../../shared/deliveries/send-now.ts';
import { addDelivery, readDelivery } from '../../shared/deliveries/store.ts';
import { readEventBody } from '../../shared/events/store.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { type DeliveryId, newId, type WebhookId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/manage.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

const ports = {
  readDelivery,
  readEventBody,
  addDelivery,
  sendNow,
  clock: systemClock,
  ids: newId,
  settings: settings().deliveries,
};

export const handler = endpoint({
  line: 'deliveries/redeliver',
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(webhookStore, id<WebhookId>(), caller);
    const delivery = await findDelivery(ports, webhook.id, id<DeliveryId>('delivery_id'));
    return accepted({ deliveries: [presentDelivery(await redeliver(ports, delivery))] });
  },
});
