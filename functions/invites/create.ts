/** `POST /admin/invites/`: creates invites and requests their mails, or returns their links. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { log } from '../../shared/aws/log.ts';
import { count } from '../../shared/aws/metrics.ts';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { MastheadError } from '../../shared/foundation/errors.ts';
import { created } from '../../shared/http/response.ts';
import { createInvites } from '../../shared/invites/create.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { linkFor } from '../../shared/invites/link.ts';
import { requestMails } from '../../shared/invites/request-mails.ts';
import { newInvite } from '../../shared/invites/schema.ts';

export const handler = endpoint({
  line: 'invites/create',
  // An invite takes two writes, and a transaction has at most 100 (AWS limit).
  body: () => ({ root: 'invites', item: newInvite, max: 50 }),
  handle: async ({ items, caller }) => {
    const made = await createInvites(items, caller).catch((error) => {
      if (error instanceof MastheadError && error.status < 500) {
        log.add({ items: items.length });
        count('InvitesRefused', items.length);
      }
      throw error;
    });
    const ids = made.map(({ invite }) => invite.id);
    await requestMails(made.flatMap(({ invite, token }) => (token === undefined ? [invite.id] : [])));
    count('InvitesAccepted', ids.length);
    log.add({ invite_ids: ids });
    return created(
      {
        invites: made.map(({ invite, token }) =>
          presentInvite(invite, { link: token === undefined ? undefined : linkFor(token) }),
        ),
      },
      ids.length === 1 ? { Location: `${baseUrl()}/admin/invites/${ids[0]}/` } : {},
    );
  },
});
