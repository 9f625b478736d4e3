/** `POST /admin/invites/{id}/resend/`: mails an invite again with a new link; the old one is dead at once. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/invites/example.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { resendInvite } from '../../shared/invites/manage.ts';
import { requestMails } from '../../shared/invites/request-mails.ts';
import { inviteResource } from '../../shared/invites/resource.ts';

export const handler = endpoint({
  line: 'invites/resend',
  answer: { status: 200, root: 'invites', item: inviteResource },
  handle: async ({ id, caller, now, reply }) => {
    const { invite, mailAt } = await resendInvite(id<InviteId>(), caller);
    await requestMails([{ id: invite.id, mailAt }], now);
    return reply([presentInvite(invite)]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Invites',
  summary: 'Resend an invite',
  description: 'With a new link and a new expiry; the old link is dead. No body is required.',
  errors: [example.notAssignable, example.stopped, example.accepted],
  examples: {
    resend: {
      summary: 'The mail was lost',
      path: { id: example.ada.id },
      answer: [example.ada],
    },
  },
});
