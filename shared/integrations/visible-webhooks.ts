/** Finds the webhooks that a caller can see: an integration its own, staff those of all integrations. */
import type { Caller } from '../foundation/caller.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { listIntegrationIds, listWebhooksOf } from './store.ts';

type Visible = Pick<Webhook, 'id' | 'cohort'>;

/** Integrations whose webhooks are read at the same time. */
const pageSize = 50;

/** Returns these webhooks; undefined if there are more than `max`, or more integrations than that. */
export const visibleWebhooks = async (caller: Caller, max: number): Promise<Visible[] | undefined> => {
  const webhooks: Visible[] = [];
  let after: IntegrationId | undefined;
  for (let seen = 0; seen < max; seen += pageSize) {
    const integrations =
      caller.kind === 'integration' ? [caller.integrationId] : await listIntegrationIds(pageSize, after);
    const found = await Promise.all(integrations.map((id) => listWebhooksOf(id, max + 1)));
    webhooks.push(...found.flat());
    if (webhooks.length > max) return undefined;
    after = integrations.at(-1);
    if (integrations.length < pageSize) return webhooks;
  }
  return undefined;
};
