/** `POST /admin/invites/{id}/resend/`: mails an invite again, with a new link; the old one is dead. */

import { readAddresses } from '../../shared/accounts/address.ts';
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { resendInvite } from '../../shared/invites/manage.ts';
import { requestMails } from '../../shared/invites/request-mails.ts';
import { beginMailing, readInvite } from '../../shared/invites/store.ts';
import { takeAll } from '../../shared/limits/store.ts';

const { invites: limits, roles: customRoles } = settings();
const ports = { readInvite, readAddresses, takeAll, beginMailing, clock: systemClock, settings: limits, customRoles };

export const handler = endpoint({
  line: 'invites/resend',
  handle: async ({ id, caller }) => {
    const invite = await resendInvite(ports, id<InviteId>(), caller);
    await requestMails([invite.id]);
    return ok({ invites: [presentInvite(invite)] });
  },
});
