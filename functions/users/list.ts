/** `GET /admin/users/`: lists the staff, on request with their roles, in an order, or those that a filter selects. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { userResource } from '../../shared/accounts/resource.ts';
import { included, showUsers } from '../../shared/accounts/show-users.ts';
import { comparedOf } from '../../shared/accounts/staff-member.ts';
import { listStaffMembers } from '../../shared/accounts/staff-store.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { filterOn } from '../../shared/http/filter.ts';
import { orderBy } from '../../shared/http/order.ts';

export const handler = endpoint({
  line: 'users/list',
  answer: { status: 200, root: 'users', item: userResource },
  query: {
    include: included,
    filter: filterOn(['id', 'email', 'status', 'name', 'slug']),
    order: orderBy(['id', 'email', 'status', 'name', 'slug', 'last_seen', 'created_at', 'updated_at']),
  },
  pages: { max: 100, isNumbered: true },
  handle: async ({ query: { include, filter, order }, page, reply }) => {
    const staff = await listStaffMembers();
    const found = filter === undefined ? staff : staff.filter((member) => filter.matches(comparedOf(member)));
    const users = order(await showUsers(found, include));
    return reply(page.of(users), { total: users.length });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'List the staff',
  description: 'By default in the order in which the members joined.',
  examples: {
    'first-page': {
      summary: 'The first page, with one item',
      query: { limit: '1' },
      answer: [example.ada],
      pagination: { page: 1, limit: 1, pages: 8, total: 8, next: 2, prev: null },
    },
  },
});
