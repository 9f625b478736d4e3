/** `DELETE /admin/integrations/{id}/`: removes an integration with its keys and webhooks; the keys are dead when it answers. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { second, systemClock } from '../../shared/foundation/clock.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { noContent } from '../../shared/http/response.ts';
import { deleteIntegration } from '../../shared/integrations/delete.ts';
import { deletionPorts } from '../../shared/integrations/deletion-store.ts';

/** Then whatever is left is the sweep's: a client does not wait for the last of thousands of webhooks. */
const patienceMs = 8 * second;

export const handler = endpoint({
  line: 'integrations/delete',
  keys: findKey,
  handle: async ({ id }) => {
    await deleteIntegration(deletionPorts, id<IntegrationId>(), systemClock() + patienceMs);
    return noContent();
  },
});
