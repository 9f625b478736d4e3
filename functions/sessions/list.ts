/** `GET /admin/session/`: lists the sessions of the caller, newest first. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { sessionResource } from '../../shared/accounts/resource.ts';
import { showSessions } from '../../shared/accounts/show-sessions.ts';
import { staffOnly } from '../../shared/foundation/caller.ts';
import type { Documentation } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'sessions/list',
  answer: { status: 200, root: 'sessions', item: sessionResource },
  handle: async ({ caller, now, reply }) => reply(await showSessions(staffOnly(caller).staffId, caller, now)),
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'List one’s own sessions',
  description: 'Newest first, without those that have ended.',
  examples: {
    list: {
      summary: 'Three devices',
      caller: 'session',
      answer: [example.third, { ...example.second, current: false }, { ...example.first, current: false }],
    },
  },
});
