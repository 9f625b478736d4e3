/** `GET /admin/integrations/`: lists the integrations, on request with their webhooks and keys. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { ValidationError } from '../../shared/foundation/errors.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { included, showIntegrations } from '../../shared/integrations/browse.ts';
import * as example from '../../shared/integrations/example.ts';
import { integrationResource } from '../../shared/integrations/integration.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { listIntegrations } from '../../shared/integrations/store.ts';

export const handler = endpoint({
  line: 'integrations/list',
  answer: { status: 200, root: 'integrations', item: integrationResource },
  query: { include: included },
  pages: { max: 100 },
  handle: async ({ query, page: { limit, after }, reply }) => {
    const page = await listIntegrations(limit, after<IntegrationId>());
    const integrations = await showIntegrations(browsePorts, page.integrations, query.include);
    const next = integrations.length < page.integrations.length ? (integrations.at(-1)?.id ?? null) : page.next;
    return reply(integrations, { next });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Integrations',
  summary: 'List the integrations',
  description:
    'With `include=webhooks` each has its newest 500 webhooks, and a page ends early before it becomes too large. ' +
    'Read an integration by its id for all its webhooks, page by page.',
  examples: {
    'first-page': {
      summary: 'The first page, with one item',
      query: { limit: '1' },
      answer: [example.shop],
      pagination: { limit: 1, next: 'WyJpbnRlZ3JhdGlvbnMiLCIwMTlhY2I0YzJkMTBhMWIyYzNkNGU1ZjYiXQ' },
    },
    'wrong-limit': {
      summary: 'A limit that is too large',
      query: { limit: '1000' },
      error: new ValidationError('`limit=1000` must be a number from 1 to 100.', {
        details: [{ index: null, field: 'limit', rule: 'max_value', limit: 100, received: 'a string of 4 characters' }],
        property: 'limit',
        help: 'Omit `limit`, or send a number in this range and follow `meta.pagination.next`.',
      }),
    },
  },
});
