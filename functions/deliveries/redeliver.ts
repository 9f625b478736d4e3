/** `POST /admin/webhooks/{id}/deliveries/{delivery_id}/redeliver/`: delivers once more what one delivery carried. */
import { systemClock } from '../../shared/clock.ts';
import { findDelivery, redeliver } from '../../shared/deliveries/by-hand.ts';
import { presentDelivery } from '../../shared/deliveries/delivery.ts';
import { sendNow } from '../../shared/deliveries/send-now.ts';
import { addDelivery, readDelivery } from '../../shared/deliveries/store.ts';
import { settings } from '../../shared/environment.ts';
import { readEventBody } from '../../shared/events/store.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accepted } from '../../shared/http/response.ts';
import { type DeliveryId, newId, type WebhookId } from '../../shared/ids.ts';
import { findKey } from '../../shared/keys/find.ts';
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
  keys: findKey,
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(webhookStore, id<WebhookId>(), caller);
    const delivery = await findDelivery(ports, webhook.id, id<DeliveryId>('delivery_id'));
    return accepted({ deliveries: [presentDelivery(await redeliver(ports, delivery))] });
  },
});
