/** `GET /admin/invites/`: lists invites, newest first, with `?status=` those with one status. Without it, revoked and replaced invites are left out. On request with their histories. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { type InviteId, isId } from '../../shared/foundation/ids.ts';
import { paginated, readCursor, readLimit } from '../../shared/http/paging.ts';
import { invalidParameter } from '../../shared/http/parameters.ts';
import { ok } from '../../shared/http/response.ts';
import { wantsHistory } from '../../shared/invites/include.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { listInvites } from '../../shared/invites/manage.ts';
import { type InviteState, inviteStates } from '../../shared/invites/resource.ts';

const maxInvites = 100;

export const handler = endpoint({
  line: 'invites/list',
  handle: async ({ request: { query } }) => {
    const status = readStatus(query.status);
    const limit = readLimit(query, maxInvites);
    const scope = `invites ${status ?? ''}`;
    const { invites, next } = await listInvites(status, limit, readCursor(query, scope, isId<InviteId>));
    return ok({
      invites: invites.map((invite) => presentInvite(invite, { withHistory: wantsHistory(query) })),
      ...paginated(scope, limit, next),
    });
  },
});

const readStatus = (status: string | undefined): InviteState | undefined => {
  const known = inviteStates.find((state) => state === status);
  if (status !== undefined && known === undefined)
    throw invalidParameter('status', status, 'known', `must be one of: ${inviteStates.join(', ')}`);
  return known;
};
