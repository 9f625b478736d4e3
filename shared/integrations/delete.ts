/**
 * Deletes an integration. The write that marks it also makes its keys invalid; then its webhooks are removed, page by page. Every step may be
 * repeated and may stop at any line. The rest of a long deletion continues in its own queue, and the sweep finds a deletion whose message was lost.
 */
import * as v from 'valibot';
import { actorOf, changesBetween } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import type { Caller } from '../foundation/caller.ts';
import { type Clock, minute, timestamp } from '../foundation/clock.ts';
import type { ApiKeyId, IntegrationId, WebhookId } from '../foundation/ids.ts';
import { idSchema } from '../foundation/resource.ts';
import type { Write } from '../table/transaction.ts';
import { type ApiKeyPointer, asTarget, type Integration, shownToAudit } from './integration.ts';
import { noIntegration } from './manage.ts';

export interface DeletionPorts {
  readonly read: (id: IntegrationId) => Promise<Integration | undefined>;
  readonly listKeys: (id: IntegrationId) => Promise<readonly ApiKeyPointer[]>;
  readonly removeKeys: (id: IntegrationId, keys: readonly ApiKeyId[]) => Promise<void>;
  /** Marks it and returns whether it did so. @throws ValidationError if the integration receives a site that was moved */
  readonly begin: (
    id: IntegrationId,
    keys: readonly ApiKeyId[],
    at: string,
    due: number,
    entry: Write,
  ) => Promise<boolean>;
  readonly listWebhookIds: (id: IntegrationId, limit: number) => Promise<readonly WebhookId[]>;
  /** Removes webhooks, except those that change at the same time: the next page has them again. */
  readonly removeWebhooks: (id: IntegrationId, webhooks: readonly WebhookId[]) => Promise<void>;
  readonly end: (id: IntegrationId, since: string) => Promise<unknown>;
  readonly clock: Clock;
}

/** The message of the deletions queue. */
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
 * Starts the deletion, unless it has started already, and continues until everything is deleted or `deadline` (epoch ms) has passed.
 * @throws NotFoundError, ValidationError if it receives a Ghost site that was moved
 */
export const deleteIntegration = async (
  ports: DeletionPorts,
  id: IntegrationId,
  caller: Caller,
  deadline: number,
): Promise<'gone' | 'going'> => {
  const [integration, listed] = await Promise.all([ports.read(id), ports.listKeys(id)]);
  if (integration === undefined) throw noIntegration(id);
  if (integration.deleting_since === undefined) {
    const keys = listed.slice(0, keysAtATime).map((key) => key.id);
    const now = ports.clock();
    const entry = audited(
      actorOf(caller),
      'integration.deleted',
      asTarget(integration),
      changesBetween(shownToAudit(integration), {}),
    );
    await ports.begin(id, keys, timestamp(now), now + dueMs, entry);
  }
  return continueDeletion(ports, id, deadline);
};

/** Continues a started deletion until `deadline` (epoch ms); does nothing if there is none. */
export const continueDeletion = async (
  ports: DeletionPorts,
  id: IntegrationId,
  deadline: number,
): Promise<'gone' | 'going'> => {
  for (;;) {
    const [integration, keys, webhooks] = await Promise.all([
      ports.read(id),
      ports.listKeys(id),
      ports.listWebhookIds(id, webhooksAtATime),
    ]);
    if (integration?.deleting_since === undefined) return 'gone';
    // If a key is replaced while the deletion starts, a new key may appear, at most once.
    if (keys.length > 0)
      await ports.removeKeys(
        id,
        keys.slice(0, keysAtATime).map((key) => key.id),
      );
    else if (webhooks.length > 0) await ports.removeWebhooks(id, webhooks);
    else {
      await ports.end(id, integration.deleting_since);
      return 'gone';
    }
    if (ports.clock() >= deadline) return 'going';
  }
};
