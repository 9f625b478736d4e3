/** `DELETE /admin/integrations/{id}/`: deletes an integration with its keys and webhooks; the keys are invalid at once. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { log } from '../../shared/aws/log.ts';
import { send } from '../../shared/aws/queues.ts';
import { second, systemClock } from '../../shared/foundation/clock.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';
import { type DeletionMessage, deleteIntegration } from '../../shared/integrations/delete.ts';
import { deletionPorts } from '../../shared/integrations/deletion-store.ts';

/** After this time the rest continues in the queue, so that a client does not wait for thousands of webhooks. */
const maxWorkMs = 8 * second;

export const handler = endpoint({
  line: 'integrations/delete',
  handle: async ({ id }) => {
    const integration = id<IntegrationId>();
    const end = await deleteIntegration(deletionPorts, integration, systemClock() + maxWorkMs);
    if (end === 'going') await continueLater({ integration_id: integration });
    return noContent();
  },
});

/** Never rejects: the sweep finds a deletion without a message. */
const continueLater = async (message: DeletionMessage): Promise<void> => {
  try {
    await send('deletions', [{ body: message }]);
  } catch (error) {
    log.warn('A deletion waits for the sweep: the queue did not accept its message', { error });
  }
};
