/** Finds the webhooks that a caller can see: an integration its own, staff those of all integrations. */
import type { Caller } from '../foundation/caller.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { listIntegrationIds, listWebhookIdsOf } from './store.ts';

/** Integrations whose webhooks are read at the same time. */
const pageSize = 50;

/** Returns the ids of these webhooks; undefined if there are more than `max`, or more integrations than that. */
export const visibleWebhooks = async (caller: Caller, max: number): Promise<WebhookId[] | undefined> => {
  const webhooks: WebhookId[] = [];
  let after: IntegrationId | undefined;
  for (let seen = 0; seen < max; seen += pageSize) {
    const integrations =
      caller.kind === 'integration' ? [caller.integrationId] : await listIntegrationIds(pageSize, after);
    const found = await Promise.all(integrations.map((id) => listWebhookIdsOf(id, max + 1)));
    webhooks.push(...found.flat());
    if (webhooks.length > max) return undefined;
    after = integrations.at(-1);
    if (integrations.length < pageSize) return webhooks;
  }
  return undefined;
};
