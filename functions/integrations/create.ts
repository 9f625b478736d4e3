/** `POST /admin/integrations/`: creates an integration and its first key, whose secret is not returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { created } from '../../shared/http/response.ts';
import { readIncluded } from '../../shared/integrations/browse.ts';
import { presentApiKey, presentIntegration } from '../../shared/integrations/integration.ts';
import { addIntegration } from '../../shared/integrations/manage.ts';
import { newIntegration } from '../../shared/integrations/schema.ts';

export const handler = endpoint({
  line: 'integrations/create',
  body: () => ({ root: 'integrations', item: newIntegration, max: 1 }),
  handle: async ({ request: { query }, items: [input], caller }) => {
    const { integration, key } = await addIntegration(input, caller);
    const shown = presentIntegration(integration, {
      webhooks: readIncluded(query).webhooks ? [] : undefined,
      api_keys: [presentApiKey(integration.id, key, key.secret)],
    });
    return created({ integrations: [shown] }, { Location: `${baseUrl()}/admin/integrations/${integration.id}/` });
  },
});
