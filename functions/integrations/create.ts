/** `POST /admin/integrations/`: creates an integration and its first key, whose secret is not returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { NoPermissionError } from '../../shared/foundation/errors.ts';
import { type Documentation, failure } from '../../shared/http/documentation.ts';
import { included } from '../../shared/integrations/browse.ts';
import * as example from '../../shared/integrations/example.ts';
import { integrationResource, presentApiKey, presentIntegration } from '../../shared/integrations/integration.ts';
import { addIntegration } from '../../shared/integrations/manage.ts';
import { newIntegration } from '../../shared/integrations/schema.ts';

export const handler = endpoint({
  line: 'integrations/create',
  body: { root: 'integrations', item: newIntegration, max: 1 },
  answer: { status: 201, root: 'integrations', item: integrationResource },
  query: { include: included },
  handle: async ({ query, items: [input], caller, reply }) => {
    const { integration, key } = await addIntegration(input, caller);
    const shown = presentIntegration(integration, {
      webhooks: query.include.includes('webhooks') ? [] : undefined,
      api_keys: [presentApiKey(integration.id, key, key.secret)],
    });
    return reply([shown], { headers: { Location: `${baseUrl()}/admin/integrations/${integration.id}/` } });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Integrations',
  summary: 'Create an integration',
  description:
    'Also creates its first key, whose secret is not returned again: store it. ' +
    '`api_keys` can limit the key with `scopes` and `valid_until`.',
  location: 'The URL of the integration.',
  errors: [failure('ValidationError', 'the stage has as many integrations as it allows; `details` names the cap')],
  examples: {
    create: {
      summary: 'An integration whose contact is notified of failing webhooks',
      body: [
        {
          name: example.shop.name,
          description: example.shop.description,
          contact_email: example.shop.contact_email,
          can_publish: false,
          can_receive_staff_events: false,
        },
      ],
      answer: [{ ...example.shop, api_keys: [{ ...example.key, secret: example.keySecret }] }],
    },
    limited: {
      summary: 'A key that only publishes, for a year',
      body: [{ name: 'Press', can_publish: true, api_keys: [example.limits] }],
      answer: [
        {
          ...example.shop,
          name: 'Press',
          slug: 'press',
          description: null,
          contact_email: null,
          can_publish: true,
          api_keys: [{ ...example.key, ...example.limits, secret: example.keySecret }],
        },
      ],
    },
    'not-allowed': {
      summary: 'The key of an integration cannot manage integrations',
      caller: 'integration',
      body: [{ name: 'Another' }],
      error: new NoPermissionError('The key of an integration cannot use this endpoint.', {
        help: 'Allowed callers: the Owner, Administrators.',
      }),
    },
  },
});
