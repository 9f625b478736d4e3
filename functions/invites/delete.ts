/** `DELETE /admin/invites/{id}/`: revokes an invite; its link is dead at once. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';
import { revokeInvite } from '../../shared/invites/manage.ts';

export const handler = endpoint({
  line: 'invites/delete',
  handle: async ({ id, caller }) => {
    await revokeInvite(id<InviteId>(), caller);
    return noContent();
  },
});
