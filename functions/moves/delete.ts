/** `DELETE /admin/moves/{site}/`: deletes the record of a move, when everything is back at Ghost. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { type Documentation, notFound } from '../../shared/http/documentation.ts';
import * as example from '../../shared/integrations/move/example.ts';
import { deleteMove } from '../../shared/integrations/move/store.ts';

export const handler = endpoint({
  line: 'moves/delete',
  answer: { status: 204 },
  handle: async ({ request, caller, reply }) => {
    await deleteMove(request.params.site ?? '', caller);
    return reply();
  },
});

export const documentation = (): Documentation => ({
  tag: 'Events',
  summary: 'Delete the record of a move',
  description:
    'It has what an undo needs: the webhooks as they were at Ghost, with their secrets. ' +
    '`npm run ops -- import-ghost --undo` deletes it as its last step.',
  errors: [notFound('the stage has no record of this site')],
  examples: { delete: { summary: 'The move was undone', path: example.site } },
});
