/** Finds an event that webhooks have received, by the id that its publisher gave it or that they got. */
import * as v from 'valibot';
import { timestamp } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import { maxChars, text } from '../../foundation/fields.ts';
import type { WebhookId } from '../../foundation/ids.ts';
import type { Delivery } from '../delivery.ts';
import { logOf } from '../records/store.ts';
import { mergeDeliveries } from './merge.ts';

/** The id of an earlier event: receivers get its publisher's 64 characters percent-encoded, in up to 781. */
export const earlierId = /* @__PURE__ */ v.pipe(text, /* @__PURE__ */ maxChars(781));

/** Returns the newest delivery of the event. `instead`: a sentence on what else to request. @throws NotFoundError */
export const earlierDelivery = async (
  webhooks: readonly WebhookId[],
  wanted: { readonly event_id: string; readonly event?: string },
  instead: string,
): Promise<Delivery> => {
  const { deliveries, searchedTo } = await mergeDeliveries(webhooks.map(logOf), wanted, 1, undefined);
  const [delivery] = deliveries;
  if (delivery !== undefined) return delivery;
  const { event_id, event } = wanted;
  const named = `${event === undefined ? 'event' : `\`${event}\``} with the id \`${event_id}\``;
  const since = searchedTo === undefined ? '' : ` since ${timestamp(searchedTo)}`;
  throw new NotFoundError(
    webhooks.length === 1
      ? `This webhook has had no ${named}${since}.`
      : `No webhook that you can see has had the ${named}${since}.`,
    {
      property: 'event_id',
      help: `GET /admin/deliveries/?event_id= finds an event of any age, and its webhooks. ${instead}`,
    },
  );
};
