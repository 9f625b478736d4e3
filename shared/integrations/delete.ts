/**
 * Deletes an integration. The write that marks it also ends its keys; then its webhooks are removed by pages. Steps may
 * repeat, and stop at any line. A long deletion continues in its queue, and the sweep finds lost messages.
 */
import * as v from 'valibot';
import { actorOf, changesBetween } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import type { Caller } from '../foundation/caller.ts';
import { minute, systemClock, timestamp } from '../foundation/clock.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import { idSchema } from '../foundation/resource.ts';
import { removeWebhooks } from '../webhooks/remove-many.ts';
import { asTarget, shownToAudit } from './integration.ts';
import { noIntegration } from './manage.ts';
import { checkNoReceiver, receivesSite } from './move/store.ts';
import {
  beginDeletion,
  endDeletion,
  listKeysOf,
  listWebhookIdsOf,
  readIntegrationEvenDeleted,
  removeKeys,
} from './store.ts';

export const deletionMessage = v.object({
  integration_id: idSchema<IntegrationId>(),
});
export type DeletionMessage = v.InferOutput<typeof deletionMessage>;

/** When the sweep looks for a lost message: later than the request can run. */
export const dueMs = minute;
/** Two writes for each key, and a transaction has at most 100 (DynamoDB limit). */
const keysAtATime = 45;
/** Some 400 a second, if each has one event: four transactions of 20 at the same time (`webhooks/remove-many.ts`). */
const webhooksAtATime = 80;

/**
 * Starts the deletion, if it has not started, and continues until all is deleted or `deadline` (epoch ms) has passed.
 * @throws NotFoundError, ValidationError if it receives a Ghost site that was moved
 */
export const deleteIntegration = async (
  id: IntegrationId,
  caller: Caller,
  deadline: number,
): Promise<'gone' | 'going'> => {
  const [integration, listed] = await Promise.all([readIntegrationEvenDeleted(id), listKeysOf(id)]);
  if (integration === undefined) throw noIntegration(id);
  if (integration.deleting_since === undefined) {
    const keys = listed.slice(0, keysAtATime).map((key) => key.id);
    const now = systemClock();
    const entry = audited(
      actorOf(caller),
      'integration.deleted',
      asTarget(integration),
      changesBetween(shownToAudit(integration), {}),
    );
    const refusal = await beginDeletion(id, keys, timestamp(now), now + dueMs, [entry, checkNoReceiver(id)]);
    const position = [...(refusal?.failed ?? [])].find((one) => one > 0);
    const record = position === undefined ? undefined : refusal?.found<{ readonly from: string }>(position);
    if (record !== undefined) throw receivesSite(record);
  }
  return continueDeletion(id, deadline);
};

/** Continues a started deletion until `deadline` (epoch ms); does nothing if there is none. */
export const continueDeletion = async (id: IntegrationId, deadline: number): Promise<'gone' | 'going'> => {
  for (;;) {
    const [integration, keys, webhooks] = await Promise.all([
      readIntegrationEvenDeleted(id),
      listKeysOf(id),
      listWebhookIdsOf(id, webhooksAtATime),
    ]);
    if (integration?.deleting_since === undefined) return 'gone';
    // If a key is replaced while the deletion starts, a new key may appear, at most once.
    if (keys.length > 0)
      await removeKeys(
        id,
        keys.slice(0, keysAtATime).map((key) => key.id),
      );
    else if (webhooks.length > 0) await removeWebhooks(id, webhooks);
    else {
      await endDeletion(id, integration.deleting_since);
      return 'gone';
    }
    if (systemClock() >= deadline) return 'going';
  }
};
