/** Finds the webhooks that a caller can see: an integration its own, staff those of all integrations. */
import type { Caller } from '../foundation/caller.ts';
import { ValidationError } from '../foundation/errors.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { findWebhook } from '../webhooks/find.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { listIntegrationIds, listWebhookIdsOf } from './store.ts';

const pageSize = 50;

export type VisibleWebhook = Pick<Webhook, 'id' | 'integration_id'>;

/** Returns these webhooks; undefined if there are more than `max`, or more integrations than that. */
export const visibleWebhooks = async (caller: Caller, max: number): Promise<VisibleWebhook[] | undefined> => {
  const webhooks: VisibleWebhook[] = [];
  let after: IntegrationId | undefined;
  for (let seen = 0; seen < max; seen += pageSize) {
    const integrations =
      caller.kind === 'integration' ? [caller.integrationId] : await listIntegrationIds(pageSize, after);
    const found = await Promise.all(
      integrations.map(async (integration_id) =>
        (await listWebhookIdsOf(integration_id, max + 1)).map((id) => ({ id, integration_id })),
      ),
    );
    webhooks.push(...found.flat());
    if (webhooks.length > max) return undefined;
    after = integrations.at(-1);
    if (integrations.length < pageSize) return webhooks;
  }
  return undefined;
};

/** Each costs a query for each page (docs/adr/0011-one-log-merged-from-many.md). */
const maxWebhooks = 1000;

/**
 * Returns the webhooks whose deliveries a request is about: the named one, or all that the caller can see.
 * @param property the field that names webhooks, for errors
 * @throws NotFoundError, NoPermissionError, ValidationError for more than 1,000
 */
export const webhooksOf = async (
  caller: Caller,
  webhook: WebhookId | undefined,
  property = 'webhook_id',
): Promise<readonly VisibleWebhook[]> => {
  if (webhook !== undefined) return [await findWebhook(webhook, caller)];
  const webhooks = await visibleWebhooks(caller, maxWebhooks);
  if (webhooks !== undefined) return webhooks;
  throw new ValidationError(
    `You can see more than ${maxWebhooks} webhooks, too many to read their deliveries together.`,
    {
      property,
      help:
        `Send \`${property}\` for the deliveries of some webhooks. ` +
        'GET /admin/integrations/?include=webhooks lists the webhooks.',
      details: [{ index: null, field: property, rule: 'required', limit: maxWebhooks, received: 'missing' }],
    },
  );
};
