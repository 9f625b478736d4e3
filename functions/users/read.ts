/** `GET /admin/users/{id}/`: returns a staff member, on request with the role; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { findStaffMember } from '../../shared/accounts/manage-staff.ts';
import { userResource } from '../../shared/accounts/resource.ts';
import { included, showUsers } from '../../shared/accounts/show-users.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/read',
  knowsMe: true,
  answer: { status: 200, root: 'users', item: userResource },
  query: { include: included },
  handle: async ({ query, id, caller, reply }) => {
    const member = await findStaffMember(id<StaffId>(), caller);
    return reply(await showUsers([member], query.include));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'Get a staff member',
  description: 'The Owner and Administrators read everyone, others themselves.',
  errors: [example.otherMember],
  examples: {
    member: { summary: 'A staff member', path: { id: example.id }, answer: [example.ada] },
    me: {
      summary: 'Oneself',
      path: { id: 'me' },
      answer: [
        {
          ...example.ada,
          id: example.owner,
          name: 'Olive Owner',
          slug: 'olive-owner',
          email: 'owner@masthead.example',
          last_seen: '2026-11-21T09:00:00.000Z',
        },
      ],
    },
  },
});
