/** `GET /admin/users/`: lists the staff, on request with their roles. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { userResource } from '../../shared/accounts/resource.ts';
import { included, showUsers } from '../../shared/accounts/show-users.ts';
import { pageOfStaff } from '../../shared/accounts/staff-store.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/list',
  answer: { status: 200, root: 'users', item: userResource },
  query: { include: included },
  pages: { max: 100 },
  handle: async ({ query, page, reply }) => {
    const { members, next } = await pageOfStaff(page.limit, page.after<StaffId>());
    return reply(await showUsers(members, query.include), { next });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'List the staff',
  examples: {
    'first-page': {
      summary: 'The first page, with one item',
      query: { limit: '1' },
      answer: [example.ada],
      pagination: { limit: 1, next: 'WyJ1c2VycyIsIjAxOWFjYjVlMGExMGExYjJjM2Q0ZTVmNiJd' },
    },
  },
});
