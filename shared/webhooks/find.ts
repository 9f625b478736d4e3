/** Finds webhooks for those who can manage them. */
import type { Caller } from '../foundation/caller.ts';
import { NoPermissionError, NotFoundError } from '../foundation/errors.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { readWebhook, type WebhookStore } from './store.ts';
import type { Webhook } from './webhook.ts';

/** Finds a webhook: staff any, an integration its own. @throws NotFoundError before NoPermissionError */
export const findWebhook = async (
  id: WebhookId,
  caller: Caller,
  store: Pick<WebhookStore, 'read'> = { read: readWebhook },
): Promise<Webhook> => {
  const webhook = await store.read(id);
  if (webhook === undefined)
    throw new NotFoundError(`No webhook has the id \`${id}\`.`, {
      help:
        'It may have been deleted. A webhook that its receiver has disabled is deleted after 30 days, or replaced by ' +
        'a new one with the same target.',
    });
  if (!canManage(caller, webhook))
    throw new NoPermissionError('This webhook belongs to another integration.', {
      help: 'Use the key of that integration, or of an Owner or Administrator.',
    });
  return webhook;
};

/** Staff manage any webhook, an integration its own. */
export const canManage = (caller: Caller, { integration_id }: Webhook): boolean =>
  caller.kind === 'staff' || caller.integrationId === integration_id;
