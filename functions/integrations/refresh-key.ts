/** `POST /admin/integrations/{id}/api_key/{key_id}/refresh/`: replaces a key, with an overlap on request. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { type Documentation, invalid } from '../../shared/http/documentation.ts';
import * as example from '../../shared/integrations/example.ts';
import { integrationResource, presentApiKey, presentIntegration } from '../../shared/integrations/integration.ts';
import { withLastUse } from '../../shared/integrations/load.ts';
import { refreshKey } from '../../shared/integrations/manage.ts';
import { keyReplacement } from '../../shared/integrations/schema.ts';

export const handler = endpoint({
  line: 'integrations/refresh-key',
  body: { root: 'api_keys', item: keyReplacement, max: 1, otherwise: { previous_valid_hours: 0 } },
  answer: { status: 200, root: 'integrations', item: integrationResource },
  handle: async ({ id, items: [replacement], caller, reply }) => {
    const { integration, key, previous } = await refreshKey(id<IntegrationId>(), id('key_id'), replacement, caller);
    const api_keys = [
      presentApiKey(integration.id, key, key.secret),
      ...(await withLastUse(previous)).map((one) => presentApiKey(integration.id, one)),
    ];
    return reply([presentIntegration(integration, { api_keys })]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Integrations',
  summary: 'Replace a key of an integration',
  description:
    'Without a body, for a key that is lost or was leaked: the old key is invalid at once, except in environments ' +
    'that have cached it, for at most five seconds. With `previous_valid_hours` the old key is valid for so long ' +
    'and ends by itself; a key that an earlier replacement left ends at once, so that an integration has at most ' +
    'two. The new secret is not returned again. The new key has the scopes and the end of the old one, unless the ' +
    'body has others; null removes them.',
  errors: [invalid('key_id', 'the key has been replaced already, and ends by itself')],
  examples: {
    refresh: {
      summary: 'The key was lost',
      path: { id: example.path.id, key_id: example.keyPath.key_id },
      answer: [{ ...example.renamed, api_keys: [example.newKey] }],
    },
    overlap: {
      summary: 'A key that is in use, with a day to replace it',
      path: { id: example.path.id, key_id: example.newKey.id },
      body: [{ previous_valid_hours: 24 }],
      answer: [
        {
          ...example.renamed,
          api_keys: [
            {
              ...example.newKey,
              id: '019acb5c2f00a1b2c3d4e5f6',
              secret: `019acb5c2f00a1b2c3d4e5f6:${'7b'.repeat(32)}`,
            },
            { ...example.newKey, secret: null, valid_until: '2026-11-22T09:22:00.000Z' },
          ],
        },
      ],
    },
  },
});
