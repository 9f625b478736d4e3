/** `POST /admin/integrations/{id}/inbound_secret/`: makes or replaces the secret with which a Ghost site signs. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { exampleOf } from '../../shared/foundation/example-of.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/integrations/example.ts';
import { replaceInboundSecret } from '../../shared/integrations/ghost-signature.ts';
import { inboundSecretResource } from '../../shared/integrations/integration.ts';

export const handler = endpoint({
  line: 'integrations/replace-inbound-secret',
  answer: { status: 200, root: 'secrets', item: inboundSecretResource },
  handle: async ({ id, caller, reply }) => reply([{ secret: await replaceInboundSecret(id<IntegrationId>(), caller) }]),
});

export const documentation = (): Documentation => ({
  tag: 'Integrations',
  summary: 'Make or replace the inbound secret of an integration',
  description:
    'The secret with which a Ghost site signs the events that it sends to `POST ' +
    '/inbound/ghost/{integration_id}/{event}/`. It is not returned again; an earlier one is invalid at once. ' +
    'No body is required.',
  examples: {
    make: {
      summary: 'A Ghost site is about to send its events',
      path: { id: example.path.id },
      answer: [exampleOf(inboundSecretResource, {})],
    },
  },
});
