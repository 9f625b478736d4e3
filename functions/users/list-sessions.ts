/** `GET /admin/users/{id}/sessions/`: lists the sessions of a staff member, newest first; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { findStaffMember } from '../../shared/accounts/manage-staff.ts';
import { sessionResource } from '../../shared/accounts/resource.ts';
import { showSessions } from '../../shared/accounts/show-sessions.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/list-sessions',
  knowsMe: true,
  answer: { status: 200, root: 'sessions', item: sessionResource },
  handle: async ({ id, caller, now, reply }) => {
    const member = await findStaffMember(id<StaffId>(), caller);
    return reply(await showSessions(member.id, caller, now));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'List the sessions of a staff member',
  description: 'Newest first, without those that have ended.',
  examples: {
    list: {
      summary: 'The three devices of Ada',
      path: { id: example.id },
      answer: [example.third, example.second, example.first].map((session) => ({ ...session, current: false })),
    },
  },
});
