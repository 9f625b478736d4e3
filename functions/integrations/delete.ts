/** `DELETE /admin/integrations/{id}/`: deletes an integration with its keys and webhooks; the keys are invalid at once. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { second, systemClock } from '../../shared/foundation/clock.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';
import { deleteIntegration } from '../../shared/integrations/delete.ts';
import { deletionPorts } from '../../shared/integrations/deletion-store.ts';

/** The sweep removes what is left then, so that a client does not wait for thousands of webhooks. */
const maxWorkMs = 8 * second;

export const handler = endpoint({
  line: 'integrations/delete',
  handle: async ({ id }) => {
    await deleteIntegration(deletionPorts, id<IntegrationId>(), systemClock() + maxWorkMs);
    return noContent();
  },
});
