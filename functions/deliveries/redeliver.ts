/** `POST /admin/webhooks/{id}/deliveries/{delivery_id}/redeliver/`: delivers the event of a delivery again. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { findDelivery } from '../../shared/deliveries/log/browse.ts';
import { countRedelivery } from '../../shared/deliveries/replays/limits.ts';
import { redeliver } from '../../shared/deliveries/replays/requested.ts';
import { presentDelivery } from '../../shared/deliveries/resource.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

const rules = settings().deliveries;

export const handler = endpoint({
  line: 'deliveries/redeliver',
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    const delivery = await findDelivery(webhook.id, id('delivery_id'));
    await countRedelivery(caller, rules);
    return accepted({ deliveries: [presentDelivery(await redeliver(webhook, delivery, rules))] });
  },
});
