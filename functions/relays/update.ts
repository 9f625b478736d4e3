/** `PUT /admin/relays/{id}/`: records what a comparison of a site's webhooks with those here has found. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/integrations/example.ts';
import { comparison, recordComparison } from '../../shared/integrations/relay/comparison.ts';
import { relayResource } from '../../shared/integrations/relay/resource.ts';

export const handler = endpoint({
  line: 'relays/update',
  body: { root: 'relays', item: comparison, max: 1, sameIdAsPath: true },
  answer: { status: 200, root: 'relays', item: relayResource },
  handle: async ({ id, items: [found], caller, now, reply }) =>
    reply([await recordComparison(id<IntegrationId>(), found, caller, now)]),
});

export const documentation = (): Documentation => ({
  tag: 'Events',
  summary: 'Record what a site has',
  description:
    '`npm run ops -- import-ghost` calls this with the webhooks that it has found at Ghost and that could move. ' +
    'Only a person has the key of the site.',
  examples: {
    'added-since': {
      summary: 'Two webhooks were added at Ghost',
      path: example.path,
      body: [{ unmoved: [{ event: 'post.published', count: 2 }] }],
      answer: [
        {
          ...example.relay,
          compared_at: '2026-11-21T09:40:00.000Z',
          unmoved: [{ event: 'post.published', count: 2 }],
        },
      ],
    },
  },
});
