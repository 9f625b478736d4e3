/** `GET /admin/moves/{site}/`: returns the record of the move of a Ghost site, without secrets. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { type Documentation, notFound } from '../../shared/http/documentation.ts';
import * as example from '../../shared/integrations/move/example.ts';
import { moveResource } from '../../shared/integrations/move/resource.ts';
import { readMove } from '../../shared/integrations/move/store.ts';

export const handler = endpoint({
  line: 'moves/read',
  answer: { status: 200, root: 'moves', item: moveResource },
  handle: async ({ request, reply }) => reply([await readMove(request.params.site ?? '')]),
});

export const documentation = (): Documentation => ({
  tag: 'Events',
  summary: 'Read the record of a move',
  description: 'What the webhooks of the site were at Ghost, and what stands for them here.',
  errors: [notFound('the stage has no record of this site')],
  examples: { read: { summary: 'A move has begun', path: example.site, answer: [example.move] } },
});
