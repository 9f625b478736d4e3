/** Deletes an integration, after naming what is deleted with it: keys, webhooks, and waiting deliveries. */
import type { JSX } from 'preact';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { deleteResource, get } from '../api/client.ts';
import type { Delivery, Integration, Page, Webhook } from '../api/resources.ts';
import { replaceWith } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useQuery } from '../use-query.ts';

interface DeleteIntegrationProps {
  readonly integration: Integration;
  readonly onClose: () => void;
}

/** How many webhooks the warning names and counts deliveries for; more would take too many requests. */
const named = 10;

export const DeleteIntegration = ({ integration, onClose }: DeleteIntegrationProps): JSX.Element => {
  const { integrations } = useTexts();
  const { id, name, api_keys = [], webhooks = [] } = integration;
  const path = `/admin/integrations/${id}/`;
  const waiting = useQuery(`${path} waiting`, (signal) => readWaiting(webhooks, signal));
  const remove = async (): Promise<void> => {
    await deleteResource(path);
    announce(integrations.removed);
    replaceWith(['integrations']);
  };
  return (
    <Confirm
      label={integrations.remove(name)}
      action={integrations.removeAction}
      isDangerous
      act={remove}
      onClose={onClose}
    >
      <p>{integrations.removeHelp}</p>
      <ul>
        <li>{integrations.removeKeys(api_keys.length)}</li>
        <li>
          {webhooks.length === 0 ? integrations.removeNoWebhooks : integrations.removeWebhooks(webhooks.length)}
          {webhooks.length > 0 && (
            <ul>
              {webhooks.slice(0, named).map((webhook) => (
                <li key={webhook.id}>
                  {webhookName(webhook)} <span class="tag">{webhook.event}</span>
                </li>
              ))}
              {webhooks.length > named && <li>{integrations.removeMore(webhooks.length - named)}</li>}
            </ul>
          )}
        </li>
        <li>
          {waiting.data === undefined
            ? integrations.removeCounting
            : integrations.removeWaiting(waiting.data.count, waiting.data.isMore)}
        </li>
        <li>{integrations.removeInvites}</li>
      </ul>
    </Confirm>
  );
};

const waitingStates = ['pending', 'retrying', 'held'] as const;

interface Waiting {
  readonly count: number;
  readonly isMore: boolean;
}

const readWaiting = async (webhooks: readonly Webhook[], signal: AbortSignal): Promise<Waiting> => {
  const pages = await Promise.all(
    webhooks
      .slice(0, named)
      .flatMap(({ id }) =>
        waitingStates.map((status) =>
          get<Page & { deliveries: Delivery[] }>(`/admin/webhooks/${id}/deliveries/`, { status }, signal),
        ),
      ),
  );
  return {
    count: pages.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
    isMore: webhooks.length > named || pages.some(({ meta }) => meta.pagination.next !== null),
  };
};
