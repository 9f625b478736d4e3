/** `GET /admin/invites/{id}/`: returns one invite; with `?include=history` also all its states. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { includes } from '../../shared/http/query.ts';
import * as example from '../../shared/invites/example.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { findInvite } from '../../shared/invites/manage.ts';
import { inviteResource } from '../../shared/invites/resource.ts';

export const handler = endpoint({
  line: 'invites/read',
  answer: { status: 200, root: 'invites', item: inviteResource },
  query: { include: includes(['history'], 'With `history`, all states of the invite. Other names are ignored.') },
  handle: async ({ id, query, reply }) => {
    const invite = await findInvite(id<InviteId>());
    return reply([presentInvite(invite, { withHistory: query.include.includes('history') })]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Invites',
  summary: 'Get an invite',
  examples: {
    'with-history': {
      summary: 'With its history',
      path: { id: example.ada.id },
      query: { include: 'history' },
      answer: [
        {
          ...example.ada,
          status: 'sent',
          history: [
            { status: 'pending', at: example.at, reason: null },
            { status: 'sent', at: '2026-11-21T09:20:01.000Z', reason: null },
          ],
        },
      ],
    },
  },
});
