/** `GET /admin/invites/{id}/`: shows one invite; with `?include=history` also every status it has had. */

import { readAddresses } from '../../shared/accounts/address.ts';
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { findInvite } from '../../shared/invites/manage.ts';
import { readInvite } from '../../shared/invites/store.ts';

const ports = { readInvite, readAddresses, clock: systemClock };

export const handler = endpoint({
  line: 'invites/read',
  handle: async ({ id, request: { query } }) => {
    const invite = await findInvite(ports, id<InviteId>());
    // Other names are ignored, as Ghost does.
    const withHistory = query.include?.split(',').some((name) => name.trim() === 'history') ?? false;
    return ok({ invites: [presentInvite(invite, { withHistory })] });
  },
});
