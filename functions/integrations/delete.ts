/** `DELETE /admin/integrations/{id}/`: deletes an integration with its keys, invalid at once, and its webhooks. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { send, trySending } from '../../shared/aws/queues.ts';
import { second, systemClock } from '../../shared/foundation/clock.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { type DeletionMessage, deleteIntegration } from '../../shared/integrations/delete.ts';
import * as example from '../../shared/integrations/example.ts';

/** After this time the rest continues in the queue, so that a client does not wait for thousands of webhooks. */
const maxWorkMs = 8 * second;

export const handler = endpoint({
  line: 'integrations/delete',
  answer: { status: 204 },
  handle: async ({ id, caller, reply }) => {
    const integration = id<IntegrationId>();
    const end = await deleteIntegration(integration, caller, systemClock() + maxWorkMs);
    const body: DeletionMessage = { integration_id: integration };
    if (end === 'going') await trySending(`the deletion of ${integration}`, send('deletions', [{ body }]));
    return reply();
  },
});

export const documentation = (): Documentation => ({
  tag: 'Integrations',
  summary: 'Delete an integration',
  description:
    'Its keys are invalid within five seconds, its open invites are revoked, and its replays are cancelled. ' +
    'Its webhooks are deleted with it; of thousands, the last ones within minutes after the response.',
  examples: {
    delete: { summary: 'With its keys and webhooks', path: { id: example.path.id } },
    'delete-again': {
      summary: 'A deleted integration',
      path: { id: example.path.id },
      error: new NotFoundError(`No integration has the id \`${example.path.id}\`.`, {
        help: 'GET /admin/integrations/ lists them.',
      }),
    },
  },
});
