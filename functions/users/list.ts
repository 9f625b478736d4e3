/** `GET /admin/users/`: lists the staff, on request with their roles, or those that a filter selects. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { userResource } from '../../shared/accounts/resource.ts';
import { included, showUsers } from '../../shared/accounts/show-users.ts';
import { comparedOf } from '../../shared/accounts/staff-member.ts';
import { pageOfStaff } from '../../shared/accounts/staff-store.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { filterOn } from '../../shared/http/filter.ts';

export const handler = endpoint({
  line: 'users/list',
  answer: { status: 200, root: 'users', item: userResource },
  query: { include: included, filter: filterOn(['id', 'email', 'status', 'name', 'slug']) },
  pages: { max: 100 },
  handle: async ({ query: { include, filter }, page, reply }) => {
    const { members, next } = await pageOfStaff(
      page.limit,
      page.after<StaffId>(),
      filter && ((member) => filter.matches(comparedOf(member))),
    );
    return reply(await showUsers(members, include), { next });
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
