/** `PUT /admin/moves/{site}/`: records a step of the move of a Ghost site, before it is made. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { type Documentation, failure, invalid, notFound } from '../../shared/http/documentation.ts';
import * as example from '../../shared/integrations/move/example.ts';
import { moveChanges, moveResource } from '../../shared/integrations/move/resource.ts';
import { changeMove } from '../../shared/integrations/move/store.ts';

export const handler = endpoint({
  line: 'moves/update',
  body: { root: 'moves', item: moveChanges, max: 1 },
  answer: { status: 200, root: 'moves', item: moveResource },
  handle: async ({ request, items: [changes], caller, now, reply }) =>
    reply([await changeMove(request.params.site ?? '', changes, caller, now)]),
});

export const documentation = (): Documentation => ({
  tag: 'Events',
  summary: 'Record a step of a move',
  description:
    '`npm run ops -- import-ghost` calls this before each step, so that any machine can continue the move or undo ' +
    'it. A field that is omitted stays. Webhooks in `originals` are changed by their ids, and those in `forgotten` ' +
    'are deleted. `revision` is the one that was read, and 0 for a new record. ' +
    'A stage is one publication, so it has one record.',
  errors: [
    failure('ConflictError', 'another run has changed the record since `revision` was read'),
    invalid('site', 'the stage has the record of another site'),
    notFound('there is no record, and `revision` is not 0'),
  ],
  examples: {
    start: {
      summary: 'A webhook is about to be copied',
      path: example.site,
      body: [example.started],
      answer: [example.move],
    },
  },
});
