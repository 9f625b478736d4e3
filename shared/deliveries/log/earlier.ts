/** Finds an event that webhooks have received, by the id that its publisher gave it. */
import { NotFoundError } from '../../foundation/errors.ts';
import type { WebhookId } from '../../foundation/ids.ts';
import type { Delivery } from '../delivery.ts';
import { logOf } from '../records/store.ts';
import { mergeDeliveries } from './merge.ts';

/**
 * Returns the newest delivery of the event to these webhooks.
 * @param instead what the caller can request without knowing an event, as a sentence
 * @throws NotFoundError
 */
export const earlierDelivery = async (
  webhooks: readonly WebhookId[],
  wanted: { readonly event_id: string; readonly event?: string },
  instead: string,
): Promise<Delivery> => {
  const { deliveries } = await mergeDeliveries(webhooks.map(logOf), wanted, 1, undefined);
  const [delivery] = deliveries;
  if (delivery !== undefined) return delivery;
  const { event_id, event } = wanted;
  const named = event === undefined ? 'event' : `\`${event}\``;
  throw new NotFoundError(
    webhooks.length === 1
      ? `This webhook has had no ${named} with the id \`${event_id}\`.`
      : `No webhook that you can see has had the ${named} with the id \`${event_id}\`.`,
    {
      property: 'event_id',
      help: `GET /admin/deliveries/ has the ids of events in \`event_id\`. ${instead}`,
    },
  );
};
