/** `POST /admin/moves/{site}/secrets/`: returns the moved webhooks' secrets for an undo, and tells the Owner. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { type Documentation, notFound } from '../../shared/http/documentation.ts';
import * as example from '../../shared/integrations/move/example.ts';
import { originalSecret } from '../../shared/integrations/move/resource.ts';
import { readOriginalSecrets } from '../../shared/integrations/move/store.ts';

export const handler = endpoint({
  line: 'moves/read-secrets',
  answer: { status: 200, root: 'secrets', item: originalSecret },
  handle: async ({ request, caller, now, reply }) =>
    reply(await readOriginalSecrets(request.params.site ?? '', caller, now)),
});

export const documentation = (): Documentation => ({
  tag: 'Events',
  summary: 'Read the secrets of moved webhooks',
  description:
    'An undo restores them at Ghost. The audit log records the request, and the Owner gets a mail. ' +
    'No body is required.',
  errors: [notFound('the stage has no record of this site')],
  examples: { read: { summary: 'Webhooks are about to be restored', path: example.site, answer: [example.secret] } },
});
