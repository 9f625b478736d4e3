/** `POST /admin/webhooks/{id}/deliveries/{delivery_id}/redeliver/`: delivers the event of a delivery again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { findDelivery } from '../../shared/deliveries/log/browse.ts';
import { countRedelivery } from '../../shared/deliveries/replays/limits.ts';
import { redeliver } from '../../shared/deliveries/replays/requested.ts';
import { deliveryResource, presentDelivery } from '../../shared/deliveries/resource.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { type Documentation, notFound } from '../../shared/http/documentation.ts';
import { recordRequest } from '../../shared/webhooks/audit.ts';
import { hook } from '../../shared/webhooks/example.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

export const handler = endpoint({
  line: 'deliveries/redeliver',
  answer: { status: 202, root: 'deliveries', item: deliveryResource },
  handle: async ({ id, caller, reply }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    const delivery = await findDelivery(webhook.id, id('delivery_id'));
    const rules = settings().deliveries;
    await countRedelivery(caller, rules);
    const again = await redeliver(webhook, delivery, rules);
    await recordRequest(caller, 'webhook.redelivered', webhook, { delivery_id: again.id });
    return reply([presentDelivery(again)]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'Redeliver',
  description:
    'Creates a new delivery of the same event. Failed redeliveries count for the circuit breaker, but do not disable ' +
    'the webhook. Each staff member or integration can request 1,000 redeliveries per hour (a setting of the ' +
    'stage); beyond that, 429 with `Retry-After`. No body is required.',
  errors: [notFound('the event is no longer stored')],
  examples: {
    again: {
      summary: 'The receiver lost the delivery',
      path: { id: hook.id, delivery_id: example.path.delivery_id },
      answer: [{ ...example.waiting, id: '019acb6c1d20a1b2c3d4e5f6', trigger: 'redelivery' }],
    },
  },
});
