/** `POST /admin/invites/`: invites one or several people; their mails follow. */

import { readAddresses } from '../../shared/accounts/address.ts';
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { listRoles } from '../../shared/accounts/role-store.ts';
import { log } from '../../shared/aws/log.ts';
import { count } from '../../shared/aws/metrics.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { baseUrl, settings } from '../../shared/foundation/environment.ts';
import { newId } from '../../shared/foundation/ids.ts';
import { created } from '../../shared/http/response.ts';
import { createInvites } from '../../shared/invites/create.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { requestMails } from '../../shared/invites/request-mails.ts';
import { newInvite } from '../../shared/invites/schema.ts';
import { markReplaced, putInvites } from '../../shared/invites/store.ts';
import { takeAll } from '../../shared/limits/store.ts';

const { invites: limits, roles: customRoles } = settings();
const ports = {
  listRoles,
  readAddresses,
  takeAll,
  putInvites,
  markReplaced,
  clock: systemClock,
  ids: newId,
  settings: limits,
  customRoles,
};

export const handler = endpoint({
  line: 'invites/create',
  // 50: an invite is two writes, and a transaction has 100 at most.
  body: () => ({ root: 'invites', item: newInvite, max: 50 }),
  handle: async ({ items, caller }) => {
    const invites = await createInvites(ports, items, caller);
    await requestMails(invites.map(({ id }) => id));
    count('InvitesAccepted', invites.length);
    log.add({ invite_ids: invites.map(({ id }) => id) });
    const [first, ...others] = invites;
    const location =
      first !== undefined && others.length === 0 ? { Location: `${baseUrl()}/admin/invites/${first.id}/` } : {};
    return created({ invites: invites.map((invite) => presentInvite(invite)) }, location);
  },
});
