/** `POST /admin/invites/{id}/resend/`: mails an invite again with a new link; the old one is dead at once. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { resendInvite } from '../../shared/invites/manage.ts';
import { requestMails } from '../../shared/invites/request-mails.ts';

export const handler = endpoint({
  line: 'invites/resend',
  handle: async ({ id, caller }) => {
    const invite = await resendInvite(id<InviteId>(), caller);
    await requestMails([invite.id]);
    return ok({ invites: [presentInvite(invite)] });
  },
});
