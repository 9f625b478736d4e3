/** `DELETE /admin/integrations/{id}/`: deletes an integration with its keys and webhooks; the keys are invalid at once. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { send, trySending } from '../../shared/aws/queues.ts';
import { second, systemClock } from '../../shared/foundation/clock.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';
import { type DeletionMessage, deleteIntegration } from '../../shared/integrations/delete.ts';
import { deletionPorts } from '../../shared/integrations/deletion-store.ts';

/** After this time the rest continues in the queue, so that a client does not wait for thousands of webhooks. */
const maxWorkMs = 8 * second;

export const handler = endpoint({
  line: 'integrations/delete',
  handle: async ({ id, caller }) => {
    const integration = id<IntegrationId>();
    const end = await deleteIntegration(deletionPorts, integration, caller, systemClock() + maxWorkMs);
    const body: DeletionMessage = { integration_id: integration };
    if (end === 'going') await trySending(`the deletion of ${integration}`, send('deletions', [{ body }]));
    return noContent();
  },
});
