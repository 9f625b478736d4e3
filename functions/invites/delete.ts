/** `DELETE /admin/invites/{id}/`: revokes an invite, so that its link is dead. */
import { systemClock } from '../../shared/clock.ts';
import { settings } from '../../shared/environment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { noContent } from '../../shared/http/response.ts';
import type { InviteId } from '../../shared/ids.ts';
import { revokeInvite } from '../../shared/invites/manage.ts';
import { markRevoked, readInvite } from '../../shared/invites/store.ts';
import { findKey } from '../../shared/keys/find.ts';
import { readAddresses } from '../../shared/staff/address.ts';

const ports = { readInvite, readAddresses, markRevoked, clock: systemClock, customRoles: settings().roles };

export const handler = endpoint({
  line: 'invites/delete',
  keys: findKey,
  handle: async ({ id, caller }) => {
    await revokeInvite(ports, id<InviteId>(), caller);
    return noContent();
  },
});
