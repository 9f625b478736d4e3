/** Finds the webhook of a delivery whose id is all that is known. */
import { isId } from '../../../shared/foundation/ids.ts';
import type { Caller } from '../../command-line/client.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import type { Delivery } from '../api/resources.ts';
import { listed } from './filter.ts';

/** Returns the delivery with this id. @throws UsageError for no id, Error if no visible webhook has it, RequestError */
export const findDelivery = async (caller: Caller, id: string, webhook_id?: string): Promise<Delivery> => {
  if (!isId(id))
    throw new UsageError(`<delivery> is '${id}'; it must be the id of a delivery: 24 lower-case hex characters.`);
  for await (const [found] of listed(caller, { webhook_id, delivery_id: id })) if (found !== undefined) return found;
  throw new Error(
    `No delivery has the id ${id}. The log is stored for a limited time; ` +
      'npm run ops -- deliveries list shows what it has.',
  );
};

/** Returns the path of a delivery, below the base URL. */
export const pathOf = ({ webhook_id, id }: Pick<Delivery, 'webhook_id' | 'id'>): string =>
  `/admin/webhooks/${webhook_id}/deliveries/${id}/`;
