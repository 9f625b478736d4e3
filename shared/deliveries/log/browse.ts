/** Finds a delivery of a webhook by its id. */
import { second, systemClock } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import type { DeliveryId, WebhookId } from '../../foundation/ids.ts';
import type { Delivery } from '../delivery.ts';
import { readDelivery } from '../records/store.ts';

/** Finds a delivery of a webhook. @throws NotFoundError */
export const findDelivery = async (webhook: WebhookId, id: DeliveryId): Promise<Delivery> => {
  const delivery = await readDelivery(webhook, id);
  if (delivery === undefined || !isKept(delivery))
    throw new NotFoundError(`This webhook has no delivery with the id \`${id}\`.`, {
      help: 'GET /admin/webhooks/{id}/deliveries/ lists them; the log is stored for a limited time.',
    });
  return delivery;
};

/** Returns whether a delivery has not expired: DynamoDB deletes expired items up to two days late. */
export const isKept = ({ expires_at }: Delivery): boolean => expires_at * second > systemClock();
