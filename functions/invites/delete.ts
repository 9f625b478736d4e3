/** `DELETE /admin/invites/{id}/`: revokes an invite; its link is dead at once. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/invites/example.ts';
import { revokeInvite } from '../../shared/invites/manage.ts';

export const handler = endpoint({
  line: 'invites/delete',
  answer: { status: 204 },
  handle: async ({ id, caller, reply }) => {
    await revokeInvite(id<InviteId>(), caller);
    return reply();
  },
});

export const documentation = (): Documentation => ({
  tag: 'Invites',
  summary: 'Revoke an invite',
  description: 'Its link is dead at once.',
  errors: [example.notAssignable, example.accepted],
  examples: {
    revoke: { summary: 'An invite sent by mistake', path: { id: example.linus.id } },
  },
});
