/** `POST /admin/webhooks/{id}/ping/`: posts a `webhook.ping` to one webhook; answered, it brings a disabled webhook back. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { ping } from '../../shared/deliveries/by-hand.ts';
import { presentDelivery } from '../../shared/deliveries/resource.ts';
import { sendNow } from '../../shared/deliveries/send-now.ts';
import { addDelivery } from '../../shared/deliveries/store.ts';
import { keepEventBody } from '../../shared/events/store.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { newId, type WebhookId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';
import { takeAll } from '../../shared/limits/store.ts';
import { findWebhook } from '../../shared/webhooks/manage.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

const ports = {
  takeAll,
  keepEventBody,
  addDelivery,
  sendNow,
  clock: systemClock,
  ids: newId,
  settings: settings().deliveries,
};

export const handler = endpoint({
  line: 'webhooks/ping',
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(webhookStore, id<WebhookId>(), caller);
    return accepted({ deliveries: [presentDelivery(await ping(ports, webhook))] });
  },
});
