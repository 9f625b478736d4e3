/** `DELETE /admin/invites/{id}/`: revokes an invite, so that its link is dead. */

import { readAddresses } from '../../shared/accounts/address.ts';
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';
import { revokeInvite } from '../../shared/invites/manage.ts';
import { markRevoked, readInvite } from '../../shared/invites/store.ts';

const ports = { readInvite, readAddresses, markRevoked, clock: systemClock, customRoles: settings().roles };

export const handler = endpoint({
  line: 'invites/delete',
  handle: async ({ id, caller }) => {
    await revokeInvite(ports, id<InviteId>(), caller);
    return noContent();
  },
});
