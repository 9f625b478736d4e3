/** `PUT /admin/users/owner/`: the Owner hands the ownership over to an Administrator, in a session only. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { handOver, newOwner, requireRecentSession } from '../../shared/accounts/hand-over.ts';
import { userResource } from '../../shared/accounts/resource.ts';
import { showUsers } from '../../shared/accounts/show-users.ts';
import { actorOf } from '../../shared/audit/entry.ts';
import { staffOnly } from '../../shared/foundation/caller.ts';
import { NoPermissionError } from '../../shared/foundation/errors.ts';
import { type Documentation, failure, forbidden, invalid } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/hand-over',
  body: { root: 'owner', item: newOwner, max: 1 },
  answer: { status: 200, root: 'users', item: userResource },
  handle: async ({ items: [{ id }], caller, now, reply }) => {
    requireRecentSession(caller, now);
    const both = await handOver(id, staffOnly(caller).staffId, actorOf(caller));
    return reply(await showUsers(both, []));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'Hand the ownership over',
  description:
    'Makes an active Administrator with a verified address the Owner, and the Owner an Administrator. ' +
    'Returns the new Owner and the previous one. Both are mailed, and both changes are published as ' +
    '`staff.role.changed`. A key cannot do this, only a session of the Owner that began within the last 15 minutes.',
  errors: [
    forbidden('the request has a key instead of a session'),
    failure('NoPermissionError', 'the session began more than 15 minutes ago', { code: 'SIGN_IN_AGAIN' }),
    failure('NotFoundError', 'no staff member has this id', { property: 'id' }),
    invalid('id', 'the member is no active Administrator with a verified address'),
  ],
  examples: {
    'hand-over': {
      summary: 'Ada becomes the Owner',
      caller: 'session',
      body: [{ id: example.id }],
      answer: [
        example.ada,
        { ...example.ada, id: example.owner, name: 'Olive', slug: 'olive', email: 'olive@example.com' },
      ],
    },
    key: {
      summary: 'A key takes no stage',
      body: [{ id: example.id }],
      error: new NoPermissionError('A key cannot do this.', { help: 'Sign in to the console with a link by mail.' }),
    },
  },
});
