/** `GET /admin/integrations/{id}/`: returns one integration, on request with its webhooks and keys. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { IntegrationId, WebhookId } from '../../shared/foundation/ids.ts';
import { type Documentation, forbidden } from '../../shared/http/documentation.ts';
import { included, maxWebhooks, showIntegration } from '../../shared/integrations/browse.ts';
import * as example from '../../shared/integrations/example.ts';
import { integrationResource } from '../../shared/integrations/integration.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { findVisibleIntegration } from '../../shared/integrations/manage.ts';

export const handler = endpoint({
  line: 'integrations/read',
  answer: { status: 200, root: 'integrations', item: integrationResource },
  query: { include: included },
  // Only webhooks are numerous enough for pages.
  pages: { max: maxWebhooks, isFixed: true },
  handle: async ({ query: { include }, page, id, caller, reply }) => {
    const found = await findVisibleIntegration(id<IntegrationId>(), caller);
    const { integration, next } = await showIntegration(browsePorts, found, include, page.after<WebhookId>());
    return reply([integration], include.includes('webhooks') ? { next } : {});
  },
});

export const documentation = (): Documentation => ({
  tag: 'Integrations',
  summary: 'Get an integration',
  description:
    'With `include=webhooks`, its webhooks come in pages of 500, newest first; `meta` has the next page. ' +
    'The key of an integration can read its own integration, whose id every webhook has.',
  errors: [forbidden('the key belongs to another integration')],
  examples: {
    plain: {
      summary: 'The integration alone',
      path: { id: example.path.id },
      answer: [example.shop],
    },
    'with-keys-and-webhooks': {
      summary: 'With its keys and webhooks',
      path: { id: example.path.id },
      query: { include: 'webhooks,api_keys' },
      answer: [{ ...example.shop, webhooks: [], api_keys: [example.key] }],
      pagination: { limit: 500, next: null },
    },
  },
});
