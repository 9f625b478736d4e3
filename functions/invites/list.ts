/** `GET /admin/invites/`: lists invites, newest first; with `?status=` those of one status, dead ones too. */
import * as v from 'valibot';
import { readAddresses } from '../../shared/accounts/address.ts';
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { ValidationError } from '../../shared/foundation/errors.ts';
import { type InviteId, isId } from '../../shared/foundation/ids.ts';
import { shortened } from '../../shared/http/body.ts';
import { describe } from '../../shared/http/items.ts';
import { paginated, readCursor, readLimit } from '../../shared/http/paging.ts';
import { ok } from '../../shared/http/response.ts';
import { type InviteState, inviteStates, presentInvite } from '../../shared/invites/invite.ts';
import { listInvites } from '../../shared/invites/manage.ts';
import { inviteStatus } from '../../shared/invites/schema.ts';
import { pageOfInvites } from '../../shared/invites/store.ts';

const ports = { pageOfInvites, readAddresses, clock: systemClock };

const mostInvites = 100;

export const handler = endpoint({
  line: 'invites/list',
  handle: async ({ request: { query } }) => {
    const status = readStatus(query.status);
    const limit = readLimit(query, mostInvites);
    const scope = `invites ${status ?? ''}`;
    const after = readCursor(query, scope, isId<InviteId>);
    const { invites, next } = await listInvites(ports, { status, limit, after });
    return ok({
      invites: invites.map((invite) => presentInvite(invite)),
      ...paginated(scope, limit, next),
    });
  },
});

const readStatus = (status: string | undefined): InviteState | undefined => {
  if (status === undefined || v.is(inviteStatus, status)) return status;
  throw new ValidationError(`\`status=${shortened(status)}\` is not a status of an invite.`, {
    property: 'status',
    help: `Send one of ${inviteStates.join(', ')}, or leave it out for all that are not dead.`,
    details: [{ index: null, field: 'status', rule: 'known', limit: null, received: describe(status) }],
  });
};
