/** `GET /admin/invites/{id}/`: returns one invite; with `?include=history` also all its states. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { wantsHistory } from '../../shared/invites/include.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { findInvite } from '../../shared/invites/manage.ts';

export const handler = endpoint({
  line: 'invites/read',
  handle: async ({ id, request: { query } }) => {
    const invite = await findInvite(id<InviteId>());
    return ok({ invites: [presentInvite(invite, { withHistory: wantsHistory(query) })] });
  },
});
