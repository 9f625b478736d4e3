/** `GET /admin/users/email/{address}/`: returns the staff member with an address, on request with the role. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { findByAddress } from '../../shared/accounts/find-staff.ts';
import { userResource } from '../../shared/accounts/resource.ts';
import { included, showUsers } from '../../shared/accounts/show-users.ts';
import type { Documentation } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/read-by-email',
  answer: { status: 200, root: 'users', item: userResource },
  query: { include: included },
  handle: async ({ request, query, reply }) => {
    const member = await findByAddress(request.params.address ?? '');
    return reply(await showUsers([member], query.include));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'Get the staff member with an address',
  examples: { ada: { summary: 'Ada', path: { address: example.email }, answer: [example.ada] } },
});
