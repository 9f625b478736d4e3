/** `GET /admin/invites/`: lists invites, newest first; revoked and replaced ones only with `?status=`. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { filterOn } from '../../shared/http/filter.ts';
import { choice, includes } from '../../shared/http/query.ts';
import * as example from '../../shared/invites/example.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { listInvites } from '../../shared/invites/manage.ts';
import { inviteResource, inviteStates } from '../../shared/invites/resource.ts';

export const handler = endpoint({
  line: 'invites/list',
  query: {
    status: choice(inviteStates, 'Only invites with this status.', 'it is not a status of invites'),
    filter: filterOn(['id', 'email', 'status', 'role_id']),
    include: includes(['history'], 'With `history`, all states of each invite. Other names are ignored.'),
  },
  pages: { max: 100 },
  answer: { status: 200, root: 'invites', item: inviteResource },
  handle: async ({ query: { status, filter, include }, page, reply }) => {
    const { invites, next } = await listInvites({ status, filter }, page.limit, page.after<InviteId>());
    const withHistory = include.includes('history');
    return reply(
      invites.map((invite) => presentInvite(invite, { withHistory })),
      { next },
    );
  },
});

export const documentation = (): Documentation => ({
  tag: 'Invites',
  summary: 'List the invites',
  description: 'Newest first. Revoked and replaced invites are listed with `status` only.',
  examples: {
    sent: {
      summary: 'Invites whose mail was sent',
      query: { status: 'sent', limit: '1' },
      answer: [{ ...example.ada, status: 'sent' }],
      pagination: { limit: 1, next: 'WyJpbnZpdGVzIHNlbnQiLCIwMTlhY2I1YjcwZDFhMWIyYzNkNGU1ZjYiXQ' },
    },
  },
});
